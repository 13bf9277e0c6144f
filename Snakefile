# The grids of all studies. Each experiments/<study>.smk adds its rules; `all` lists every table and every figure,
# since a deleted file is remade only if it is asked for by name.
#
#   snakemake -n                                  what would run, and why
#   snakemake --workflow-profile profiles/local   the quick profile, two cells at a time
#   snakemake --workflow-profile profiles/local --config profile=full
#   snakemake build/quick/results/draughts_simulation/evenness__course_0000.csv    one cell
#
# `make reproduce` is the same by experiments/run.py: it clears up after a run that was killed, and shows less.

import glob
import os
import sys

sys.path.insert(0, "experiments")
from common import FIGURE_KINDS, Layout, Study, figure_tables, library_files
from lock import hold_engine_lock

LAYOUT = Layout(config.get("profile", "quick"))
STUDIES = []  # each .smk appends its own


onstart:
    # Not in a dry run, which never comes here: only one engine at a time starts jobs.
    if workflow.is_main_process:
        hold_engine_lock()


# Seconds each: not worth a place in a cluster's queue.
localrules:
    all,
    replication,
    figure,


wildcard_constraints:
    figure=r"[a-z0-9_]+",


rule all:
    input:
        lambda wildcards: [path for study in STUDIES for path in study.all_cell_files() + study.summary_files()],
        lambda wildcards: [f"{LAYOUT.results}/replication.{kind}" for kind in ("csv", "json")],
        lambda wildcards: [f"{LAYOUT.figures}/{name}.{kind}" for name in figure_names() for kind in FIGURE_KINDS],


for path in sorted(glob.glob("experiments/*.smk")):
    include: path


def figure_names():
    return sorted(os.path.basename(path)[:-3] for path in glob.glob("figures/*.py"))


rule replication:
    """The published numbers of all studies beside ours."""
    input:
        tables=[f"{study.folder}/replication.csv" for study in STUDIES if "replication" in study.summaries],
        library="lib/ludometrics/provenance/replication.py",
    output:
        expand("{results}/replication.{kind}", results=LAYOUT.results, kind=("csv", "json")),
    log:
        text=LAYOUT.logs + "/replication.log",
    params:
        results=LAYOUT.results,
    shell:
        "python -m ludometrics.provenance join {params.results} > {log.text} 2>&1"


rule figure:
    """One script a figure; it reads tables and computes nothing."""
    input:
        script="figures/{figure}.py",
        tables=lambda wildcards: [
            f"results/{table}" if table.startswith("bench/") else f"{LAYOUT.results}/{table}"
            for table in figure_tables(f"figures/{wildcards.figure}.py")
        ],
        library=lambda wildcards: library_files(f"figures/{wildcards.figure}.py"),
    output:
        [f"{LAYOUT.figures}/{{figure}}.{kind}" for kind in FIGURE_KINDS],
    log:
        text=LAYOUT.logs + "/figures/{figure}.log",
    params:
        results=LAYOUT.results,
        figures=LAYOUT.figures,
    shell:
        "python {input.script} --results {params.results} --out {params.figures} > {log.text} 2>&1"
