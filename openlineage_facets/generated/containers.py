# Generated from every schema of the spec folder by `make regen`.
# Do not edit: change the schema and generate again.
"""The typed facet containers of runs, jobs and datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from openlineage_facets.base.containers import FacetMap, FacetSlot

if TYPE_CHECKING:
    from openlineage_facets.generated.base_subset_dataset import (
        InputSubsetInputDatasetFacet,
        OutputSubsetOutputDatasetFacet,
    )
    from openlineage_facets.generated.catalog_dataset import CatalogDatasetFacet
    from openlineage_facets.generated.column_lineage_dataset import ColumnLineageDatasetFacet
    from openlineage_facets.generated.data_quality_assertions_dataset import DataQualityAssertionsDatasetFacet
    from openlineage_facets.generated.data_quality_metrics_dataset import DataQualityMetricsDatasetFacet
    from openlineage_facets.generated.data_quality_metrics_input_dataset import (
        DataQualityMetricsInputDatasetFacet,
    )
    from openlineage_facets.generated.dataset_type_dataset import DatasetTypeDatasetFacet
    from openlineage_facets.generated.dataset_version_dataset import DatasetVersionDatasetFacet
    from openlineage_facets.generated.datasource_dataset import DatasourceDatasetFacet
    from openlineage_facets.generated.documentation_dataset import DocumentationDatasetFacet
    from openlineage_facets.generated.documentation_job import DocumentationJobFacet
    from openlineage_facets.generated.environment_variables_run import EnvironmentVariablesRunFacet
    from openlineage_facets.generated.error_message_run import ErrorMessageRunFacet
    from openlineage_facets.generated.execution_parameters_run import ExecutionParametersRunFacet
    from openlineage_facets.generated.external_query_run import ExternalQueryRunFacet
    from openlineage_facets.generated.extraction_error_run import ExtractionErrorRunFacet
    from openlineage_facets.generated.gcp_composer_job import GcpComposerJobFacet
    from openlineage_facets.generated.gcp_composer_run import GcpComposerRunFacet
    from openlineage_facets.generated.gcp_dataproc_run import GcpDataprocRunFacet
    from openlineage_facets.generated.gcp_lineage_job import GcpLineageJobFacet
    from openlineage_facets.generated.hierarchy_dataset import HierarchyDatasetFacet
    from openlineage_facets.generated.iceberg_commit_report_output_dataset import (
        IcebergCommitReportOutputDatasetFacet,
    )
    from openlineage_facets.generated.iceberg_scan_report_input_dataset import (
        IcebergScanReportInputDatasetFacet,
    )
    from openlineage_facets.generated.input_statistics_input_dataset import InputStatisticsInputDatasetFacet
    from openlineage_facets.generated.job_dependencies_run import JobDependenciesRunFacet
    from openlineage_facets.generated.job_type_job import JobTypeJobFacet
    from openlineage_facets.generated.lifecycle_state_change_dataset import LifecycleStateChangeDatasetFacet
    from openlineage_facets.generated.lineage import LineageDatasetFacet, LineageJobFacet
    from openlineage_facets.generated.nominal_time_run import NominalTimeRunFacet
    from openlineage_facets.generated.open_lineage import (
        DatasetFacet,
        InputDatasetFacet,
        JobFacet,
        OutputDatasetFacet,
        RunFacet,
    )
    from openlineage_facets.generated.output_statistics_output_dataset import (
        OutputStatisticsOutputDatasetFacet,
    )
    from openlineage_facets.generated.ownership_dataset import OwnershipDatasetFacet
    from openlineage_facets.generated.ownership_job import OwnershipJobFacet
    from openlineage_facets.generated.parent_run import ParentRunFacet
    from openlineage_facets.generated.processing_engine_run import ProcessingEngineRunFacet
    from openlineage_facets.generated.schema_dataset import SchemaDatasetFacet
    from openlineage_facets.generated.source_code_job import SourceCodeJobFacet
    from openlineage_facets.generated.source_code_location_job import SourceCodeLocationJobFacet
    from openlineage_facets.generated.sql_job import SQLJobFacet
    from openlineage_facets.generated.storage_dataset import StorageDatasetFacet
    from openlineage_facets.generated.symlinks_dataset import SymlinksDatasetFacet
    from openlineage_facets.generated.tag import TagDatasetFacet, TagJobFacet, TagRunFacet
    from openlineage_facets.generated.tags_dataset import TagsDatasetFacet
    from openlineage_facets.generated.tags_job import TagsJobFacet
    from openlineage_facets.generated.tags_run import TagsRunFacet
    from openlineage_facets.generated.test_run import TestRunFacet


class RunFacets(FacetMap["RunFacet"]):
    """The facets under `Run.facets`."""

    __slots__ = ()
    __base_facet__: ClassVar[str] = "open_lineage:RunFacet"

    environment_variables: FacetSlot[EnvironmentVariablesRunFacet] = FacetSlot(
        "environmentVariables", "environment_variables_run:EnvironmentVariablesRunFacet"
    )
    """Environment variables that were set while the run executed.

    A client emits the ones it was configured to collect; people read them to compare a run
    with another one or to see where it was deployed.
    """

    error_message: FacetSlot[ErrorMessageRunFacet] = FacetSlot(
        "errorMessage", "error_message_run:ErrorMessageRunFacet"
    )
    """Error raised by the observed job, normally attached to the event that reports the run as
    failed.

    Integrations emit it from the exception they caught; people on call read it to find the
    cause. Trouble in collecting the lineage itself goes in `ExtractionErrorRunFacet`.
    """

    execution_parameters: FacetSlot[ExecutionParametersRunFacet] = FacetSlot(
        "executionParameters", "execution_parameters_run:ExecutionParametersRunFacet"
    )
    """Arguments and settings handed to the job for one particular run.

    Schedulers and engines emit it at the start; people read it to see how two runs of a job
    differ or to start one again alike.
    """

    external_query: FacetSlot[ExternalQueryRunFacet] = FacetSlot(
        "externalQuery", "external_query_run:ExternalQueryRunFacet"
    )
    """Pointer to the query a run submitted to an external system such as BigQuery, Snowflake or
    Athena.

    Orchestrator integrations emit it once the system has returned an id; readers use it to
    look up the query's cost, plan and logs there.
    """

    extraction_error: FacetSlot[ExtractionErrorRunFacet] = FacetSlot(
        "extractionError", "extraction_error_run:ExtractionErrorRunFacet"
    )
    """Report that some parts of a run yielded no lineage, although the run itself may be fine.

    Integrations emit it, typically when a SQL statement cannot be parsed; readers learn from
    it that the inputs and outputs may be incomplete.
    """

    gcp_composer_run: FacetSlot[GcpComposerRunFacet] = FacetSlot(
        "gcp_composer_run", "gcp_composer_run:GcpComposerRunFacet"
    )
    """The Airflow DAG run, in a Cloud Composer environment, that a run belongs to.

    Cloud Composer emits it for DAGs and tasks; readers combine it with the job's
    `gcp_composer_job` facet to find the DAG run in the Airflow UI.
    """

    gcp_dataproc: FacetSlot[GcpDataprocRunFacet] = FacetSlot(
        "gcp_dataproc", "gcp_dataproc_run:GcpDataprocRunFacet"
    )
    """The Dataproc workload that executed a run: a job on a cluster, a serverless batch or a
    session.

    The Spark integration emits it on Dataproc; readers use the ids to open the workload in
    the Cloud console or to find its logs. Of the cluster, batch and session properties, only
    those of one kind are set.
    """

    job_dependencies: FacetSlot[JobDependenciesRunFacet] = FacetSlot(
        "jobDependencies", "job_dependencies_run:JobDependenciesRunFacet"
    )
    """Lists the jobs directly before and after a run in the control flow.

    Orchestrators emit it; backends use it to explain why a run waited or was skipped and to
    foresee what a delay holds up.
    """

    nominal_time: FacetSlot[NominalTimeRunFacet] = FacetSlot(
        "nominalTime", "nominal_time_run:NominalTimeRunFacet"
    )
    """Period that a scheduled run stands for, according to its schedule.

    Schedulers such as Airflow emit it; readers compare it with the event times to spot late
    runs and use it to tell which day or hour a backfill belongs to.
    """

    parent: FacetSlot[ParentRunFacet] = FacetSlot("parent", "parent_run:ParentRunFacet")
    """Links a run to the run that started it, as a task to its DAG run or a Spark job to its
    task.

    The child emits it, with identifiers its starter handed down; backends build the tree of
    runs from it. Leave it out when no other run started this one.
    """

    processing_engine: FacetSlot[ProcessingEngineRunFacet] = FacetSlot(
        "processing_engine", "processing_engine_run:ProcessingEngineRunFacet"
    )
    """Engine and integration behind a run, with their versions.

    Integrations for Spark, Airflow, Flink and others emit it; readers use it to find runs on
    outdated versions and to explain differences in lineage quality.
    """

    tags: FacetSlot[TagsRunFacet | TagRunFacet] = FacetSlot(
        "tags", "tags_run:TagsRunFacet", {"TagFacet.json": "tag:TagRunFacet"}
    )
    """Labels on one run, such as an environment, a release or the mark of a manual start.

    They may differ from run to run, unlike the tags of the job; integrations and users supply
    them, and readers filter runs by them.
    """

    test: FacetSlot[TestRunFacet] = FacetSlot("test", "test_run:TestRunFacet")
    """Outcomes of the tests that one run executed, whichever datasets they looked at.

    Test tools such as dbt emit it with the run; quality dashboards and alerts read it.
    Results tied to one input dataset go in the `dataQualityAssertions` facet.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            facets: Iterable[RunFacet] | Mapping[str, RunFacet] = (),
            /,
            *,
            environment_variables: EnvironmentVariablesRunFacet | None = None,
            error_message: ErrorMessageRunFacet | None = None,
            execution_parameters: ExecutionParametersRunFacet | None = None,
            external_query: ExternalQueryRunFacet | None = None,
            extraction_error: ExtractionErrorRunFacet | None = None,
            gcp_composer_run: GcpComposerRunFacet | None = None,
            gcp_dataproc: GcpDataprocRunFacet | None = None,
            job_dependencies: JobDependenciesRunFacet | None = None,
            nominal_time: NominalTimeRunFacet | None = None,
            parent: ParentRunFacet | None = None,
            processing_engine: ProcessingEngineRunFacet | None = None,
            tags: TagsRunFacet | TagRunFacet | None = None,
            test: TestRunFacet | None = None,
        ) -> None: ...


class JobFacets(FacetMap["JobFacet"]):
    """The facets under `Job.facets`."""

    __slots__ = ()
    __base_facet__: ClassVar[str] = "open_lineage:JobFacet"

    documentation: FacetSlot[DocumentationJobFacet] = FacetSlot(
        "documentation", "documentation_job:DocumentationJobFacet"
    )
    """Text that explains to people what a job does and why.

    Schedulers and integrations forward it from places such as an Airflow DAG's description;
    catalogs display it on the job's page.
    """

    gcp_composer_job: FacetSlot[GcpComposerJobFacet] = FacetSlot(
        "gcp_composer_job", "gcp_composer_job:GcpComposerJobFacet"
    )
    """The Airflow DAG or task, and the Cloud Composer environment it lives in, that a job stands
    for.

    Cloud Composer emits it; readers use it to link the job to its DAG and to see which
    versions it runs on.
    """

    gcp_lineage: FacetSlot[GcpLineageJobFacet] = FacetSlot(
        "gcp_lineage", "gcp_lineage_job:GcpLineageJobFacet"
    )
    """Display name and origin of a job for the lineage service of Google Cloud.

    Dataproc and Cloud Composer emit it; the service turns the job into a lineage process with
    this name and origin.
    """

    job_type: FacetSlot[JobTypeJobFacet] = FacetSlot("jobType", "job_type_job:JobTypeJobFacet")
    """Classifies a job by processing style, by integration and by its role there.

    Integrations emit it with every job; backends use it to pick an icon, to tell a DAG from
    its tasks and to know whether a run is ever going to end.
    """

    lineage: FacetSlot[LineageJobFacet] = FacetSlot("lineage", "lineage:LineageJobFacet")
    """States which sources feed which targets in a job, edge by edge.

    On a `JobEvent` it declares the job's design, on a `RunEvent` it reports what that run
    did. It helps where not every input of the job feeds every output.
    """

    ownership: FacetSlot[OwnershipJobFacet] = FacetSlot("ownership", "ownership_job:OwnershipJobFacet")
    """People, teams or applications responsible for a job.

    Schedulers and integrations take it from the owner configured on the job, such as the
    owner of an Airflow DAG; catalogs and alerting use it to route failures.
    """

    source_code: FacetSlot[SourceCodeJobFacet] = FacetSlot("sourceCode", "source_code_job:SourceCodeJobFacet")
    """The program text that a job runs, together with its language.

    Integrations that can see the code, such as a Bash command or a Python callable, attach it
    to the job, and lineage viewers show it. Code may hold secrets, so send it only where its
    readers may see it; SQL belongs in the `sql` facet, a link to a repository in
    `sourceCodeLocation`.
    """

    source_code_location: FacetSlot[SourceCodeLocationJobFacet] = FacetSlot(
        "sourceCodeLocation", "source_code_location_job:SourceCodeLocationJobFacet"
    )
    """Where the code of a job is kept in version control, and which revision of it was deployed.

    Schedulers and CI pipelines attach it to the job; readers follow the link, or compare
    `version` between a good and a bad run to see whether the code changed.
    """

    sql: FacetSlot[SQLJobFacet] = FacetSlot("sql", "sql_job:SQLJobFacet")
    """SQL text behind a job.

    Integrations for databases, dbt, Spark SQL and orchestrators emit it; catalogs display it,
    and lineage tools parse it to derive tables and columns.
    """

    tags: FacetSlot[TagsJobFacet | TagJobFacet] = FacetSlot(
        "tags", "tags_job:TagsJobFacet", {"TagFacet.json": "tag:TagJobFacet"}
    )
    """Labels on a job, such as its team, environment or alert channel, the same for every run.

    Schedulers, integrations and users supply them; catalogs filter by them and automation
    acts on them.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            facets: Iterable[JobFacet] | Mapping[str, JobFacet] = (),
            /,
            *,
            documentation: DocumentationJobFacet | None = None,
            gcp_composer_job: GcpComposerJobFacet | None = None,
            gcp_lineage: GcpLineageJobFacet | None = None,
            job_type: JobTypeJobFacet | None = None,
            lineage: LineageJobFacet | None = None,
            ownership: OwnershipJobFacet | None = None,
            source_code: SourceCodeJobFacet | None = None,
            source_code_location: SourceCodeLocationJobFacet | None = None,
            sql: SQLJobFacet | None = None,
            tags: TagsJobFacet | TagJobFacet | None = None,
        ) -> None: ...


class DatasetFacets(FacetMap["DatasetFacet"]):
    """The facets under `Dataset.facets`."""

    __slots__ = ()
    __base_facet__: ClassVar[str] = "open_lineage:DatasetFacet"

    catalog: FacetSlot[CatalogDatasetFacet] = FacetSlot("catalog", "catalog_dataset:CatalogDatasetFacet")
    """Names the catalog through which a job found the dataset, and how to reach it.

    Engines with pluggable catalogs (Spark, Flink) emit it; backends and catalog vendors use
    it to match the dataset with the entry in that catalog.
    """

    column_lineage: FacetSlot[ColumnLineageDatasetFacet] = FacetSlot(
        "columnLineage", "column_lineage_dataset:ColumnLineageDatasetFacet"
    )
    """Records, for an output dataset, which input columns each of its columns is made from.

    SQL parsers and engines that see the query plan emit it; backends draw column graphs,
    trace personal data and find what a column change breaks.
    """

    data_quality_metrics: FacetSlot[DataQualityMetricsDatasetFacet] = FacetSlot(
        "dataQualityMetrics", "data_quality_metrics_dataset:DataQualityMetricsDatasetFacet"
    )
    """Statistics about the content of a dataset, independent of whether a run reads or writes
    it.

    Profilers and quality tools emit it; observability tools plot the numbers over time to
    detect drift. For what one run measured on its input, use
    `DataQualityMetricsInputDatasetFacet`.
    """

    data_source: FacetSlot[DatasourceDatasetFacet] = FacetSlot(
        "dataSource", "datasource_dataset:DatasourceDatasetFacet"
    )
    """Database, cluster or bucket in which the dataset lives.

    Integrations fill it from the connection they used; catalogs use it to group datasets by
    system and to show where they are hosted.
    """

    dataset_type: FacetSlot[DatasetTypeDatasetFacet] = FacetSlot(
        "datasetType", "dataset_type_dataset:DatasetTypeDatasetFacet"
    )
    """Classification of a dataset by the kind of object behind its name.

    Integrations emit it for whatever they read or write; catalogs use it to pick icons and
    filters, and to tell a view from the tables beneath it.
    """

    documentation: FacetSlot[DocumentationDatasetFacet] = FacetSlot(
        "documentation", "documentation_dataset:DocumentationDatasetFacet"
    )
    """Text that explains to people what a dataset contains and how to use it.

    Integrations forward it from table comments, dbt model descriptions and the like; catalogs
    display it on the dataset's page.
    """

    hierarchy: FacetSlot[HierarchyDatasetFacet] = FacetSlot(
        "hierarchy", "hierarchy_dataset:HierarchyDatasetFacet"
    )
    """Spells out where a dataset sits in the containers of its source system.

    Database integrations emit it; backends use it to show a browsable tree without splitting
    the dataset name, whose format differs from system to system.
    """

    lifecycle_state_change: FacetSlot[LifecycleStateChangeDatasetFacet] = FacetSlot(
        "lifecycleStateChange", "lifecycle_state_change_dataset:LifecycleStateChangeDatasetFacet"
    )
    """Marks that an operation changed the dataset as such and not just its rows.

    Engines emit it for DDL statements and overwriting writes; backends use it to add, retire
    or rename the dataset and to start a new version of it.
    """

    lineage: FacetSlot[LineageDatasetFacet] = FacetSlot("lineage", "lineage:LineageDatasetFacet")
    """States which datasets and jobs feed the dataset that carries it, as a whole or column by
    column.

    Catalogs and view definitions emit it to declare lineage without a run; backends add the
    edges to their graph.
    """

    ownership: FacetSlot[OwnershipDatasetFacet] = FacetSlot(
        "ownership", "ownership_dataset:OwnershipDatasetFacet"
    )
    """People, teams or applications responsible for a dataset.

    Integrations take it from the owners recorded in the tool that manages the dataset;
    catalogs and alerting use it to route questions about the data.
    """

    schema: FacetSlot[SchemaDatasetFacet] = FacetSlot("schema", "schema_dataset:SchemaDatasetFacet")
    """Structure of a dataset: its columns in the state an event observed them.

    Almost all integrations emit it; catalogs display it and compare it between events to
    detect schema changes.
    """

    storage: FacetSlot[StorageDatasetFacet] = FacetSlot("storage", "storage_dataset:StorageDatasetFacet")
    """How a dataset is stored: its table format and the format of its files.

    Engines that read or write lake tables attach it to inputs and outputs; catalogs use it to
    tell managed tables from plain files. Further properties are allowed.
    """

    symlinks: FacetSlot[SymlinksDatasetFacet] = FacetSlot("symlinks", "symlinks_dataset:SymlinksDatasetFacet")
    """Other names under which one and the same dataset is known.

    An engine that knows both the storage path and the catalog table of a dataset names it by
    one and lists the other here; lineage backends join the names into a single node.
    """

    tags: FacetSlot[TagsDatasetFacet | TagDatasetFacet] = FacetSlot(
        "tags", "tags_dataset:TagsDatasetFacet", {"TagFacet.json": "tag:TagDatasetFacet"}
    )
    """Labels that people or tools put on a dataset or its columns, such as sensitivity or owner
    team.

    Catalog and warehouse integrations emit them; governance tools search and enforce rules by
    them.
    """

    version: FacetSlot[DatasetVersionDatasetFacet] = FacetSlot(
        "version", "dataset_version_dataset:DatasetVersionDatasetFacet"
    )
    """Version of the dataset that an event refers to, as the storage layer counts it.

    Integrations with versioned storage such as Iceberg or Delta Lake emit it; readers use it
    to tell which snapshot went into a result and to reproduce it. Extra keys may be added
    next to the version.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            facets: Iterable[DatasetFacet] | Mapping[str, DatasetFacet] = (),
            /,
            *,
            catalog: CatalogDatasetFacet | None = None,
            column_lineage: ColumnLineageDatasetFacet | None = None,
            data_quality_metrics: DataQualityMetricsDatasetFacet | None = None,
            data_source: DatasourceDatasetFacet | None = None,
            dataset_type: DatasetTypeDatasetFacet | None = None,
            documentation: DocumentationDatasetFacet | None = None,
            hierarchy: HierarchyDatasetFacet | None = None,
            lifecycle_state_change: LifecycleStateChangeDatasetFacet | None = None,
            lineage: LineageDatasetFacet | None = None,
            ownership: OwnershipDatasetFacet | None = None,
            schema: SchemaDatasetFacet | None = None,
            storage: StorageDatasetFacet | None = None,
            symlinks: SymlinksDatasetFacet | None = None,
            tags: TagsDatasetFacet | TagDatasetFacet | None = None,
            version: DatasetVersionDatasetFacet | None = None,
        ) -> None: ...


class InputDatasetFacets(FacetMap["InputDatasetFacet"]):
    """The facets under `InputDataset.inputFacets`."""

    __slots__ = ()
    __base_facet__: ClassVar[str] = "open_lineage:InputDatasetFacet"

    data_quality_assertions: FacetSlot[DataQualityAssertionsDatasetFacet] = FacetSlot(
        "dataQualityAssertions", "data_quality_assertions_dataset:DataQualityAssertionsDatasetFacet"
    )
    """Outcome of each data quality test that a run executed against this input dataset.

    Test tools such as dbt or Great Expectations emit it; catalogs and alerting read it to
    show which checks a dataset passes and when it began to fail.
    """

    data_quality_metrics: FacetSlot[DataQualityMetricsInputDatasetFacet] = FacetSlot(
        "dataQualityMetrics", "data_quality_metrics_input_dataset:DataQualityMetricsInputDatasetFacet"
    )
    """Statistics that a run measured on one of its inputs, valid for the data it read.

    Quality tools such as Great Expectations emit it; observability tools compare the numbers
    from run to run. Statistics not tied to a run's input belong in
    `DataQualityMetricsDatasetFacet`.
    """

    iceberg_scan_report: FacetSlot[IcebergScanReportInputDatasetFacet] = FacetSlot(
        "icebergScanReport", "iceberg_scan_report_input_dataset:IcebergScanReportInputDatasetFacet"
    )
    """What Iceberg reported about planning the scan of an input table.

    It names the snapshot, the filter and the columns, and counts what was read and what was
    pruned. Engines with an Iceberg metrics reporter, such as Spark, emit it; engineers read
    it to judge partitioning and table upkeep.
    """

    input_statistics: FacetSlot[InputStatisticsInputDatasetFacet] = FacetSlot(
        "inputStatistics", "input_statistics_input_dataset:InputStatisticsInputDatasetFacet"
    )
    """Counts what a run read from one input dataset.

    Engines emit it with their metrics, mostly on the last event of a run; monitoring compares
    it from run to run and with the statistics of the outputs. An absent count is unknown, a
    zero means nothing was read.
    """

    subset: FacetSlot[InputSubsetInputDatasetFacet] = FacetSlot(
        "subset", "base_subset_dataset:InputSubsetInputDatasetFacet"
    )
    """States which part of an input dataset a run read.

    An engine that prunes partitions or lists paths emits it; backends use it to tell whether
    a change upstream concerns this run.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            facets: Iterable[InputDatasetFacet] | Mapping[str, InputDatasetFacet] = (),
            /,
            *,
            data_quality_assertions: DataQualityAssertionsDatasetFacet | None = None,
            data_quality_metrics: DataQualityMetricsInputDatasetFacet | None = None,
            iceberg_scan_report: IcebergScanReportInputDatasetFacet | None = None,
            input_statistics: InputStatisticsInputDatasetFacet | None = None,
            subset: InputSubsetInputDatasetFacet | None = None,
        ) -> None: ...


class OutputDatasetFacets(FacetMap["OutputDatasetFacet"]):
    """The facets under `OutputDataset.outputFacets`."""

    __slots__ = ()
    __base_facet__: ClassVar[str] = "open_lineage:OutputDatasetFacet"

    iceberg_commit_report: FacetSlot[IcebergCommitReportOutputDatasetFacet] = FacetSlot(
        "icebergCommitReport", "iceberg_commit_report_output_dataset:IcebergCommitReportOutputDatasetFacet"
    )
    """What Iceberg reported about one commit to an output table.

    It names the new snapshot and the kind of change, and counts what was added and removed.
    Engines with an Iceberg metrics reporter, such as Spark, emit it; engineers read it to
    follow table growth and commit conflicts.
    """

    output_statistics: FacetSlot[OutputStatisticsOutputDatasetFacet] = FacetSlot(
        "outputStatistics", "output_statistics_output_dataset:OutputStatisticsOutputDatasetFacet"
    )
    """Counts what a run wrote to one output dataset.

    Engines emit it with their metrics, mostly on the last event of a run; monitoring alerts
    on a sudden drop or on empty results. An absent count is unknown, a zero means nothing was
    written.
    """

    subset: FacetSlot[OutputSubsetOutputDatasetFacet] = FacetSlot(
        "subset", "base_subset_dataset:OutputSubsetOutputDatasetFacet"
    )
    """States which part of an output dataset a run wrote.

    An engine that fills single partitions or directories emits it; backends use it to tell
    which part is fresh and which readers are affected.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            facets: Iterable[OutputDatasetFacet] | Mapping[str, OutputDatasetFacet] = (),
            /,
            *,
            iceberg_commit_report: IcebergCommitReportOutputDatasetFacet | None = None,
            output_statistics: OutputStatisticsOutputDatasetFacet | None = None,
            subset: OutputSubsetOutputDatasetFacet | None = None,
        ) -> None: ...
