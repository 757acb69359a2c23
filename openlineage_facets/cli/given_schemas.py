"""The JSON Schemas that a user gives to judge by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openlineage_facets.cli.failure import CommandError

if TYPE_CHECKING:
    from openlineage_facets.validation.schemas import SchemaSet

__all__ = ["schemas_in"]


def schemas_in(folders: Sequence[str]) -> SchemaSet | None:
    """Return the schemas in `folders`, None where no folder is given.

    Raises:
        CommandError: A file in them is no schema, or refers to one that is not there.
    """
    if not folders:
        return None
    from openlineage_facets.validation.schema_files import SchemaSetError
    from openlineage_facets.validation.schemas import SchemaSet

    try:
        return SchemaSet.load(folders)
    except (SchemaSetError, ImportError) as error:
        raise CommandError(str(error)) from None
