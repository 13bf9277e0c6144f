# The two rules of a study: its cells, and the summary that joins them. Each experiments/<study>.smk takes them under
# its own name, and may change what differs there:
#
#   use rule cell from <study> as <study>_cell with:
#       threads: 2
#
# What is global in the Snakefile, wildcard_constraints among it, does not reach into a module.

from common import CELL_NAME, library_files

STUDY = config["study"]

# One papermill process a cell. `-k python3`: the kernel of this environment, whatever name a notebook stores.
PAPERMILL = (
    "OMP_NUM_THREADS={threads} MKL_NUM_THREADS={threads} OPENBLAS_NUM_THREADS={threads} NUMBA_NUM_THREADS={threads} "
    "PYTHONWARNINGS=ignore papermill --no-progress-bar --log-level ERROR -k python3 --execution-timeout 7200 "
    "{input.notebook} {log.notebook} -y {params.given:q} > {log.text} 2>&1"
)


wildcard_constraints:
    cell=CELL_NAME,


rule cell:
    input:
        notebook=STUDY.notebook,
        library=library_files(STUDY.notebook),
        reads=STUDY.reads,
    output:
        STUDY.cell_files(),
    log:
        notebook=STUDY.log("{cell}.ipynb"),
        text=STUDY.log("{cell}.log"),
    params:
        given=lambda wildcards: STUDY.parameters(wildcards.cell),
    shell:
        PAPERMILL


if STUDY.summaries:

    rule summary:
        input:
            cells=STUDY.all_cell_files(),
            reads=STUDY.summary_reads,
            notebook=STUDY.summary_notebook,
            library=library_files(STUDY.summary_notebook),
        output:
            STUDY.summary_files(),
        log:
            notebook=STUDY.log("summary.ipynb"),
            text=STUDY.log("summary.log"),
        params:
            given=STUDY.summary_parameters(),
        shell:
            PAPERMILL
