# What a newcomer, a developer and CI run.  `make` alone prints the list; Python 3.11+ and make are all it needs.

PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.run-installed
DEV := .venv/.dev-installed
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
	--no-emit-find-links pyproject.toml requirements/build.in

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

study: $(RUN) ## Run the push study of the opening position; results/opening gets the table, picture and trials
	$(BIN)/thrillsim study scenarios/opening.toml --out results/opening

test: lint ## Check everything: lint, types, import contracts, tests, doctests
	$(BIN)/pytest

soak: $(DEV) ## Run the slow twins of the tests (minutes)
	$(BIN)/pytest -m soak

lint: $(DEV) ## Check style, format, types and import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(DEV) ## Time the engines beside their peers and print the ratios
	$(BIN)/python -m benchmarks

docs: $(DEV) ## Build the documentation as HTML into build/docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html docs build/docs
	@echo "build/docs/index.html"

lock: ## Write requirements/*.txt anew after a change of pyproject.toml (needs uv; UPGRADE=--upgrade for newer versions)
	$(COMPILE) $(UPGRADE) --all-extras --output-file requirements/dev.txt
	$(COMPILE) $(UPGRADE) --constraint requirements/dev.txt --output-file requirements/run.txt

clean: ## Remove the environment, the built docs and the caches; results stay
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help study test soak lint bench docs lock clean

# The environment is built from a lock and marked as done; it is touched again only when the lock or the
# metadata changes.  The package itself is installed in place, by the locked build backend.
$(RUN): requirements/run.txt pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(DEV): requirements/dev.txt $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "thrillsim needs Python 3.11 or later; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
