# Everything runs in .venv, made from the lock file. `make demo` and `make test` need nothing but Python and package indexes; Node comes from there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web
CODE := src tests benchmarks hatch_build.py

.PHONY: demo versions programs test test-fast check page client web-dev browser format bench scaling corpora fuzz soak lock update-cases docs coverage-table field coverage clean

demo: page
	$(BIN)/headwater demo

test: check browser
	$(NPM) run test
	$(BIN)/pytest -n 2 --dist loadgroup

coverage: browser # the same tests, and how much of the code they run; the tracer makes them slower by half
	$(BIN)/pytest -n 2 --dist loadgroup --cov --cov-report=term:skip-covered

test-fast: $(VENV)/ready
	$(BIN)/pytest -n 2 -m "not slow" --hypothesis-profile=quick

check: page
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(NPM) run check

format: page
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)
	$(NPM) run format

page: $(VENV)/ready
	$(BIN)/python hatch_build.py

client: page
	$(BIN)/python -m headwater.server.openapi > web/openapi.json
	$(NPM) run client

web-dev: page
	$(NPM) run dev

browser: $(VENV)/ready
	$(BIN)/python tests/debian_packages.py

bench: $(VENV)/ready
	$(BIN)/python benchmarks/run.py

scaling: $(VENV)/ready
	$(BIN)/python benchmarks/scaling.py

corpora: $(VENV)/ready
	$(BIN)/python benchmarks/corpora.py $(ARGUMENTS)

fuzz: $(VENV)/ready # damaged SQL, then each target of tests/fuzz_targets.py; ARGUMENTS="--minutes 60 --seed 2"
	$(BIN)/python -W ignore benchmarks/fuzz.py $(ARGUMENTS)
	$(BIN)/python -W ignore benchmarks/guided.py --keep $(ARGUMENTS)

soak: $(VENV)/ready
	$(BIN)/pytest -n 2 tests/test_properties.py --hypothesis-profile=soak
	HEADWATER_ALL_CASES=1 $(BIN)/pytest tests/test_hostile.py -k the_worker_gives
	$(BIN)/python tests/test_random_spark_agrees.py $(ARGUMENTS)

versions: # each feature on PySpark 3.5, 4.0 and the newest; FOLDER=… keeps the environments elsewhere, ARGUMENTS="4.1 4.2" are other versions
	$(PYTHON) tests/versions/run_versions.py $(if $(FOLDER),--folder $(FOLDER)) $(ARGUMENTS)

programs: # captured programs on several versions, with Delta Lake and Iceberg, see tests/programs/README.md; ARGUMENTS="4.0" is one version
	$(PYTHON) tests/programs/run.py $(if $(FOLDER),--folder $(FOLDER)) $(ARGUMENTS)

update-cases: $(VENV)/ready
	$(BIN)/pytest tests/test_cases.py --update-cases

docs: $(VENV)/ready
	$(BIN)/headwater explain --format markdown > docs/diagnostics.md
	$(BIN)/headwater dialects --format markdown > docs/dialects.md
	$(BIN)/python -m headwater.store.document > docs/store.md
	PYTHONPATH=tests $(BIN)/python tests/coverage_forms.py

coverage-table: $(VENV)/ready
	PYTHONPATH=tests $(BIN)/python tests/coverage_table.py

field: page # real clusters and object stores on this machine, see docs/field.md; ARGUMENTS="-k two_hosts" runs a part
	$(BIN)/pytest tests/field -v --durations=15 $(ARGUMENTS); code=$$?; \
	$(if $(ARGUMENTS),true,$(MAKE) --no-print-directory versions) && exit $$code

lock: $(VENV)/ready
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --extra dev pyproject.toml -o requirements.lock

$(VENV)/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf $(VENV) web/node_modules src/headwater/server/page .pytest_cache .mypy_cache .ruff_cache .coverage dist
