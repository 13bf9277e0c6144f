STUDIES.append(Study("backgammon_known_players", LAYOUT))


module backgammon_known_players:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from backgammon_known_players as backgammon_known_players_*
