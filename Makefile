# `make help` lists what there is. Everything sets up what is missing first.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
JOBS ?= 2
PARAMS ?= notebooks/params/offline.yaml

# One thread a process: two processes share two cores, and sums do not depend on the machine.
export OMP_NUM_THREADS ?= 1
export PYDEVD_DISABLE_FILE_VALIDATION := 1
export HF_HUB_OFFLINE := 1

.DEFAULT_GOAL := help
.PHONY: help setup lock play reproduce accept test notebooks bench certify cluster book course exports deck peers lab seat train lint clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY) ## make .venv with the pinned packages

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --disable-pip-version-check -r requirements.lock
	$(PY) -m pip install --disable-pip-version-check --no-deps -e .
	touch $@

play: $(READY) ## play what PARAMS=... says, into data/runs/; with DRY_RUN=1 show what it would cost
	$(PY) -m dixitlib.study $(PARAMS) $(if $(DRY_RUN),--dry-run)

reproduce: $(READY) ## do the whole study anew under build/ and compare it with what is committed
	$(PY) -m dixitlib.reproduce reproduce $(PARAMS)

accept: $(READY) ## take over what the last `make reproduce` made
	$(PY) -m dixitlib.reproduce accept $(PARAMS)

test: $(READY) ## run every check and test, JOBS=2 at a time
	$(PY) -m pytest -n $(JOBS) --dist worksteal

notebooks: $(READY) ## execute the notebooks in place
	$(PY) -m dixitlib.reproduce notebooks $(PARAMS)

bench: $(READY) ## measure speed, into data/bench_times/; beside Inspect, after `make peers`
	mkdir -p build
	PYTHONPATH=. $(or $(wildcard build/peers/bin/python),$(PY)) -m pytest tests/speed \
		-o python_files='speed*.py' --benchmark-only --benchmark-json=build/speed.json

certify: $(READY) ## test every statistic on 1,000 simulated tournaments: 40 processor minutes
	$(PY) -m dixitlib.study.certify

cluster: $(READY) ## kill workers and clients of a Dask cluster in 50 runs, which takes long
	CLUSTER_RUNS=50 $(PY) -m pytest tests/study/test_cluster.py tests/study/test_away.py

book: $(READY) ## make the notebooks, the cards and some matches a site, build/book/html
	$(PY) -m dixitlib.book

course: $(READY) ## run the solved lessons, and leave the answers out for students
	$(PY) -m dixitlib.book.course

exports: $(READY) ## write DixitBench for VLMEvalKit, lmms-eval and Hugging Face, into build/exports/
	$(PY) -m dixitlib.peers build/exports --tarot

deck: $(READY) ## paint a fresh deck of SEED=... and its DixitBench, into build/deck-SEED/
	$(PY) -m dixitlib.study.fresh --seed $(or $(SEED),$(error say of which seed: make deck SEED=8)) build/deck-$(SEED)

peers: $(READY) ## test with packages that need other versions, in environments of their own
	$(PYTHON) -m venv build/peers
	build/peers/bin/pip install --disable-pip-version-check --no-deps -r requirements.peers
	$(PY) -c "import site; print(*site.getsitepackages(), sep='\n')" > build/ours.pth
	cp build/ours.pth "$$(build/peers/bin/python -c 'import site; print(site.getsitepackages()[0])')/zz_ours.pth"
	PYTHONPATH=. PEERS_REQUIRED=1 build/peers/bin/python -m pytest tests/peers

lab: $(READY) ## open the notebooks in JupyterLab
	$(VENV)/bin/jupyter lab --notebook-dir=. notebooks/00_start_here.ipynb

seat: $(READY) ## take a seat at the table on a page without code
	$(VENV)/bin/voila notebooks/18_play.ipynb

train: $(READY) ## train the local models anew (about an hour)
	$(PY) -m dixitlib.models.training
	$(PY) -m dixitlib.models.aspects

lint: $(READY) ## check style and the table of rooms
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports

lock: ## pin the newest packages that go together, in a venv of their own
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/pip install torch==2.13.0 -e .[dev]
	build/lock/bin/pip freeze --exclude-editable | sed 's/+.*//' > requirements.lock

clean: ## remove what commands made, but not .venv
	rm -rf build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -exec rm -rf {} +
