"""The lineage facet of a run: one entry for each output, with the inputs of its own writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    LineageJobFacet,
    column_lineage_dataset,
    lineage,
)
from openlineage_facets.spark.capture.dataset_names import Identity
from openlineage_facets.spark.capture.output_sources import Sources


def run_lineage_facet(
    outputs: Mapping[Identity, Sources], columns: Mapping[Identity, ColumnLineageDatasetFacet]
) -> LineageJobFacet:
    """Return the lineage facet of the job of a run.

    Args:
        outputs: The inputs of each output.
        columns: The column lineage of outputs, as far as it is known.
    """
    entries = []
    for identity, sources in outputs.items():
        # What was dropped after it was written keeps the facets of earlier events. Of unknown sources, those
        # of columns would be taken for all.
        own = columns.get(identity) if sources else None
        of_dataset = [_dataset(source) for source in sorted(sources or ())]
        if own is not None:
            of_dataset += map(_column, own.dataset or ())
        fields = _fields(own.fields) if own is not None else {}
        entries.append(
            lineage.LineageDatasetEntry(
                namespace=identity[0],
                name=identity[1],
                type="DATASET",
                inputs=None if sources is None else of_dataset,
                fields=fields or None,
            )
        )
    return LineageJobFacet(entries=entries)


def _dataset(identity: Identity) -> lineage.LineageDatasetInput:
    return lineage.LineageDatasetInput(namespace=identity[0], name=identity[1], type="DATASET")


def _fields(columns: Mapping[str, column_lineage_dataset.Fields]) -> dict[str, lineage.LineageFieldEntry]:
    return {
        name: lineage.LineageFieldEntry(inputs=[*map(_column, column.input_fields)])
        for name, column in columns.items()
    }


def _column(source: column_lineage_dataset.InputField) -> lineage.LineageDatasetInput:
    steps = source.transformations
    return lineage.LineageDatasetInput(
        namespace=source.namespace,
        name=source.name,
        type="DATASET",
        field=source.field,
        transformations=None if steps is None else _transformations(steps),
    )


def _transformations(
    steps: Iterable[column_lineage_dataset.Transformation],
) -> list[lineage.LineageTransformation]:
    return [lineage.LineageTransformation.from_json(step.to_dict()) for step in steps]
