"""`python -m codegen`: regenerate the package, or check that it is up to date."""

from __future__ import annotations

import argparse
import ast
import io
import symtable
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from keyword import iskeyword
from pathlib import Path

from .errors import GeneratorError, SchemaError
from .generate import generate
from .load import load
from .write import differences, write

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec"
OUTPUT = ROOT / "openlineage_facets" / "generated"
PACKAGE = "openlineage_facets.generated"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the generator; return 0 on success, 1 if files are outdated, 2 on errors."""
    parser = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    parser.add_argument("--spec", type=Path, default=SPEC, help="folder of JSON Schemas (default: spec)")
    parser.add_argument("--proposals", type=Path, help="folder of proposals, for a spec without its own")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder of the package to write")
    parser.add_argument("--package", help="import path of the package (default: the output folder's name)")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 with a diff if files differ"
    )
    options = parser.parse_args(arguments)
    package = options.package
    if package is None:
        package = PACKAGE if options.output.resolve() == OUTPUT else options.output.resolve().name
    if not all(part.isidentifier() and not iskeyword(part) for part in package.split(".")):
        parser.error(f"{package!r} is not an import path; set one with --package")
    try:
        spec = load(options.spec, proposals=options.proposals)
        for note in spec.notes:
            print(f"note: {note}")
        files = generate(spec, package)
        if options.check:
            return _check(files, options.output)
        _assert_enough_for_the_library(files, options)
        write(files, options.output)
    except (SchemaError, GeneratorError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{len(files)} files in {options.output}")
    return 0


def _assert_enough_for_the_library(files: dict[str, str], options: argparse.Namespace) -> None:
    """Reject schemas of an older release that lack what hand-written code of the library uses.

    Raises:
        SchemaError: The library could not be imported.
    """
    if options.output.resolve() != OUTPUT:
        return
    missing = missing_names(files, OUTPUT.parent)
    if missing:
        (name, path), *others = missing.items()
        more = f", and {len(others)} other names" if others else ""
        message = (
            f"defines no {name}, which {path} needs{more}; use a newer release, or generate a separate "
            f"package from it: python -m codegen --spec {options.spec} --output FOLDER"
        )
        raise SchemaError(options.spec, "", message)


def _check(files: dict[str, str], output: Path) -> int:
    diff = list(differences(files, output))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stdout.writelines(diff)
    if diff:
        print(f"error: {output} is not up to date with the schemas; run `make regen`", file=sys.stderr)
    return 1 if diff else 0


# -- what the hand-written part of the library uses of the generated part ---------------------------------

_FACADE = "openlineage_facets.facets"
"""The module with everything that the generated part exports."""


def missing_names(files: Mapping[str, str], library: Path) -> dict[str, str]:
    """Return the names that the library imports from its generated part, and that would not exist.

    Args:
        files: The generated files by name.
        library: The folder of the library.

    Returns:
        A file that uses each missing name, such as `lineage.LineageJobFacet`.
    """
    defined = {Path(name).stem: _defined_names(source) for name, source in files.items()}
    defined[""] = defined.get("__init__", set()) | defined.keys()
    missing: dict[str, str] = {}
    for path in sorted(library.rglob("*.py")):
        if library / "generated" in path.parents:
            continue
        source = path.read_text(encoding="utf-8")
        for module, name in _used_names(ast.parse(source), defined):
            if name not in defined.get(module, ()):
                missing.setdefault(f"{module}.{name}".strip("."), path.relative_to(library).as_posix())
    return missing


def _used_names(tree: ast.Module, modules_of_package: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield the module, "" for the package itself, and the name of each use of the generated part."""
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            package, _, module = node.module.partition(f"{PACKAGE}.")
            is_package = node.module in (PACKAGE, _FACADE)
            if is_package or (not package and module):
                for alias in node.names:
                    if alias.name != "*":
                        yield "" if is_package else module, alias.name
                    if is_package and alias.name in modules_of_package:
                        modules[alias.asname or alias.name] = alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = modules.get(node.value.id)
            if owner is not None and not node.attr.startswith("__"):
                yield owner, node.attr


def _defined_names(source: str) -> set[str]:
    """Return the names that a generated module defines or imports."""
    symbols = symtable.symtable(source, "", "exec").get_symbols()
    return {symbol.get_name() for symbol in symbols if symbol.is_local()}


if __name__ == "__main__":
    sys.exit(main())
