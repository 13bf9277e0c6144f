STUDIES.append(Study("draughts_simulation", LAYOUT))


module draughts_simulation:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from draughts_simulation as draughts_simulation_*
