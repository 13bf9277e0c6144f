DRAUGHTS_LEVELS = Study("draughts_levels", LAYOUT)
STUDIES.append(DRAUGHTS_LEVELS)


rule draughts_levels_cell:
    input:
        notebook=DRAUGHTS_LEVELS.notebook,
        library=library_files(DRAUGHTS_LEVELS.notebook),
    output:
        DRAUGHTS_LEVELS.cell_files(),
    log:
        notebook=DRAUGHTS_LEVELS.log("{cell}.ipynb"),
        text=DRAUGHTS_LEVELS.log("{cell}.log"),
    params:
        given=lambda wildcards: DRAUGHTS_LEVELS.parameters(wildcards.cell),
    shell:
        PAPERMILL


rule draughts_levels_summary:
    input:
        cells=DRAUGHTS_LEVELS.all_cell_files(),
        notebook=DRAUGHTS_LEVELS.summary_notebook,
        library=library_files(DRAUGHTS_LEVELS.summary_notebook),
    output:
        DRAUGHTS_LEVELS.summary_files(),
    log:
        notebook=DRAUGHTS_LEVELS.log("summary.ipynb"),
        text=DRAUGHTS_LEVELS.log("summary.log"),
    params:
        given=DRAUGHTS_LEVELS.summary_parameters(),
    shell:
        PAPERMILL
