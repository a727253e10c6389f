# Every target installs what it needs into .venv; all you need is Python 3.11 or newer and make.

PYTHON ?= python3
BIN := .venv/bin
CONFIG ?= tournaments/quick.toml

# On two cores, threads of BLAS in both workers of pytest would wait for one another, busily.
export OPENBLAS_NUM_THREADS := 1

.PHONY: help tournament sample check test test-extras test-long bench format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

tournament: .venv/installed ## play a first tournament in ten seconds (or CONFIG=FILE.toml)
	$(BIN)/arena tournament $(CONFIG)

sample: .venv/installed ## make a sample site: results/sample/site/index.html
	$(BIN)/arena tournament tournaments/house.toml
	$(BIN)/arena publish results/house --to results/sample/site

# mypy caches its results in .mypy_cache: the first run takes ten seconds longer.
check: .venv/installed-dev ## check style and types, run the fast tests (one minute)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto -m "not whole and not long"

# Types are checked while tests run: on a fresh clone that keeps one core busy for 15 seconds.
test: .venv/installed-dev ## run all tests but the long ones (five minutes)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy & types=$$!; $(BIN)/pytest -n auto -m "not long"; tests=$$?; wait $$types && exit $$tests

test-extras: .venv/installed-extras ## run the skipped tests: browser, cluster
	$(BIN)/pytest -n auto --skipped

test-long: .venv/installed-dev ## run the long simulations
	$(BIN)/pytest -n auto -m long

bench: .venv/installed-dev ## measure waits and speed (forty minutes; BENCH="--rounds 1" is less)
	$(BIN)/python -m tests.benchmarks.waits
	$(BIN)/python -m tests.benchmarks.bench $(BENCH)

format: .venv/installed-dev ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove .venv and build files; results stay
	rm -rf .venv build *.egg-info

.venv/installed: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-dev: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ .venv/installed

# What the browser tests need apart from Chromium (no browser is downloaded), Dask for the cluster
# tests, and all other test dependencies.
.venv/installed-extras: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,browser,cluster]'
	touch $@ .venv/installed .venv/installed-dev

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "arena needs Python 3.11 or newer; found `$(PYTHON) --version`. Set PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	  echo "python3-venv is missing: installing it with apt" >&2; \
	  if [ "`id -u`" = 0 ]; then apt-get install --yes python3-venv; \
	  else sudo apt-get install --yes python3-venv; fi \
	  || { echo "ask an administrator for it, or set PYTHON to another Python" >&2; exit 1; }; }
	$(PYTHON) -m venv .venv
