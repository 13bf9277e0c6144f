STUDIES.append(Study("rating_calibration", LAYOUT))


module rating_calibration:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from rating_calibration as rating_calibration_*
