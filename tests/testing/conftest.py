"""Packages generated from schemas of somebody's own, for strategies to make values of."""

from __future__ import annotations

from tests.codegen.conftest import generated, import_folder

__all__ = ["generated", "import_folder"]
