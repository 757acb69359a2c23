# Generated from every schema of the spec folder by `make regen`.
# Do not edit: change the schema and generate again.
"""The generated classes: the core, every facet, and a module for each schema file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openlineage_facets.base.lazy import load_export

if TYPE_CHECKING:
    from openlineage_facets.generated import base_subset_dataset as base_subset_dataset
    from openlineage_facets.generated import catalog_dataset as catalog_dataset
    from openlineage_facets.generated import column_lineage_dataset as column_lineage_dataset
    from openlineage_facets.generated import (
        data_quality_assertions_dataset as data_quality_assertions_dataset,
    )
    from openlineage_facets.generated import data_quality_metrics_dataset as data_quality_metrics_dataset
    from openlineage_facets.generated import (
        data_quality_metrics_input_dataset as data_quality_metrics_input_dataset,
    )
    from openlineage_facets.generated import dataset_type_dataset as dataset_type_dataset
    from openlineage_facets.generated import dataset_version_dataset as dataset_version_dataset
    from openlineage_facets.generated import datasource_dataset as datasource_dataset
    from openlineage_facets.generated import documentation_dataset as documentation_dataset
    from openlineage_facets.generated import documentation_job as documentation_job
    from openlineage_facets.generated import environment_variables_run as environment_variables_run
    from openlineage_facets.generated import error_message_run as error_message_run
    from openlineage_facets.generated import execution_parameters_run as execution_parameters_run
    from openlineage_facets.generated import external_query_run as external_query_run
    from openlineage_facets.generated import extraction_error_run as extraction_error_run
    from openlineage_facets.generated import gcp_composer_job as gcp_composer_job
    from openlineage_facets.generated import gcp_composer_run as gcp_composer_run
    from openlineage_facets.generated import gcp_dataproc_run as gcp_dataproc_run
    from openlineage_facets.generated import gcp_lineage_job as gcp_lineage_job
    from openlineage_facets.generated import hierarchy_dataset as hierarchy_dataset
    from openlineage_facets.generated import (
        iceberg_commit_report_output_dataset as iceberg_commit_report_output_dataset,
    )
    from openlineage_facets.generated import (
        iceberg_scan_report_input_dataset as iceberg_scan_report_input_dataset,
    )
    from openlineage_facets.generated import input_statistics_input_dataset as input_statistics_input_dataset
    from openlineage_facets.generated import job_dependencies_run as job_dependencies_run
    from openlineage_facets.generated import job_type_job as job_type_job
    from openlineage_facets.generated import lifecycle_state_change_dataset as lifecycle_state_change_dataset
    from openlineage_facets.generated import lineage as lineage
    from openlineage_facets.generated import nominal_time_run as nominal_time_run
    from openlineage_facets.generated import open_lineage as open_lineage
    from openlineage_facets.generated import (
        output_statistics_output_dataset as output_statistics_output_dataset,
    )
    from openlineage_facets.generated import ownership_dataset as ownership_dataset
    from openlineage_facets.generated import ownership_job as ownership_job
    from openlineage_facets.generated import parent_run as parent_run
    from openlineage_facets.generated import processing_engine_run as processing_engine_run
    from openlineage_facets.generated import schema_dataset as schema_dataset
    from openlineage_facets.generated import source_code_job as source_code_job
    from openlineage_facets.generated import source_code_location_job as source_code_location_job
    from openlineage_facets.generated import sql_job as sql_job
    from openlineage_facets.generated import storage_dataset as storage_dataset
    from openlineage_facets.generated import symlinks_dataset as symlinks_dataset
    from openlineage_facets.generated import tag as tag
    from openlineage_facets.generated import tags_dataset as tags_dataset
    from openlineage_facets.generated import tags_job as tags_job
    from openlineage_facets.generated import tags_run as tags_run
    from openlineage_facets.generated import test_run as test_run
    from openlineage_facets.generated.base_subset_dataset import (
        InputSubsetInputDatasetFacet as InputSubsetInputDatasetFacet,
    )
    from openlineage_facets.generated.base_subset_dataset import (
        OutputSubsetOutputDatasetFacet as OutputSubsetOutputDatasetFacet,
    )
    from openlineage_facets.generated.catalog_dataset import CatalogDatasetFacet as CatalogDatasetFacet
    from openlineage_facets.generated.column_lineage_dataset import (
        ColumnLineageDatasetFacet as ColumnLineageDatasetFacet,
    )
    from openlineage_facets.generated.containers import DatasetFacets as DatasetFacets
    from openlineage_facets.generated.containers import InputDatasetFacets as InputDatasetFacets
    from openlineage_facets.generated.containers import JobFacets as JobFacets
    from openlineage_facets.generated.containers import OutputDatasetFacets as OutputDatasetFacets
    from openlineage_facets.generated.containers import RunFacets as RunFacets
    from openlineage_facets.generated.data_quality_assertions_dataset import (
        DataQualityAssertionsDatasetFacet as DataQualityAssertionsDatasetFacet,
    )
    from openlineage_facets.generated.data_quality_metrics_dataset import (
        DataQualityMetricsDatasetFacet as DataQualityMetricsDatasetFacet,
    )
    from openlineage_facets.generated.data_quality_metrics_input_dataset import (
        DataQualityMetricsInputDatasetFacet as DataQualityMetricsInputDatasetFacet,
    )
    from openlineage_facets.generated.dataset_type_dataset import (
        DatasetTypeDatasetFacet as DatasetTypeDatasetFacet,
    )
    from openlineage_facets.generated.dataset_version_dataset import (
        DatasetVersionDatasetFacet as DatasetVersionDatasetFacet,
    )
    from openlineage_facets.generated.datasource_dataset import (
        DatasourceDatasetFacet as DatasourceDatasetFacet,
    )
    from openlineage_facets.generated.documentation_dataset import (
        DocumentationDatasetFacet as DocumentationDatasetFacet,
    )
    from openlineage_facets.generated.documentation_job import DocumentationJobFacet as DocumentationJobFacet
    from openlineage_facets.generated.environment_variables_run import (
        EnvironmentVariablesRunFacet as EnvironmentVariablesRunFacet,
    )
    from openlineage_facets.generated.error_message_run import ErrorMessageRunFacet as ErrorMessageRunFacet
    from openlineage_facets.generated.execution_parameters_run import (
        ExecutionParametersRunFacet as ExecutionParametersRunFacet,
    )
    from openlineage_facets.generated.external_query_run import ExternalQueryRunFacet as ExternalQueryRunFacet
    from openlineage_facets.generated.extraction_error_run import (
        ExtractionErrorRunFacet as ExtractionErrorRunFacet,
    )
    from openlineage_facets.generated.gcp_composer_job import GcpComposerJobFacet as GcpComposerJobFacet
    from openlineage_facets.generated.gcp_composer_run import GcpComposerRunFacet as GcpComposerRunFacet
    from openlineage_facets.generated.gcp_dataproc_run import GcpDataprocRunFacet as GcpDataprocRunFacet
    from openlineage_facets.generated.gcp_lineage_job import GcpLineageJobFacet as GcpLineageJobFacet
    from openlineage_facets.generated.hierarchy_dataset import HierarchyDatasetFacet as HierarchyDatasetFacet
    from openlineage_facets.generated.iceberg_commit_report_output_dataset import (
        IcebergCommitReportOutputDatasetFacet as IcebergCommitReportOutputDatasetFacet,
    )
    from openlineage_facets.generated.iceberg_scan_report_input_dataset import (
        IcebergScanReportInputDatasetFacet as IcebergScanReportInputDatasetFacet,
    )
    from openlineage_facets.generated.input_statistics_input_dataset import (
        InputStatisticsInputDatasetFacet as InputStatisticsInputDatasetFacet,
    )
    from openlineage_facets.generated.job_dependencies_run import (
        JobDependenciesRunFacet as JobDependenciesRunFacet,
    )
    from openlineage_facets.generated.job_type_job import JobTypeJobFacet as JobTypeJobFacet
    from openlineage_facets.generated.lifecycle_state_change_dataset import (
        LifecycleStateChangeDatasetFacet as LifecycleStateChangeDatasetFacet,
    )
    from openlineage_facets.generated.lineage import LineageDatasetFacet as LineageDatasetFacet
    from openlineage_facets.generated.lineage import LineageJobFacet as LineageJobFacet
    from openlineage_facets.generated.nominal_time_run import NominalTimeRunFacet as NominalTimeRunFacet
    from openlineage_facets.generated.open_lineage import BaseEvent as BaseEvent
    from openlineage_facets.generated.open_lineage import BaseFacet as BaseFacet
    from openlineage_facets.generated.open_lineage import Dataset as Dataset
    from openlineage_facets.generated.open_lineage import DatasetEvent as DatasetEvent
    from openlineage_facets.generated.open_lineage import DatasetFacet as DatasetFacet
    from openlineage_facets.generated.open_lineage import EventType as EventType
    from openlineage_facets.generated.open_lineage import InputDataset as InputDataset
    from openlineage_facets.generated.open_lineage import InputDatasetFacet as InputDatasetFacet
    from openlineage_facets.generated.open_lineage import Job as Job
    from openlineage_facets.generated.open_lineage import JobEvent as JobEvent
    from openlineage_facets.generated.open_lineage import JobFacet as JobFacet
    from openlineage_facets.generated.open_lineage import OutputDataset as OutputDataset
    from openlineage_facets.generated.open_lineage import OutputDatasetFacet as OutputDatasetFacet
    from openlineage_facets.generated.open_lineage import Run as Run
    from openlineage_facets.generated.open_lineage import RunEvent as RunEvent
    from openlineage_facets.generated.open_lineage import RunFacet as RunFacet
    from openlineage_facets.generated.open_lineage import StaticDataset as StaticDataset
    from openlineage_facets.generated.output_statistics_output_dataset import (
        OutputStatisticsOutputDatasetFacet as OutputStatisticsOutputDatasetFacet,
    )
    from openlineage_facets.generated.ownership_dataset import OwnershipDatasetFacet as OwnershipDatasetFacet
    from openlineage_facets.generated.ownership_job import OwnershipJobFacet as OwnershipJobFacet
    from openlineage_facets.generated.parent_run import ParentRunFacet as ParentRunFacet
    from openlineage_facets.generated.processing_engine_run import (
        ProcessingEngineRunFacet as ProcessingEngineRunFacet,
    )
    from openlineage_facets.generated.schema_dataset import SchemaDatasetFacet as SchemaDatasetFacet
    from openlineage_facets.generated.source_code_job import SourceCodeJobFacet as SourceCodeJobFacet
    from openlineage_facets.generated.source_code_location_job import (
        SourceCodeLocationJobFacet as SourceCodeLocationJobFacet,
    )
    from openlineage_facets.generated.sql_job import SQLJobFacet as SQLJobFacet
    from openlineage_facets.generated.storage_dataset import StorageDatasetFacet as StorageDatasetFacet
    from openlineage_facets.generated.symlinks_dataset import SymlinksDatasetFacet as SymlinksDatasetFacet
    from openlineage_facets.generated.tag import TagDatasetFacet as TagDatasetFacet
    from openlineage_facets.generated.tag import TagFacet as TagFacet
    from openlineage_facets.generated.tag import TagJobFacet as TagJobFacet
    from openlineage_facets.generated.tag import TagRunFacet as TagRunFacet
    from openlineage_facets.generated.tags_dataset import TagsDatasetFacet as TagsDatasetFacet
    from openlineage_facets.generated.tags_job import TagsJobFacet as TagsJobFacet
    from openlineage_facets.generated.tags_run import TagsRunFacet as TagsRunFacet
    from openlineage_facets.generated.test_run import TestRunFacet as TestRunFacet

CORE_MODULE = "open_lineage"
"""The module of events, entities and base facets."""

MODULES = (
    "base_subset_dataset",
    "catalog_dataset",
    "column_lineage_dataset",
    "data_quality_assertions_dataset",
    "data_quality_metrics_dataset",
    "data_quality_metrics_input_dataset",
    "dataset_type_dataset",
    "dataset_version_dataset",
    "datasource_dataset",
    "documentation_dataset",
    "documentation_job",
    "environment_variables_run",
    "error_message_run",
    "execution_parameters_run",
    "external_query_run",
    "extraction_error_run",
    "gcp_composer_job",
    "gcp_composer_run",
    "gcp_dataproc_run",
    "gcp_lineage_job",
    "hierarchy_dataset",
    "iceberg_commit_report_output_dataset",
    "iceberg_scan_report_input_dataset",
    "input_statistics_input_dataset",
    "job_dependencies_run",
    "job_type_job",
    "lifecycle_state_change_dataset",
    "lineage",
    "nominal_time_run",
    "open_lineage",
    "output_statistics_output_dataset",
    "ownership_dataset",
    "ownership_job",
    "parent_run",
    "processing_engine_run",
    "schema_dataset",
    "source_code_job",
    "source_code_location_job",
    "sql_job",
    "storage_dataset",
    "symlinks_dataset",
    "tag",
    "tags_dataset",
    "tags_job",
    "tags_run",
    "test_run",
)
"""The module of each schema file."""

EXPORTS = {
    "BaseEvent": "open_lineage",
    "BaseFacet": "open_lineage",
    "CatalogDatasetFacet": "catalog_dataset",
    "ColumnLineageDatasetFacet": "column_lineage_dataset",
    "DataQualityAssertionsDatasetFacet": "data_quality_assertions_dataset",
    "DataQualityMetricsDatasetFacet": "data_quality_metrics_dataset",
    "DataQualityMetricsInputDatasetFacet": "data_quality_metrics_input_dataset",
    "Dataset": "open_lineage",
    "DatasetEvent": "open_lineage",
    "DatasetFacet": "open_lineage",
    "DatasetFacets": "containers",
    "DatasetTypeDatasetFacet": "dataset_type_dataset",
    "DatasetVersionDatasetFacet": "dataset_version_dataset",
    "DatasourceDatasetFacet": "datasource_dataset",
    "DocumentationDatasetFacet": "documentation_dataset",
    "DocumentationJobFacet": "documentation_job",
    "EnvironmentVariablesRunFacet": "environment_variables_run",
    "ErrorMessageRunFacet": "error_message_run",
    "EventType": "open_lineage",
    "ExecutionParametersRunFacet": "execution_parameters_run",
    "ExternalQueryRunFacet": "external_query_run",
    "ExtractionErrorRunFacet": "extraction_error_run",
    "GcpComposerJobFacet": "gcp_composer_job",
    "GcpComposerRunFacet": "gcp_composer_run",
    "GcpDataprocRunFacet": "gcp_dataproc_run",
    "GcpLineageJobFacet": "gcp_lineage_job",
    "HierarchyDatasetFacet": "hierarchy_dataset",
    "IcebergCommitReportOutputDatasetFacet": "iceberg_commit_report_output_dataset",
    "IcebergScanReportInputDatasetFacet": "iceberg_scan_report_input_dataset",
    "InputDataset": "open_lineage",
    "InputDatasetFacet": "open_lineage",
    "InputDatasetFacets": "containers",
    "InputStatisticsInputDatasetFacet": "input_statistics_input_dataset",
    "InputSubsetInputDatasetFacet": "base_subset_dataset",
    "Job": "open_lineage",
    "JobDependenciesRunFacet": "job_dependencies_run",
    "JobEvent": "open_lineage",
    "JobFacet": "open_lineage",
    "JobFacets": "containers",
    "JobTypeJobFacet": "job_type_job",
    "LifecycleStateChangeDatasetFacet": "lifecycle_state_change_dataset",
    "LineageDatasetFacet": "lineage",
    "LineageJobFacet": "lineage",
    "NominalTimeRunFacet": "nominal_time_run",
    "OutputDataset": "open_lineage",
    "OutputDatasetFacet": "open_lineage",
    "OutputDatasetFacets": "containers",
    "OutputStatisticsOutputDatasetFacet": "output_statistics_output_dataset",
    "OutputSubsetOutputDatasetFacet": "base_subset_dataset",
    "OwnershipDatasetFacet": "ownership_dataset",
    "OwnershipJobFacet": "ownership_job",
    "ParentRunFacet": "parent_run",
    "ProcessingEngineRunFacet": "processing_engine_run",
    "Run": "open_lineage",
    "RunEvent": "open_lineage",
    "RunFacet": "open_lineage",
    "RunFacets": "containers",
    "SQLJobFacet": "sql_job",
    "SchemaDatasetFacet": "schema_dataset",
    "SourceCodeJobFacet": "source_code_job",
    "SourceCodeLocationJobFacet": "source_code_location_job",
    "StaticDataset": "open_lineage",
    "StorageDatasetFacet": "storage_dataset",
    "SymlinksDatasetFacet": "symlinks_dataset",
    "TagDatasetFacet": "tag",
    "TagFacet": "tag",
    "TagJobFacet": "tag",
    "TagRunFacet": "tag",
    "TagsDatasetFacet": "tags_dataset",
    "TagsJobFacet": "tags_job",
    "TagsRunFacet": "tags_run",
    "TestRunFacet": "test_run",
}
"""The module of each class."""

__all__ = [
    "BaseEvent",
    "BaseFacet",
    "CatalogDatasetFacet",
    "ColumnLineageDatasetFacet",
    "DataQualityAssertionsDatasetFacet",
    "DataQualityMetricsDatasetFacet",
    "DataQualityMetricsInputDatasetFacet",
    "Dataset",
    "DatasetEvent",
    "DatasetFacet",
    "DatasetFacets",
    "DatasetTypeDatasetFacet",
    "DatasetVersionDatasetFacet",
    "DatasourceDatasetFacet",
    "DocumentationDatasetFacet",
    "DocumentationJobFacet",
    "EnvironmentVariablesRunFacet",
    "ErrorMessageRunFacet",
    "EventType",
    "ExecutionParametersRunFacet",
    "ExternalQueryRunFacet",
    "ExtractionErrorRunFacet",
    "GcpComposerJobFacet",
    "GcpComposerRunFacet",
    "GcpDataprocRunFacet",
    "GcpLineageJobFacet",
    "HierarchyDatasetFacet",
    "IcebergCommitReportOutputDatasetFacet",
    "IcebergScanReportInputDatasetFacet",
    "InputDataset",
    "InputDatasetFacet",
    "InputDatasetFacets",
    "InputStatisticsInputDatasetFacet",
    "InputSubsetInputDatasetFacet",
    "Job",
    "JobDependenciesRunFacet",
    "JobEvent",
    "JobFacet",
    "JobFacets",
    "JobTypeJobFacet",
    "LifecycleStateChangeDatasetFacet",
    "LineageDatasetFacet",
    "LineageJobFacet",
    "NominalTimeRunFacet",
    "OutputDataset",
    "OutputDatasetFacet",
    "OutputDatasetFacets",
    "OutputStatisticsOutputDatasetFacet",
    "OutputSubsetOutputDatasetFacet",
    "OwnershipDatasetFacet",
    "OwnershipJobFacet",
    "ParentRunFacet",
    "ProcessingEngineRunFacet",
    "Run",
    "RunEvent",
    "RunFacet",
    "RunFacets",
    "SQLJobFacet",
    "SchemaDatasetFacet",
    "SourceCodeJobFacet",
    "SourceCodeLocationJobFacet",
    "StaticDataset",
    "StorageDatasetFacet",
    "SymlinksDatasetFacet",
    "TagDatasetFacet",
    "TagFacet",
    "TagJobFacet",
    "TagRunFacet",
    "TagsDatasetFacet",
    "TagsJobFacet",
    "TagsRunFacet",
    "TestRunFacet",
    "base_subset_dataset",
    "catalog_dataset",
    "column_lineage_dataset",
    "data_quality_assertions_dataset",
    "data_quality_metrics_dataset",
    "data_quality_metrics_input_dataset",
    "dataset_type_dataset",
    "dataset_version_dataset",
    "datasource_dataset",
    "documentation_dataset",
    "documentation_job",
    "environment_variables_run",
    "error_message_run",
    "execution_parameters_run",
    "external_query_run",
    "extraction_error_run",
    "gcp_composer_job",
    "gcp_composer_run",
    "gcp_dataproc_run",
    "gcp_lineage_job",
    "hierarchy_dataset",
    "iceberg_commit_report_output_dataset",
    "iceberg_scan_report_input_dataset",
    "input_statistics_input_dataset",
    "job_dependencies_run",
    "job_type_job",
    "lifecycle_state_change_dataset",
    "lineage",
    "nominal_time_run",
    "open_lineage",
    "output_statistics_output_dataset",
    "ownership_dataset",
    "ownership_job",
    "parent_run",
    "processing_engine_run",
    "schema_dataset",
    "source_code_job",
    "source_code_location_job",
    "sql_job",
    "storage_dataset",
    "symlinks_dataset",
    "tag",
    "tags_dataset",
    "tags_job",
    "tags_run",
    "test_run",
]


def __getattr__(name: str) -> Any:
    return load_export(__name__, name, EXPORTS, MODULES)


def __dir__() -> list[str]:
    return __all__
