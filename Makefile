# make reproduce   set up, run the quick profile of every study to figures (build/quick/)
# make test        set up, lint, run the tests
# The other targets are below; README.md gives the commands behind each for those without make.

PYTHON ?= python3
TORCH ?= torch==2.13.0
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
INSTALLER ?= auto
CORES ?= 2
VENV ?= .venv
BIN = $(VENV)/bin
SETUP = $(PYTHON) tools/setup_venv.py $(VENV) --torch "$(TORCH)" --torch-index "$(TORCH_INDEX)" --installer $(INSTALLER)

HTML = $(BIN)/jupyter nbconvert --log-level ERROR --to html --output-dir build/site

.PHONY: reproduce reproduce-full figures verify verify-recompute test test-slow test-compat bench lab site clean

reproduce: $(VENV)/.ready
	$(BIN)/python experiments/run.py --profile quick --cores $(CORES) $(ENGINE)

reproduce-full: $(VENV)/.ready
	$(BIN)/python experiments/run.py --profile full --cores $(CORES) $(ENGINE)

figures: $(VENV)/.ready
	set -e; for script in figures/*.py; do $(BIN)/python $$script; done

verify: $(VENV)/.ready
	$(BIN)/python -m ludometrics.provenance verify results figures

verify-recompute: reproduce
	$(BIN)/python -m ludometrics.provenance recompute build/quick/results results

test: $(VENV)/.ready
	$(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet .
	$(BIN)/python -m pytest -n $(CORES) --dist loadscope --no-loadscope-reorder tests/notebooks lib tests $(PYTEST)

test-slow: $(VENV)/.ready
	$(BIN)/python -m pytest lib tests -m "slow" $(PYTEST)

# Without torch and engine, on the oldest versions that are promised: make test-compat PYTHON=python3.13
test-compat:
	$(PYTHON) tools/setup_venv.py build/compat-$(notdir $(PYTHON)) --extras lab,test,web,boardgames --constraint constraints/colab.txt
	build/compat-$(notdir $(PYTHON))/bin/python -m pytest lib tests $(PYTEST)

bench: $(VENV)/.ready
	set -e; for script in benchmarks/[a-z]*.py; do $(BIN)/python $$script; done

lab: $(VENV)/.ready
	$(BIN)/jupyter lab notebooks/00_start_here.ipynb

site: reproduce
	set -e; for log in build/quick/logs/*/summary.ipynb; do $(HTML) --output $$(basename $$(dirname $$log)) $$log; done
	$(HTML) --execute --output index notebooks/00_start_here.ipynb

clean:
	rm -rf build .snakemake

$(VENV)/.ready: pyproject.toml tools/setup_venv.py
	$(SETUP)
