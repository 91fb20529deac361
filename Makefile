# On a fresh machine: `make demo` to see it work, `make test` to see that it does. Each makes .venv where there is none.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
BENCH_INSTALLED := $(VENV)/.installed-bench
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test check importable format lint types coverage examples matrix bench clean

# The generations of the SDK that noxfile.py knows.
SDKS := botocore-1.43 botocore-1.44 aiobotocore aioboto3

help: ## Show what there is to make.
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /|/' | column -t -s '|'

$(INSTALLED): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable '.[test]'
	touch $@

$(BENCH_INSTALLED): $(INSTALLED)
	$(INSTALL) --editable '.[test,bench]'
	touch $@

demo: $(INSTALLED) ## Run the examples and tell their stories: who was refused, when, and how it recovered.
	$(BIN)/python -m pytest examples -s -q

test: $(INSTALLED) ## Run the tests.
	$(BIN)/python $(COVERED) -m pytest --numprocesses=auto

# With moto installed, so that the tests of standing beside it run as well; `test` is then run under coverage.
check: COVERED := -m coverage run
check: $(BENCH_INSTALLED) importable format lint types test coverage examples matrix ## Do what CI does: the tests, and all the rest.

importable: $(INSTALLED)
	$(BIN)/python -c 'import pytest_ddbthrottle; print("pytest-ddbthrottle", pytest_ddbthrottle.__version__)'

format: $(INSTALLED)
	$(BIN)/python -m ruff format --check .

lint: $(INSTALLED)
	$(BIN)/python -m ruff check .

types: $(INSTALLED)
	$(BIN)/python -m mypy

coverage: $(INSTALLED)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

examples: $(INSTALLED)
	$(BIN)/python -m pytest examples -q

matrix: $(INSTALLED) ## Run the tests of retries and of asynchronous clients on each generation of the SDK, all at once.
	$(MAKE) --no-print-directory --jobs=$(words $(SDKS)) --output-sync=target $(SDKS:%=matrix-%)

matrix-%: $(INSTALLED)
	$(BIN)/python -m nox --session 'retries($*)'

bench: $(BENCH_INSTALLED) ## Measure calls against a canned reply and against moto.
	$(BIN)/python benchmarks/bench.py $(BENCH_ARGUMENTS)
	$(BIN)/python benchmarks/async_workers.py
	$(BIN)/python benchmarks/swarm.py

clean: ## Remove what was made.
	rm -rf $(VENV) .nox .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
