STUDIES.append(Study("board_night_calibration", LAYOUT))


module board_night_calibration:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from board_night_calibration as board_night_calibration_*
