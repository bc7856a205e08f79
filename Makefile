# make run    set up, then play in the browser: prints the address
# make test   set up, then run the tests (browser tests where there is a Chromium)
# make help   everything else
#
# A fresh machine needs make and Python 3.11 or later with its venv module, nothing else.

PYTHON ?= python3
VENV ?= .venv
# One worker more than cores: tests wait for servers and browsers some of the time.
JOBS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
# Which tests `make test` runs; CI runs all but the long ones at once.
TESTS ?= not more and not long
PORT ?= 8000

BIN := $(VENV)/bin
RUN := $(VENV)/.run
DEV := $(VENV)/.dev

# Python compiles a module when it first loads it: many are never loaded.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# The pins name all that is needed.  Without --no-deps, pip looks for "coverage[toml]" among all releases once more, and
# refuses the newest one because it is not the pinned one.
INSTALL_PINS = $(INSTALL) --no-deps --require-hashes --only-binary :all: --requirement
INSTALL_PITBOSS = $(INSTALL) --no-deps --no-build-isolation --no-index --editable .

# Rules, hands and pay tables: every branch, with the JIT off.
EXACT_COVERAGE = src/pitboss/hands/*,src/pitboss/cards/*,src/pitboss/games/*/*.py,src/pitboss/paytables.py,src/pitboss/meter.py
SOLVERS = src/pitboss/games/*/solver*

export PATH := $(abspath $(BIN)):$(PATH)

# Without bytecode each of the many processes that the tests start would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test test-more test-long lint format types contracts docs coverage pages bench pins release-check clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 15

run: $(RUN) ## set up and serve the tables in the browser; prints the address
	pitboss serve --port $(PORT)

# One worker runs all tests of a file: what they share is made once.  Files with slow tests come first (tests/conftest.py):
# the last worker then has little left when the others have ended.
test: $(DEV) ## set up and run the tests that take a moment each: all of them in minutes
	pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --slowest 10 -m "$(TESTS)"

test-more: $(DEV) ## run the tests that take seconds each: in the browser, small decks solved whole, servers killed
	pytest -n $(JOBS) --dist worksteal --slowest 10 -m "more and not long"

test-long: $(DEV) ## run the whole suite, with deeper fuzzing
	pytest -n $(JOBS) --hypothesis-profile long

lint: $(DEV) ## check the style
	ruff check
	ruff format --check

format: $(DEV) ## fix what lint can fix
	ruff check --fix
	ruff format

types: $(DEV) ## check the types
	mypy

contracts: $(DEV) ## check which package imports which
	lint-imports --no-logo

docs: $(DEV) ## build the documentation and run its examples
	sphinx-build -W --keep-going -q -b html docs build/docs/html
	sphinx-build -W --keep-going -q -b doctest -D nb_execution_mode=off docs build/docs/doctest

coverage: $(DEV) ## check branch coverage: 100 % of rules, hands and pay tables with the JIT off, 95 % of the rest
	coverage erase
	NUMBA_DISABLE_JIT=1 pytest -n $(JOBS) -m "(not long or in_turn) and not compiled" --cov --cov-report= tests/cards tests/kernels tests/games \
		tests/hands tests/table tests/test_meter.py tests/test_options.py tests/test_paytables.py
	coverage report --include '$(EXACT_COVERAGE)' --omit '$(SOLVERS)' --fail-under 100
	pytest -n $(JOBS) -m "not long or in_turn" --cov --cov-append --cov-report=
	coverage report --omit '$(EXACT_COVERAGE)' --fail-under 95

pages: $(DEV) ## write docs/game-*.md, docs/progressive-advice.md and the vectors of docs/fair-shuffle.md
	python docs/pages.py
	python docs/advice.py
	python docs/vectors.py

bench: $(DEV) ## compare the speed with that of other evaluators
	python -m bench

pins: ## choose the newest releases and write requirements/*.txt (needs uv)
	$(PIN) --group build --extra web --output-file requirements/run.txt
	$(PIN) --group dev --constraint requirements/run.txt --output-file requirements/dev.txt

PIN = uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command "make pins"

release-check: $(RUN) ## build into dist/, install that in new environments, run README's first commands
	.ci/release-check

clean: ## remove the set-up, the caches and what was built
	rm -rf $(VENV) .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist .coverage*
	find src tests docs -name __pycache__ -prune -exec rm -rf {} +

# One line for what is missing, then the set-up; it is repeated when the pins or the package's metadata change.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "pitboss needs $(notdir $(PYTHON)): apt install $(notdir $(PYTHON))-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "pitboss needs Python 3.11 or later: apt install python3.11-venv, then make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "pitboss needs $(notdir $(PYTHON))-venv: apt install $(notdir $(PYTHON))-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUN): requirements/run.txt pyproject.toml | $(BIN)/python
	$(INSTALL_PINS) requirements/run.txt
	$(INSTALL_PITBOSS)
	@touch $@

$(DEV): requirements/dev.txt $(RUN)
	$(INSTALL_PINS) requirements/dev.txt
	@touch $@
