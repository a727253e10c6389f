# `make tournament` and `make test` do all the set-up themselves: they need Python 3.11+ and make.

PYTHON ?= python3
BIN := .venv/bin
CONFIG ?= tournaments/quick.toml

.PHONY: help tournament sample check test test-extras test-long bench format clean

help: ## say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

tournament: .venv/installed ## play a tournament with all house bots (CONFIG=tournaments/quick.toml)
	$(BIN)/arena tournament $(CONFIG)

sample: .venv/installed ## play tournaments/house.toml in seconds and publish it as a site: results/sample/site/index.html
	$(BIN)/arena tournament tournaments/house.toml
	$(BIN)/arena publish results/house --games upsets --to results/sample/site

# mypy keeps what it learned in .mypy_cache: the first run takes ten seconds more than the next.
check: .venv/installed-dev ## for every save, a minute on two cores: style, types, and tests that are not `whole`
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto -m "not whole and not long"

test: .venv/installed-dev ## all but the long tests, five minutes on two cores: style, types, behaviour, README
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto -m "not long"

test-extras: .venv/installed-extras ## what `make test` skipped: pages in a browser, a cluster, other yardsticks
	$(BIN)/pytest -n auto --skipped

test-long: .venv/installed-dev ## the rest: long simulations
	$(BIN)/pytest -n auto -m long

bench: .venv/installed-bench ## how fast it is, against a loop without walls and others: some 40 minutes (BENCH="--rounds 1")
	$(BIN)/python -m tests.benchmarks.bench $(BENCH)

format: .venv/installed-dev ## lay the code out as `make test` wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove what make made; results stay
	rm -rf .venv build *.egg-info

.venv/installed: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-dev: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ .venv/installed

# With what the tests of pages need beside Chromium (no browser is downloaded), Dask for those of a
# cluster, and the rest that some test asks for.
.venv/installed-extras: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench,browser,cluster]'
	touch $@ .venv/installed .venv/installed-dev .venv/installed-bench

.venv/installed-bench: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	touch $@ .venv/installed .venv/installed-dev

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "arena needs Python 3.11 or newer; found `$(PYTHON) --version`. Set PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	  echo "python3-venv is missing: installing it with apt" >&2; \
	  if [ "`id -u`" = 0 ]; then apt-get install --yes python3-venv; \
	  else sudo apt-get install --yes python3-venv; fi; }
	$(PYTHON) -m venv .venv
