# Generated from https://openlineage.io/spec/facets/1-1-0/SourceCodeLocationJobFacet.json (facets/SourceCodeLocationJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Job facet that points from a job to its code in version control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import JobFacet


class SourceCodeLocationJobFacet(JobFacet):
    """Where the code of a job is kept in version control, and which revision of it was deployed.

    Schedulers and CI pipelines attach it to the job; readers follow the link, or compare
    `version` between a good and a bad run to see whether the code changed.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-0/SourceCodeLocationJobFacet.json#/$defs/SourceCodeLocationJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "sourceCodeLocation"

    type: StrictStr
    """Version control system that the other properties refer to.

    Usual values are `git` and `svn`. Example: `"git"`.
    """
    url: StrictStr
    """Address that opens the job's own file or folder in a browser.

    Prefer a link that is pinned to `version`, since a link to a branch shows other code
    tomorrow. Example:
    `"https://git.example.com/data/pipelines/blob/9b1f0c7/flights/load.py"`.
    """
    repo_url: Annotated[Maybe[StrictStr], Field(alias="repoUrl")] = None
    """Address from which the whole repository is cloned or checked out.

    It may be an `https://` or `svn://` address or the short SSH form, so it need not be a
    valid URI. Examples: `"https://git.example.com/data/pipelines.git"`,
    `"git@git.example.com:data/pipelines.git"`.
    """
    path: Maybe[StrictStr] = None
    """File or folder of the job's code, relative to the root of the repository.

    Example: `"flights/load.py"`.
    """
    version: Maybe[StrictStr] = None
    """Revision that was deployed: a commit hash in Git, a revision number in Subversion.

    It never moves, so two runs with equal values ran the same code. Examples:
    `"9b1f0c7e5a3d4428b6c1f2d07e8a95b3c46d1e20"`, `"48213"`.
    """
    tag: Maybe[StrictStr] = None
    """Tag that names the deployed revision, where it has one.

    Example: `"flights-2.4.0"`.
    """
    branch: Maybe[StrictStr] = None
    """Branch from which the deployed revision was taken.

    A branch moves on, so find the exact code by `version`. Example: `"main"`.
    """
    pull_request_number: Annotated[Maybe[StrictStr], Field(alias="pullRequestNumber")] = None
    """Number of the pull or merge request whose CI build ran the job, written as text.

    CI pipelines read it from their build variables; leave it out for runs outside a pull
    request. Example: `"318"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
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
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
