STUDIES.append(Study("draughts_outcomes", LAYOUT))


module draughts_outcomes:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from draughts_outcomes as draughts_outcomes_*
