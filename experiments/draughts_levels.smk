STUDIES.append(Study("draughts_levels", LAYOUT))


module draughts_levels:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from draughts_levels as draughts_levels_*
