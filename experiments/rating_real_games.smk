STUDIES.append(Study("rating_real_games", LAYOUT))


module rating_real_games:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from rating_real_games as rating_real_games_*
