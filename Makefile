# make demo        set up, export the first proposal, show the answer
# make test        everything: set up, check, all tests in a real spreadsheet, the wheel in a fresh environment
# make check       formatting, lint, types and the fast tests
# make test-extras the fast tests, those in node and Chromium too, with every optional extra installed
# make format      rewrite the source in the project's format
# make goldens     rewrite golden files and exported workbooks from what the code says now
# make pictures    print the pictures of the README and the guide again, by LibreOffice
# make bench       the benchmarks
# make test-on     the fast tests on another Python: make test-on PYTHON=python3.13
# make release-check  build the release, check it, install it on every supported Python of this machine, ask it
# make audit       known faults of the packages in use; asks services in the network
# make clean       remove what these targets made

SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.PHONY: demo test check lint fast office test-extras browser format goldens pictures bench \
	test-on release-check audit clean
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

# The first of these that is 3.11 or newer and can make environments.
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)

BIN := .venv/bin
PIP_INSTALL := -m pip install -qq --disable-pip-version-check
IN_TWO := -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder
PYTEST := $(BIN)/python $(IN_TWO)
FIRST := workbooks/llama-2-70b-4090-or-h100
DEBIAN := libreoffice-calc python3-uno poppler-utils

demo: .venv/.run
	@$(BIN)/tokensheet export $(FIRST).toml
	@echo "the workbook is $(CURDIR)/$(FIRST).xlsx"

# The full pytest run holds the fast tests too, so it stands in for the last step of `make check`.
test: lint office
	@$(PYTEST)

check: lint fast

lint: .venv/.dev
	@$(BIN)/ruff format --check --quiet --output-format concise .
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/mypy --strict --no-error-summary addin/tokensheet $(wildcard plugins/tokensheet_*)
	@for source in plugins/*/src; do \
		MYPYPATH="$$source" $(BIN)/mypy --strict --no-error-summary "$$source"/* || exit 1; done

fast: .venv/.dev
	@$(PYTEST) -m "not slow"

# LibreOffice judges the workbooks. As root on Debian it is installed, elsewhere the tests say what to do.
office: .venv/.dev
	@if [ "$$TOKENSHEET_SKIP_OFFICE" = 1 ]; then exit 0; fi; \
	if $(BIN)/python -m tests.tools.office >/dev/null 2>&1; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq >/dev/null; \
		apt-get install -qq --no-install-recommends $(DEBIAN) >/dev/null; \
	fi; \
	$(BIN)/python -m tests.tools.office

test-extras: .make/extras/.done browser
	@TOKENSHEET_EXTRAS=1 .make/extras/bin/python $(IN_TWO) -m "not slow or extras"

# What Excel runs in its browser runs here in node and Chromium. As root on Debian what lacks is installed.
browser:
	@lacking=; for program in chromium node npm openssl; do \
		command -v $$program >/dev/null || lacking="$$lacking $$program"; done; \
	if [ -z "$$lacking" ] || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then exit 0; fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	apt-get update -qq >/dev/null; \
	apt-get install -qq --no-install-recommends $$(echo "$$lacking" | sed 's/ node/ nodejs/') >/dev/null

format: .venv/.dev
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

goldens: .venv/.dev
	@$(PYTEST) -m "not slow" --update-golden
	@for proposal in workbooks/*.toml; do $(BIN)/tokensheet export "$$proposal" || exit 1; done

pictures: office
	@$(BIN)/python -m tests.tools.guide_picture
	@$(BIN)/python -m tests.tools.workbook_pictures

bench: .venv/.dev
	@for benchmark in benchmarks/bench_*.py; do $(BIN)/python "$$benchmark" || exit 1; done

test-on:
	@$(PYTHON) -m venv --clear .make/on
	@.make/on/bin/python $(PIP_INSTALL) -e '.[dev]'
	@.make/on/bin/python --version
	@.make/on/bin/python $(IN_TWO) -m "not slow"

# Nothing is uploaded: docs/releasing.md says what a person does with .make/dist.
release-check: .venv/.dev .make/release/.done
	@$(BIN)/python -m tests.tools.release .make/dist .make/release/bin/twine

# --strict: a package that the service does not answer for is a failure, not a pass.
audit: .venv/.dev .make/release/.done
	@.make/release/bin/pip-audit --strict --skip-editable \
		--path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

clean:
	@rm -rf .venv .make build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/.made:
	@if [ -z "$(PYTHON)" ]; then \
		echo "no Python 3.11 or newer with venv found; install one, or name it: make PYTHON=/path/to/python" >&2; \
		exit 1; fi
	@$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/.run: pyproject.toml .venv/.made
	@$(BIN)/python $(PIP_INSTALL) -e .
	@touch $@

.venv/.dev: pyproject.toml .venv/.made
	@$(BIN)/python $(PIP_INSTALL) -e '.[dev]'
	@touch .venv/.run $@

.make/extras/.done: pyproject.toml .venv/.made
	@$(BIN)/python -m venv --clear .make/extras
	@.make/extras/bin/python $(PIP_INSTALL) -e ".[$$($(BIN)/python -c \
		'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"], sep=",")')]"
	@touch $@

.make/release/.done: pyproject.toml .venv/.made
	@$(BIN)/python -m venv --clear .make/release
	@.make/release/bin/python $(PIP_INSTALL) $$($(BIN)/python -c \
		'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["release"])')
	@touch $@
