STUDIES.append(Study("ab_design_comparison", LAYOUT))


module ab_design_comparison:
    snakefile:
        "rules/study.smk"
    config:
        {"study": STUDIES[-1]}


use rule * from ab_design_comparison as ab_design_comparison_*
