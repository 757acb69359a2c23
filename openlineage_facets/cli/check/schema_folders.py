"""Load additional JSON Schemas from the folders of `--schemas`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openlineage_facets.cli.command_error import CommandError

if TYPE_CHECKING:
    from openlineage_facets.validation.schemas.schema_set import SchemaSet


def load_schemas(folders: Sequence[str], id_base: str | None) -> SchemaSet | None:
    """Return the schemas in `folders`, None if there are no folders.

    Args:
        folders: Folders, or single files.
        id_base: URL of the folders, for schemas without `$id`.

    Raises:
        CommandError: A file is not a valid schema, or references a schema that is missing.
    """
    if not folders:
        return None
    from openlineage_facets.validation.schemas.schema_files import SchemaSetError
    from openlineage_facets.validation.schemas.schema_set import SchemaSet

    try:
        return SchemaSet.load(folders, id_base=id_base)
    except (SchemaSetError, ImportError) as error:
        raise CommandError(str(error)) from None
