# Generated from every schema of the spec folder by `make regen`.
# Do not edit: change the schema and generate again.
"""A builder for each entity, with a method for each facet it may have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from typing_extensions import Self

from openlineage_facets.base.builder import EntityBuilder

if TYPE_CHECKING:
    from openlineage_facets.generated.base_subset_dataset import (
        BinarySubsetCondition as base_subset_dataset_BinarySubsetCondition,
    )
    from openlineage_facets.generated.base_subset_dataset import (
        CompareSubsetCondition as base_subset_dataset_CompareSubsetCondition,
    )
    from openlineage_facets.generated.base_subset_dataset import (
        LocationSubsetCondition as base_subset_dataset_LocationSubsetCondition,
    )
    from openlineage_facets.generated.base_subset_dataset import (
        PartitionSubsetCondition as base_subset_dataset_PartitionSubsetCondition,
    )
    from openlineage_facets.generated.column_lineage_dataset import Fields as column_lineage_dataset_Fields
    from openlineage_facets.generated.column_lineage_dataset import (
        InputField as column_lineage_dataset_InputField,
    )
    from openlineage_facets.generated.data_quality_assertions_dataset import (
        Assertion as data_quality_assertions_dataset_Assertion,
    )
    from openlineage_facets.generated.data_quality_metrics_dataset import (
        ColumnMetrics as data_quality_metrics_dataset_ColumnMetrics,
    )
    from openlineage_facets.generated.data_quality_metrics_input_dataset import (
        ColumnMetrics as data_quality_metrics_input_dataset_ColumnMetrics,
    )
    from openlineage_facets.generated.environment_variables_run import (
        EnvironmentVariable as environment_variables_run_EnvironmentVariable,
    )
    from openlineage_facets.generated.execution_parameters_run import (
        ExecutionParameter as execution_parameters_run_ExecutionParameter,
    )
    from openlineage_facets.generated.extraction_error_run import Error as extraction_error_run_Error
    from openlineage_facets.generated.gcp_lineage_job import Origin as gcp_lineage_job_Origin
    from openlineage_facets.generated.hierarchy_dataset import (
        HierarchyDatasetFacetLevel as hierarchy_dataset_HierarchyDatasetFacetLevel,
    )
    from openlineage_facets.generated.iceberg_commit_report_output_dataset import (
        CommitMetrics as iceberg_commit_report_output_dataset_CommitMetrics,
    )
    from openlineage_facets.generated.iceberg_scan_report_input_dataset import (
        ScanMetrics as iceberg_scan_report_input_dataset_ScanMetrics,
    )
    from openlineage_facets.generated.job_dependencies_run import (
        JobDependency as job_dependencies_run_JobDependency,
    )
    from openlineage_facets.generated.job_type_job import EmissionPattern as job_type_job_EmissionPattern
    from openlineage_facets.generated.lifecycle_state_change_dataset import (
        LifecycleStateChange as lifecycle_state_change_dataset_LifecycleStateChange,
    )
    from openlineage_facets.generated.lifecycle_state_change_dataset import (
        PreviousIdentifier as lifecycle_state_change_dataset_PreviousIdentifier,
    )
    from openlineage_facets.generated.lineage import LineageDatasetEntry as lineage_LineageDatasetEntry
    from openlineage_facets.generated.lineage import LineageDatasetInput as lineage_LineageDatasetInput
    from openlineage_facets.generated.lineage import LineageFieldEntry as lineage_LineageFieldEntry
    from openlineage_facets.generated.lineage import LineageJobEntry as lineage_LineageJobEntry
    from openlineage_facets.generated.lineage import LineageJobInput as lineage_LineageJobInput
    from openlineage_facets.generated.ownership_dataset import Owner as ownership_dataset_Owner
    from openlineage_facets.generated.ownership_job import Owner as ownership_job_Owner
    from openlineage_facets.generated.parent_run import Job as parent_run_Job
    from openlineage_facets.generated.parent_run import Root as parent_run_Root
    from openlineage_facets.generated.parent_run import Run as parent_run_Run
    from openlineage_facets.generated.schema_dataset import (
        SchemaDatasetFacetFields as schema_dataset_SchemaDatasetFacetFields,
    )
    from openlineage_facets.generated.symlinks_dataset import Identifier as symlinks_dataset_Identifier
    from openlineage_facets.generated.tags_dataset import (
        TagsDatasetFacetFields as tags_dataset_TagsDatasetFacetFields,
    )
    from openlineage_facets.generated.tags_job import TagsJobFacetFields as tags_job_TagsJobFacetFields
    from openlineage_facets.generated.tags_run import TagsRunFacetFields as tags_run_TagsRunFacetFields
    from openlineage_facets.generated.test_run import TestExecution as test_run_TestExecution


class RunBuilder(EntityBuilder):
    """Builds the Run of an event, facet by facet."""

    __entity__: ClassVar[str] = "open_lineage:Run"
    __containers__: ClassVar[Mapping[str, str]] = {"facets": "RunFacets"}

    def environment_variables(
        self,
        *,
        environment_variables: Iterable[environment_variables_run_EnvironmentVariable | Mapping[str, Any]],
    ) -> Self:
        """Environment variables that were set while the run executed.

        A client emits the ones it was configured to collect; people read them to compare a
        run with another one or to see where it was deployed.

        Args:
            environment_variables: Variables that were collected, one entry per name.
        """
        return self._compose(
            "facets",
            "environment_variables_run:EnvironmentVariablesRunFacet",
            environment_variables=environment_variables,
        )

    def error_message(
        self,
        *,
        message: str,
        programming_language: str,
        stack_trace: str | None = None,
    ) -> Self:
        """Error raised by the observed job, normally attached to the event that reports the run
        as failed.

        Integrations emit it from the exception they caught; people on call read it to find
        the cause. Trouble in collecting the lineage itself goes in `ExtractionErrorRunFacet`.

        Args:
            message: Error text from the failed system, meant for people to read.
            programming_language: Language of the code that failed, which tells readers how to
                parse `stackTrace`.
            stack_trace: Call stack at the moment of the error, in the usual layout of the
                programming language.
        """
        return self._compose(
            "facets",
            "error_message_run:ErrorMessageRunFacet",
            message=message,
            programming_language=programming_language,
            stack_trace=stack_trace,
        )

    def execution_parameters(
        self,
        *,
        parameters: Iterable[execution_parameters_run_ExecutionParameter | Mapping[str, Any]] | None = None,
    ) -> Self:
        """Arguments and settings handed to the job for one particular run.

        Schedulers and engines emit it at the start; people read it to see how two runs of a
        job differ or to start one again alike.

        Args:
            parameters: Parameters the run received, one entry per key.
        """
        return self._compose(
            "facets", "execution_parameters_run:ExecutionParametersRunFacet", parameters=parameters
        )

    def external_query(
        self,
        *,
        external_query_id: str,
        source: str,
    ) -> Self:
        """Pointer to the query a run submitted to an external system such as BigQuery, Snowflake
        or Athena.

        Orchestrator integrations emit it once the system has returned an id; readers use it
        to look up the query's cost, plan and logs there.

        Args:
            external_query_id: Id that the external system gave to this query.
            source: System that executed the query, needed to know where `externalQueryId` is
                valid.
        """
        return self._compose(
            "facets",
            "external_query_run:ExternalQueryRunFacet",
            external_query_id=external_query_id,
            source=source,
        )

    def extraction_error(
        self,
        *,
        total_tasks: int,
        failed_tasks: int,
        errors: Iterable[extraction_error_run_Error | Mapping[str, Any]],
    ) -> Self:
        """Report that some parts of a run yielded no lineage, although the run itself may be
        fine.

        Integrations emit it, typically when a SQL statement cannot be parsed; readers learn
        from it that the inputs and outputs may be incomplete.

        Args:
            total_tasks: Number of separate pieces of work the integration examined in this
                run, failed ones included.
            failed_tasks: Number of those pieces for which lineage extraction failed.
            errors: Details of the failed extractions, usually one entry for each piece
                counted in `failedTasks`.
        """
        return self._compose(
            "facets",
            "extraction_error_run:ExtractionErrorRunFacet",
            total_tasks=total_tasks,
            failed_tasks=failed_tasks,
            errors=errors,
        )

    def gcp_composer_run(
        self,
        *,
        dag_run_id: str,
    ) -> Self:
        """The Airflow DAG run, in a Cloud Composer environment, that a run belongs to.

        Cloud Composer emits it for DAGs and tasks; readers combine it with the job's
        `gcp_composer_job` facet to find the DAG run in the Airflow UI.

        Args:
            dag_run_id: Airflow's id of the DAG run, unique within its DAG.
        """
        return self._compose("facets", "gcp_composer_run:GcpComposerRunFacet", dag_run_id=dag_run_id)

    def gcp_dataproc(
        self,
        *,
        app_id: str,
        app_name: str,
        project_id: str,
        batch_id: str | None = None,
        batch_uuid: str | None = None,
        cluster_name: str | None = None,
        cluster_uuid: str | None = None,
        job_id: str | None = None,
        job_uuid: str | None = None,
        query_node_name: str | None = None,
        job_type: str | None = None,
        session_id: str | None = None,
        session_uuid: str | None = None,
    ) -> Self:
        """The Dataproc workload that executed a run: a job on a cluster, a serverless batch or a
        session.

        The Spark integration emits it on Dataproc; readers use the ids to open the workload
        in the Cloud console or to find its logs. Of the cluster, batch and session
        properties, only those of one kind are set.

        Args:
            app_id: Id of the application within its resource manager, such as YARN.
            app_name: Application name, chosen by the user or else a default.
            project_id: Id of the Google Cloud project that owns the workload.
            batch_id: Id of the serverless batch, as in its resource name.
            batch_uuid: UUID that Dataproc made for the serverless batch.
            cluster_name: Name of the cluster that ran the job, unique within `projectId` at
                any one time.
            cluster_uuid: UUID that Dataproc gave to the cluster when it was created.
            job_id: Id of the Dataproc job, chosen by the user or else by Dataproc.
            job_uuid: UUID of the Dataproc job, never reused within the project.
            query_node_name: Name of the top node of the executed Spark plan, in snake case.
            job_type: Kind of workload.
            session_id: Id of the interactive serverless session, for building links to it.
            session_uuid: UUID that Dataproc made for the interactive session.
        """
        return self._compose(
            "facets",
            "gcp_dataproc_run:GcpDataprocRunFacet",
            app_id=app_id,
            app_name=app_name,
            project_id=project_id,
            batch_id=batch_id,
            batch_uuid=batch_uuid,
            cluster_name=cluster_name,
            cluster_uuid=cluster_uuid,
            job_id=job_id,
            job_uuid=job_uuid,
            query_node_name=query_node_name,
            job_type=job_type,
            session_id=session_id,
            session_uuid=session_uuid,
        )

    def job_dependencies(
        self,
        *,
        upstream: Iterable[job_dependencies_run_JobDependency | Mapping[str, Any]] | None = None,
        downstream: Iterable[job_dependencies_run_JobDependency | Mapping[str, Any]] | None = None,
        trigger_rule: str | None = None,
    ) -> Self:
        """Lists the jobs directly before and after a run in the control flow.

        Orchestrators emit it; backends use it to explain why a run waited or was skipped and
        to foresee what a delay holds up.

        Args:
            upstream: Jobs that come before this run, which as a rule waits for them to end.
            downstream: Jobs that come after this run, which as a rule wait for it to end.
            trigger_rule: Condition over all of `upstream` together that lets this run start.
        """
        return self._compose(
            "facets",
            "job_dependencies_run:JobDependenciesRunFacet",
            upstream=upstream,
            downstream=downstream,
            trigger_rule=trigger_rule,
        )

    def nominal_time(
        self,
        *,
        nominal_start_time: datetime | str,
        nominal_end_time: datetime | str | None = None,
    ) -> Self:
        """Period that a scheduled run stands for, according to its schedule.

        Schedulers such as Airflow emit it; readers compare it with the event times to spot
        late runs and use it to tell which day or hour a backfill belongs to.

        Args:
            nominal_start_time: Scheduled time of the run and start of its period, inclusive.
            nominal_end_time: End of the run's period, exclusive.
        """
        return self._compose(
            "facets",
            "nominal_time_run:NominalTimeRunFacet",
            nominal_start_time=nominal_start_time,
            nominal_end_time=nominal_end_time,
        )

    def parent(
        self,
        *,
        run: parent_run_Run | Mapping[str, Any],
        job: parent_run_Job | Mapping[str, Any],
        root: parent_run_Root | Mapping[str, Any] | None = None,
    ) -> Self:
        """Links a run to the run that started it, as a task to its DAG run or a Spark job to its
        task.

        The child emits it, with identifiers its starter handed down; backends build the tree
        of runs from it. Leave it out when no other run started this one.

        Args:
            run: The parent run: the one that started the current run.
            job: The parent job: the one that the parent run is an execution of.
            root: The topmost run and job of the chain that led to this run.
        """
        return self._compose("facets", "parent_run:ParentRunFacet", run=run, job=job, root=root)

    def processing_engine(
        self,
        *,
        version: str,
        name: str | None = None,
        openlineage_adapter_version: str | None = None,
    ) -> Self:
        """Engine and integration behind a run, with their versions.

        Integrations for Spark, Airflow, Flink and others emit it; readers use it to find runs
        on outdated versions and to explain differences in lineage quality.

        Args:
            version: Version of the engine named in `name`.
            name: Product name of the engine.
            openlineage_adapter_version: Version of the OpenLineage integration that produced
                the event, which is separate from the engine's.
        """
        return self._compose(
            "facets",
            "processing_engine_run:ProcessingEngineRunFacet",
            version=version,
            name=name,
            openlineage_adapter_version=openlineage_adapter_version,
        )

    def tags_(
        self,
        *,
        tags: Iterable[tags_run_TagsRunFacetFields | Mapping[str, Any]] | None = None,
    ) -> Self:
        """Labels on one run, such as an environment, a release or the mark of a manual start.

        They may differ from run to run, unlike the tags of the job; integrations and users
        supply them, and readers filter runs by them.

        Args:
            tags: Every tag that the run has at the time of the event.
        """
        return self._compose("facets", "tags_run:TagsRunFacet", tags=tags)

    def test(
        self,
        *,
        tests: Iterable[test_run_TestExecution | Mapping[str, Any]],
    ) -> Self:
        """Outcomes of the tests that one run executed, whichever datasets they looked at.

        Test tools such as dbt emit it with the run; quality dashboards and alerts read it.
        Results tied to one input dataset go in the `dataQualityAssertions` facet.

        Args:
            tests: Results of the run, one entry per executed or skipped test.
        """
        return self._compose("facets", "test_run:TestRunFacet", tests=tests)


class JobBuilder(EntityBuilder):
    """Builds the Job of an event, facet by facet."""

    __entity__: ClassVar[str] = "open_lineage:Job"
    __containers__: ClassVar[Mapping[str, str]] = {"facets": "JobFacets"}

    def documentation(
        self,
        *,
        description: str,
        content_type: str | None = None,
    ) -> Self:
        """Text that explains to people what a job does and why.

        Schedulers and integrations forward it from places such as an Airflow DAG's
        description; catalogs display it on the job's page.

        Args:
            description: Documentation text to show to readers of the job.
            content_type: MIME type that tells a display how to render `description`.
        """
        return self._compose(
            "facets",
            "documentation_job:DocumentationJobFacet",
            description=description,
            content_type=content_type,
        )

    def gcp_composer_job(
        self,
        *,
        environment_name: str,
        dag_id: str,
        airflow_version: str,
        composer_version: str,
        operator: str | None = None,
        task_id: str | None = None,
    ) -> Self:
        """The Airflow DAG or task, and the Cloud Composer environment it lives in, that a job
        stands for.

        Cloud Composer emits it; readers use it to link the job to its DAG and to see which
        versions it runs on.

        Args:
            environment_name: Name of the Cloud Composer environment that runs the DAG.
            dag_id: Id of the DAG: the job itself, or the DAG that its task belongs to.
            airflow_version: Version of the Airflow build in the environment, with the suffix
                `+composer`.
            composer_version: Version of Cloud Composer that the environment runs.
            operator: Class name of the task's operator, such as `BashOperator`.
            task_id: Id of the task within its DAG.
        """
        return self._compose(
            "facets",
            "gcp_composer_job:GcpComposerJobFacet",
            environment_name=environment_name,
            dag_id=dag_id,
            airflow_version=airflow_version,
            composer_version=composer_version,
            operator=operator,
            task_id=task_id,
        )

    def gcp_lineage(
        self,
        *,
        display_name: str | None = None,
        origin: gcp_lineage_job_Origin | Mapping[str, Any] | None = None,
    ) -> Self:
        """Display name and origin of a job for the lineage service of Google Cloud.

        Dataproc and Cloud Composer emit it; the service turns the job into a lineage process
        with this name and origin.

        Args:
            display_name: Name of the job for human readers, shown in the lineage graph
                instead of the technical name.
            origin: System that the lineage comes from, in the terms of the Google Cloud
                lineage API.
        """
        return self._compose(
            "facets", "gcp_lineage_job:GcpLineageJobFacet", display_name=display_name, origin=origin
        )

    def job_type(
        self,
        *,
        processing_type: str,
        integration: str,
        job_type: str | None = None,
        emission_pattern: job_type_job_EmissionPattern | Mapping[str, Any] | None = None,
    ) -> Self:
        """Classifies a job by processing style, by integration and by its role there.

        Integrations emit it with every job; backends use it to pick an icon, to tell a DAG
        from its tasks and to know whether a run is ever going to end.

        Args:
            processing_type: Whether runs of the job end by themselves: `BATCH`, `STREAMING`
                or `SERVICE`.
            integration: Tool whose integration reports the job, in upper case.
            job_type: Role of the job in the terms of its integration.
            emission_pattern: When the job's runs send events and how complete each event is.
        """
        return self._compose(
            "facets",
            "job_type_job:JobTypeJobFacet",
            processing_type=processing_type,
            integration=integration,
            job_type=job_type,
            emission_pattern=emission_pattern,
        )

    def lineage(
        self,
        *,
        entries: Iterable[lineage_LineageDatasetEntry | lineage_LineageJobEntry | Mapping[str, Any]],
    ) -> Self:
        """States which sources feed which targets in a job, edge by edge.

        On a `JobEvent` it declares the job's design, on a `RunEvent` it reports what that run
        did. It helps where not every input of the job feeds every output.

        Args:
            entries: Targets of data flow, each with the sources that feed it.
        """
        return self._compose("facets", "lineage:LineageJobFacet", entries=entries)

    def ownership(
        self,
        *,
        owners: Iterable[ownership_job_Owner | Mapping[str, Any]] | None = None,
    ) -> Self:
        """People, teams or applications responsible for a job.

        Schedulers and integrations take it from the owner configured on the job, such as the
        owner of an Airflow DAG; catalogs and alerting use it to route failures.

        Args:
            owners: Everyone responsible for the job, one entry per owner and type of
                ownership.
        """
        return self._compose("facets", "ownership_job:OwnershipJobFacet", owners=owners)

    def source_code(
        self,
        *,
        language: str,
        source_code: str,
    ) -> Self:
        """The program text that a job runs, together with its language.

        Integrations that can see the code, such as a Bash command or a Python callable,
        attach it to the job, and lineage viewers show it. Code may hold secrets, so send it
        only where its readers may see it; SQL belongs in the `sql` facet, a link to a
        repository in `sourceCodeLocation`.

        Args:
            language: Programming language of the text in `sourceCode`, usually in lower case.
            source_code: The code as one text, line breaks included.
        """
        return self._compose(
            "facets", "source_code_job:SourceCodeJobFacet", language=language, source_code=source_code
        )

    def source_code_location(
        self,
        *,
        type: str,
        url: str,
        repo_url: str | None = None,
        path: str | None = None,
        version: str | None = None,
        tag: str | None = None,
        branch: str | None = None,
        pull_request_number: str | None = None,
    ) -> Self:
        """Where the code of a job is kept in version control, and which revision of it was
        deployed.

        Schedulers and CI pipelines attach it to the job; readers follow the link, or compare
        `version` between a good and a bad run to see whether the code changed.

        Args:
            type: Version control system that the other properties refer to.
            url: Address that opens the job's own file or folder in a browser.
            repo_url: Address from which the whole repository is cloned or checked out.
            path: File or folder of the job's code, relative to the root of the repository.
            version: Revision that was deployed: a commit hash in Git, a revision number in
                Subversion.
            tag: Tag that names the deployed revision, where it has one.
            branch: Branch from which the deployed revision was taken.
            pull_request_number: Number of the pull or merge request whose CI build ran the
                job, written as text.
        """
        return self._compose(
            "facets",
            "source_code_location_job:SourceCodeLocationJobFacet",
            type=type,
            url=url,
            repo_url=repo_url,
            path=path,
            version=version,
            tag=tag,
            branch=branch,
            pull_request_number=pull_request_number,
        )

    def sql(
        self,
        *,
        query: str,
        dialect: str | None = None,
    ) -> Self:
        """SQL text behind a job.

        Integrations for databases, dbt, Spark SQL and orchestrators emit it; catalogs display
        it, and lineage tools parse it to derive tables and columns.

        Args:
            query: Text of the statement, or of several separated by semicolons.
            dialect: SQL dialect of `query`, which lets a reader choose the right parser.
        """
        return self._compose("facets", "sql_job:SQLJobFacet", query=query, dialect=dialect)

    def tags_(
        self,
        *,
        tags: Iterable[tags_job_TagsJobFacetFields | Mapping[str, Any]] | None = None,
    ) -> Self:
        """Labels on a job, such as its team, environment or alert channel, the same for every
        run.

        Schedulers, integrations and users supply them; catalogs filter by them and automation
        acts on them.

        Args:
            tags: Every tag that the job has at the time of the event.
        """
        return self._compose("facets", "tags_job:TagsJobFacet", tags=tags)


class DatasetBuilder(EntityBuilder):
    """Builds the Dataset of an event, facet by facet."""

    __entity__: ClassVar[str] = "open_lineage:Dataset"
    __containers__: ClassVar[Mapping[str, str]] = {"facets": "DatasetFacets"}

    def catalog(
        self,
        *,
        framework: str,
        type: str,
        name: str,
        metadata_uri: str | None = None,
        warehouse_uri: str | None = None,
        source: str | None = None,
        catalog_properties: Mapping[str, str] | None = None,
    ) -> Self:
        """Names the catalog through which a job found the dataset, and how to reach it.

        Engines with pluggable catalogs (Spark, Flink) emit it; backends and catalog vendors
        use it to match the dataset with the entry in that catalog.

        Args:
            framework: Table format or storage framework the catalog serves.
            type: Kind of catalog implementation behind the name.
            name: Name the catalog has in the configuration of the system that uses it.
            metadata_uri: Address of the catalog service or its database, as a URI or a
                connection string.
            warehouse_uri: Root location under which the catalog keeps the data files of its
                tables.
            source: System in whose configuration the catalog is declared.
            catalog_properties: Further configuration of the catalog, as text by property
                name.
        """
        return self._compose(
            "facets",
            "catalog_dataset:CatalogDatasetFacet",
            framework=framework,
            type=type,
            name=name,
            metadata_uri=metadata_uri,
            warehouse_uri=warehouse_uri,
            source=source,
            catalog_properties=catalog_properties,
        )

    def column_lineage(
        self,
        *,
        fields: Mapping[str, column_lineage_dataset_Fields | Mapping[str, Any]],
        dataset: Iterable[column_lineage_dataset_InputField | Mapping[str, Any]] | None = None,
    ) -> Self:
        """Records, for an output dataset, which input columns each of its columns is made from.

        SQL parsers and engines that see the query plan emit it; backends draw column graphs,
        trace personal data and find what a column change breaks.

        Args:
            fields: Dependencies of each output column, keyed by column name.
            dataset: Input columns that influence the output dataset as a whole, and not just
                one column.
        """
        return self._compose(
            "facets", "column_lineage_dataset:ColumnLineageDatasetFacet", fields=fields, dataset=dataset
        )

    def data_quality_metrics(
        self,
        *,
        column_metrics: Mapping[str, data_quality_metrics_dataset_ColumnMetrics | Mapping[str, Any]],
        row_count: int | None = None,
        bytes: int | None = None,
        file_count: int | None = None,
        last_updated: datetime | str | None = None,
    ) -> Self:
        """Statistics about the content of a dataset, independent of whether a run reads or
        writes it.

        Profilers and quality tools emit it; observability tools plot the numbers over time to
        detect drift. For what one run measured on its input, use
        `DataQualityMetricsInputDatasetFacet`.

        Args:
            column_metrics: Statistics per column, keyed by column name as in the `schema`
                facet.
            row_count: Number of rows that were profiled.
            bytes: Volume of the profiled data in bytes.
            file_count: Number of files that the profiled data is spread over.
            last_updated: Moment of the most recent change to the dataset, as an RFC 3339
                timestamp with UTC offset.
        """
        return self._compose(
            "facets",
            "data_quality_metrics_dataset:DataQualityMetricsDatasetFacet",
            column_metrics=column_metrics,
            row_count=row_count,
            bytes=bytes,
            file_count=file_count,
            last_updated=last_updated,
        )

    def data_source(
        self,
        *,
        name: str | None = None,
        uri: str | None = None,
    ) -> Self:
        """Database, cluster or bucket in which the dataset lives.

        Integrations fill it from the connection they used; catalogs use it to group datasets
        by system and to show where they are hosted.

        Args:
            name: Label of the data source, often identical to the dataset's namespace.
            uri: Address at which the data source is reached, as a URI.
        """
        return self._compose("facets", "datasource_dataset:DatasourceDatasetFacet", name=name, uri=uri)

    def dataset_type(
        self,
        *,
        dataset_type: str,
        sub_type: str | None = None,
    ) -> Self:
        """Classification of a dataset by the kind of object behind its name.

        Integrations emit it for whatever they read or write; catalogs use it to pick icons
        and filters, and to tell a view from the tables beneath it.

        Args:
            dataset_type: Main kind of the dataset, conventionally in upper case.
            sub_type: Finer kind within `datasetType`, for example which sort of view or table
                it is.
        """
        return self._compose(
            "facets",
            "dataset_type_dataset:DatasetTypeDatasetFacet",
            dataset_type=dataset_type,
            sub_type=sub_type,
        )

    def documentation(
        self,
        *,
        description: str,
        content_type: str | None = None,
    ) -> Self:
        """Text that explains to people what a dataset contains and how to use it.

        Integrations forward it from table comments, dbt model descriptions and the like;
        catalogs display it on the dataset's page.

        Args:
            description: Documentation text to show to readers of the dataset.
            content_type: MIME type that tells a display how to render `description`.
        """
        return self._compose(
            "facets",
            "documentation_dataset:DocumentationDatasetFacet",
            description=description,
            content_type=content_type,
        )

    def hierarchy(
        self,
        *,
        hierarchy: Iterable[hierarchy_dataset_HierarchyDatasetFacetLevel | Mapping[str, Any]],
    ) -> Self:
        """Spells out where a dataset sits in the containers of its source system.

        Database integrations emit it; backends use it to show a browsable tree without
        splitting the dataset name, whose format differs from system to system.

        Args:
            hierarchy: Steps in order from the outermost container to the innermost one,
                usually the dataset itself.
        """
        return self._compose("facets", "hierarchy_dataset:HierarchyDatasetFacet", hierarchy=hierarchy)

    def lifecycle_state_change(
        self,
        *,
        lifecycle_state_change: lifecycle_state_change_dataset_LifecycleStateChange
        | Literal["ALTER", "CREATE", "DROP", "OVERWRITE", "RENAME", "TRUNCATE"],
        previous_identifier: lifecycle_state_change_dataset_PreviousIdentifier
        | Mapping[str, Any]
        | None = None,
    ) -> Self:
        """Marks that an operation changed the dataset as such and not just its rows.

        Engines emit it for DDL statements and overwriting writes; backends use it to add,
        retire or rename the dataset and to start a new version of it.

        Args:
            lifecycle_state_change: Operation the dataset went through.
            previous_identifier: Namespace and name the dataset had before a `RENAME`.
        """
        return self._compose(
            "facets",
            "lifecycle_state_change_dataset:LifecycleStateChangeDatasetFacet",
            lifecycle_state_change=lifecycle_state_change,
            previous_identifier=previous_identifier,
        )

    def lineage(
        self,
        *,
        inputs: Iterable[lineage_LineageDatasetInput | lineage_LineageJobInput | Mapping[str, Any]]
        | None = None,
        fields: Mapping[str, lineage_LineageFieldEntry | Mapping[str, Any]] | None = None,
    ) -> Self:
        """States which datasets and jobs feed the dataset that carries it, as a whole or column
        by column.

        Catalogs and view definitions emit it to declare lineage without a run; backends add
        the edges to their graph.

        Args:
            inputs: Sources of the dataset as a whole.
            fields: Sources of single columns, keyed by the column name in this dataset.
        """
        return self._compose("facets", "lineage:LineageDatasetFacet", inputs=inputs, fields=fields)

    def ownership(
        self,
        *,
        owners: Iterable[ownership_dataset_Owner | Mapping[str, Any]] | None = None,
    ) -> Self:
        """People, teams or applications responsible for a dataset.

        Integrations take it from the owners recorded in the tool that manages the dataset;
        catalogs and alerting use it to route questions about the data.

        Args:
            owners: Everyone responsible for the dataset, one entry per owner and type of
                ownership.
        """
        return self._compose("facets", "ownership_dataset:OwnershipDatasetFacet", owners=owners)

    def schema(
        self,
        *,
        fields: Iterable[schema_dataset_SchemaDatasetFacetFields | Mapping[str, Any]] | None = None,
    ) -> Self:
        """Structure of a dataset: its columns in the state an event observed them.

        Almost all integrations emit it; catalogs display it and compare it between events to
        detect schema changes.

        Args:
            fields: Top-level columns of the dataset, normally in table order.
        """
        return self._compose("facets", "schema_dataset:SchemaDatasetFacet", fields=fields)

    def storage(
        self,
        *,
        storage_layer: str,
        file_format: str | None = None,
    ) -> Self:
        """How a dataset is stored: its table format and the format of its files.

        Engines that read or write lake tables attach it to inputs and outputs; catalogs use
        it to tell managed tables from plain files. Further properties are allowed.

        Args:
            storage_layer: Table format that manages the dataset's files, in lower case.
            file_format: Format of the data files below the table format, in lower case.
        """
        return self._compose(
            "facets",
            "storage_dataset:StorageDatasetFacet",
            storage_layer=storage_layer,
            file_format=file_format,
        )

    def symlinks(
        self,
        *,
        identifiers: Iterable[symlinks_dataset_Identifier | Mapping[str, Any]] | None = None,
    ) -> Self:
        """Other names under which one and the same dataset is known.

        An engine that knows both the storage path and the catalog table of a dataset names it
        by one and lists the other here; lineage backends join the names into a single node.

        Args:
            identifiers: The other names, one entry each.
        """
        return self._compose("facets", "symlinks_dataset:SymlinksDatasetFacet", identifiers=identifiers)

    def tags_(
        self,
        *,
        tags: Iterable[tags_dataset_TagsDatasetFacetFields | Mapping[str, Any]] | None = None,
    ) -> Self:
        """Labels that people or tools put on a dataset or its columns, such as sensitivity or
        owner team.

        Catalog and warehouse integrations emit them; governance tools search and enforce
        rules by them.

        Args:
            tags: Every tag that the dataset and its columns have at the time of the event.
        """
        return self._compose("facets", "tags_dataset:TagsDatasetFacet", tags=tags)

    def version(
        self,
        *,
        dataset_version: str,
    ) -> Self:
        """Version of the dataset that an event refers to, as the storage layer counts it.

        Integrations with versioned storage such as Iceberg or Delta Lake emit it; readers use
        it to tell which snapshot went into a result and to reproduce it. Extra keys may be
        added next to the version.

        Args:
            dataset_version: Version in the storage system's own notation, such as a snapshot
                id or commit number.
        """
        return self._compose(
            "facets", "dataset_version_dataset:DatasetVersionDatasetFacet", dataset_version=dataset_version
        )


class InputDatasetBuilder(DatasetBuilder):
    """Builds the InputDataset of an event, facet by facet."""

    __entity__: ClassVar[str] = "open_lineage:InputDataset"
    __containers__: ClassVar[Mapping[str, str]] = {
        "facets": "DatasetFacets",
        "input_facets": "InputDatasetFacets",
    }

    def data_quality_assertions(
        self,
        *,
        assertions: Iterable[data_quality_assertions_dataset_Assertion | Mapping[str, Any]],
    ) -> Self:
        """Outcome of each data quality test that a run executed against this input dataset.

        Test tools such as dbt or Great Expectations emit it; catalogs and alerting read it to
        show which checks a dataset passes and when it began to fail.

        Args:
            assertions: Every test the run evaluated on this dataset, one entry per test.
        """
        return self._compose(
            "input_facets",
            "data_quality_assertions_dataset:DataQualityAssertionsDatasetFacet",
            assertions=assertions,
        )

    def input_data_quality_metrics(
        self,
        *,
        column_metrics: Mapping[str, data_quality_metrics_input_dataset_ColumnMetrics | Mapping[str, Any]],
        row_count: int | None = None,
        bytes: int | None = None,
        file_count: int | None = None,
        last_updated: datetime | str | None = None,
    ) -> Self:
        """Statistics that a run measured on one of its inputs, valid for the data it read.

        Quality tools such as Great Expectations emit it; observability tools compare the
        numbers from run to run. Statistics not tied to a run's input belong in
        `DataQualityMetricsDatasetFacet`.

        Args:
            column_metrics: Statistics per column, keyed by column name as in the `schema`
                facet.
            row_count: Number of rows that were profiled.
            bytes: Volume of the profiled data in bytes.
            file_count: Number of files that the profiled data is spread over.
            last_updated: Moment of the most recent change to the dataset, as an RFC 3339
                timestamp with UTC offset.
        """
        return self._compose(
            "input_facets",
            "data_quality_metrics_input_dataset:DataQualityMetricsInputDatasetFacet",
            column_metrics=column_metrics,
            row_count=row_count,
            bytes=bytes,
            file_count=file_count,
            last_updated=last_updated,
        )

    def iceberg_scan_report(
        self,
        *,
        snapshot_id: int | float | None = None,
        filter_description: str | None = None,
        schema_id: int | float | None = None,
        projected_field_names: Iterable[str] | None = None,
        scan_metrics: iceberg_scan_report_input_dataset_ScanMetrics | Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Self:
        """What Iceberg reported about planning the scan of an input table.

        It names the snapshot, the filter and the columns, and counts what was read and what
        was pruned. Engines with an Iceberg metrics reporter, such as Spark, emit it;
        engineers read it to judge partitioning and table upkeep.

        Args:
            snapshot_id: Id of the table snapshot that was scanned, a 64-bit integer.
            filter_description: Row filter of the scan in Iceberg's expression notation, for
                human readers.
            schema_id: Id of the table schema that the scan used, as numbered in the table's
                metadata.
            projected_field_names: Columns that the scan asked for, nested ones with dots.
            scan_metrics: Counters of the scan planning: what was considered, kept and pruned.
            metadata: Further facts about the scan by name, such as `engine-name`,
                `engine-version` and `iceberg-version`.
        """
        return self._compose(
            "input_facets",
            "iceberg_scan_report_input_dataset:IcebergScanReportInputDatasetFacet",
            snapshot_id=snapshot_id,
            filter_description=filter_description,
            schema_id=schema_id,
            projected_field_names=projected_field_names,
            scan_metrics=scan_metrics,
            metadata=metadata,
        )

    def input_statistics(
        self,
        *,
        row_count: int | None = None,
        size: int | None = None,
        file_count: int | None = None,
    ) -> Self:
        """Counts what a run read from one input dataset.

        Engines emit it with their metrics, mostly on the last event of a run; monitoring
        compares it from run to run and with the statistics of the outputs. An absent count is
        unknown, a zero means nothing was read.

        Args:
            row_count: Rows the run read from the dataset.
            size: Bytes the run read from the dataset.
            file_count: Files of the dataset that the run read.
        """
        return self._compose(
            "input_facets",
            "input_statistics_input_dataset:InputStatisticsInputDatasetFacet",
            row_count=row_count,
            size=size,
            file_count=file_count,
        )

    def subset(
        self,
        *,
        input_condition: base_subset_dataset_LocationSubsetCondition
        | base_subset_dataset_PartitionSubsetCondition
        | base_subset_dataset_BinarySubsetCondition
        | base_subset_dataset_CompareSubsetCondition
        | Mapping[str, Any],
    ) -> Self:
        """States which part of an input dataset a run read.

        An engine that prunes partitions or lists paths emits it; backends use it to tell
        whether a change upstream concerns this run.

        Args:
            input_condition: Condition that describes the part this run read.
        """
        return self._compose(
            "input_facets",
            "base_subset_dataset:InputSubsetInputDatasetFacet",
            input_condition=input_condition,
        )


class OutputDatasetBuilder(DatasetBuilder):
    """Builds the OutputDataset of an event, facet by facet."""

    __entity__: ClassVar[str] = "open_lineage:OutputDataset"
    __containers__: ClassVar[Mapping[str, str]] = {
        "facets": "DatasetFacets",
        "output_facets": "OutputDatasetFacets",
    }

    def iceberg_commit_report(
        self,
        *,
        snapshot_id: int | float | None = None,
        sequence_number: int | float | None = None,
        operation: str | None = None,
        commit_metrics: iceberg_commit_report_output_dataset_CommitMetrics | Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Self:
        """What Iceberg reported about one commit to an output table.

        It names the new snapshot and the kind of change, and counts what was added and
        removed. Engines with an Iceberg metrics reporter, such as Spark, emit it; engineers
        read it to follow table growth and commit conflicts.

        Args:
            snapshot_id: Id of the snapshot that the commit created, a 64-bit integer.
            sequence_number: Number of the commit in the table's history, one higher with
                every commit.
            operation: Kind of change that the commit made.
            commit_metrics: Counters of the commit: what it added and removed, and what the
                table holds afterwards.
            metadata: Further facts about the commit by name, such as `engine-name`,
                `engine-version` and `iceberg-version`.
        """
        return self._compose(
            "output_facets",
            "iceberg_commit_report_output_dataset:IcebergCommitReportOutputDatasetFacet",
            snapshot_id=snapshot_id,
            sequence_number=sequence_number,
            operation=operation,
            commit_metrics=commit_metrics,
            metadata=metadata,
        )

    def output_statistics(
        self,
        *,
        row_count: int | None = None,
        size: int | None = None,
        file_count: int | None = None,
    ) -> Self:
        """Counts what a run wrote to one output dataset.

        Engines emit it with their metrics, mostly on the last event of a run; monitoring
        alerts on a sudden drop or on empty results. An absent count is unknown, a zero means
        nothing was written.

        Args:
            row_count: Rows the run wrote.
            size: Bytes the run wrote.
            file_count: Files the run wrote to the dataset.
        """
        return self._compose(
            "output_facets",
            "output_statistics_output_dataset:OutputStatisticsOutputDatasetFacet",
            row_count=row_count,
            size=size,
            file_count=file_count,
        )

    def subset(
        self,
        *,
        output_condition: base_subset_dataset_LocationSubsetCondition
        | base_subset_dataset_PartitionSubsetCondition
        | base_subset_dataset_BinarySubsetCondition
        | base_subset_dataset_CompareSubsetCondition
        | Mapping[str, Any],
    ) -> Self:
        """States which part of an output dataset a run wrote.

        An engine that fills single partitions or directories emits it; backends use it to
        tell which part is fresh and which readers are affected.

        Args:
            output_condition: Condition that describes the part this run wrote.
        """
        return self._compose(
            "output_facets",
            "base_subset_dataset:OutputSubsetOutputDatasetFacet",
            output_condition=output_condition,
        )


class StaticDatasetBuilder(DatasetBuilder):
    """Builds the StaticDataset of an event, facet by facet."""

    __entity__: ClassVar[str] = "open_lineage:StaticDataset"
    __containers__: ClassVar[Mapping[str, str]] = {"facets": "DatasetFacets"}
