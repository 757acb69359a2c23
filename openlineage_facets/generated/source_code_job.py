# Generated from https://openlineage.io/spec/facets/1-0-1/SourceCodeJobFacet.json (facets/SourceCodeJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Job facet for the program text of a job, carried inside the event itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr

from openlineage_facets.generated.open_lineage import JobFacet


class SourceCodeJobFacet(JobFacet):
    """The program text that a job runs, together with its language.

    Integrations that can see the code, such as a Bash command or a Python callable, attach it
    to the job, and lineage viewers show it. Code may hold secrets, so send it only where its
    readers may see it; SQL belongs in the `sql` facet, a link to a repository in
    `sourceCodeLocation`.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/SourceCodeJobFacet.json#/$defs/SourceCodeJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "sourceCode"

    language: StrictStr
    """Programming language of the text in `sourceCode`, usually in lower case.

    Usual values are `python`, `bash`, `scala` and `java`; viewers use it to highlight the
    code. Examples: `"python"`, `"bash"`.
    """
    source_code: Annotated[StrictStr, Field(alias="sourceCode")]
    """The code as one text, line breaks included.

    Viewers show it as it stands, so remove passwords and tokens before you emit it. Example:
    `"spark-submit load_orders.py --day 2025-03-01"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            language: str,
            source_code: str,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
