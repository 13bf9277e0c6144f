DRAUGHTS_SIMULATION = Study("draughts_simulation", LAYOUT)
STUDIES.append(DRAUGHTS_SIMULATION)


rule draughts_simulation_cell:
    input:
        notebook=DRAUGHTS_SIMULATION.notebook,
        library=library_files(DRAUGHTS_SIMULATION.notebook),
        reads=DRAUGHTS_SIMULATION.reads,
    output:
        DRAUGHTS_SIMULATION.cell_files(),
    log:
        notebook=DRAUGHTS_SIMULATION.log("{cell}.ipynb"),
        text=DRAUGHTS_SIMULATION.log("{cell}.log"),
    params:
        given=lambda wildcards: DRAUGHTS_SIMULATION.parameters(wildcards.cell),
    shell:
        PAPERMILL


rule draughts_simulation_summary:
    input:
        cells=DRAUGHTS_SIMULATION.all_cell_files(),
        reads=[*DRAUGHTS_SIMULATION.reads, "results/draughts_levels/equal_players.csv"],
        notebook=DRAUGHTS_SIMULATION.summary_notebook,
        library=library_files(DRAUGHTS_SIMULATION.summary_notebook),
    output:
        DRAUGHTS_SIMULATION.summary_files(),
    log:
        notebook=DRAUGHTS_SIMULATION.log("summary.ipynb"),
        text=DRAUGHTS_SIMULATION.log("summary.log"),
    params:
        given=DRAUGHTS_SIMULATION.summary_parameters(),
    shell:
        PAPERMILL
