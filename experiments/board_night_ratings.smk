STUDIES.append(Study("board_night_ratings", LAYOUT))


module board_night_ratings:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from board_night_ratings as board_night_ratings_*
