"""The codes of findings about policies."""

from __future__ import annotations

from openlineage_facets.validation.finding_code import FindingCode


def _code(code: str, title: str, page: str) -> FindingCode:
    return FindingCode(code, title, "error", page)


POLICY_CODES = (
    _code(
        "OL821",
        "Tagged column reaches a dataset",
        "A column with a tag such as `pii`, or one that a facet classifies, reaches a dataset that a policy "
        "`[[tag]]` protects, and no step on the way masks it. The finding contains a shortest path, column "
        "by column.\n\n"
        "Mask the column on the way, or do not select it. Report a step that masks with `masking: true`.",
    ),
    _code(
        "OL822",
        "Dataset is written by another job",
        "A policy `[[writers]]` lists the jobs or owners that write a dataset, and another job writes it.\n\n"
        "Let the job write another dataset, or add it or its owner to the policy.",
    ),
    _code(
        "OL823",
        "Output lacks owner, schema or description",
        "A policy `[[outputs]]` requires facets of datasets that jobs write: `ownership`, `schema` with "
        "types, or `documentation`.\n\n"
        "Report the facet with the dataset.",
    ),
    _code(
        "OL824",
        "Dataset without reader or writer",
        "A policy `[[used]]` requires that a job reads or writes each dataset. Without a reader, it may be "
        "unused; without a writer, its lineage ends here.\n\n"
        "Remove the dataset, or add the lineage of the jobs that use it.",
    ),
    _code(
        "OL825",
        "Cycle of datasets",
        "Datasets are computed from each other. Nothing can be computed again from its sources alone.\n\n"
        "Split one of them, so that what is read and what is written are different datasets.",
    ),
    _code(
        "OL826",
        "Too many jobs between source and product",
        "A policy `[[distance]]` limits the number of jobs in a row before a product. The finding contains "
        "the longest path.\n\n"
        "Combine jobs, or read from an earlier dataset.",
    ),
    _code(
        "OL827",
        "Dataset reads a layer that it must not read",
        "A policy `[[layers]]` says which datasets must not be computed from which others, such as raw "
        "data from curated data.\n\n"
        "Read from the layer below, or move the dataset to another layer.",
    ),
    _code(
        "OL828",
        "Dataset of another namespace is not published",
        "A job reads a dataset that only jobs of other namespaces write, and that the policy "
        "`[[published]]` does not list.\n\n"
        "Read a published dataset, or let its owner publish this one.",
    ),
    _code(
        "OL829",
        "Custom policy is violated",
        "A policy `[[custom]]`, a function of an installed package, has found something, and has no code for "
        "it. The finding says what is expected.\n\n"
        "See the documentation of the package that has the entry point named in the policy.",
    ),
)
