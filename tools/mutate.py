"""Change the code in small ways, and print the changes that no test notices.

    python -m tools.mutate                          # 20 mutations of what changed since origin/main
    python -m tools.mutate openlineage_facets --count 300 --seed 7 --jobs 2

A mutation replaces a comparison, a constant, a returned value or a statement. In a copy of the tree, the
tests that execute the changed line run until one fails (see tools/covering_tests.py), then the tests nearest
to the changed module. A survivor is a fault that nobody would notice: a test is missing, or the code is not
needed. Whether a mutation survives is unknown if `--seconds` have passed before all of its tests have run.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from typing import Literal, TypeAlias

from tools.changed_tests import LIMIT_REACHED, ROOT, changed_files, nearest_tests
from tools.covering_tests import RECORD, Record
from tools.java_home import java_of_machine

_OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
}
"""What an operator is replaced by."""
_FAILED = re.compile(
    r"^(?:FAILED|ERROR|SUBFAILED.*?) (\S+?\.py(?:::[^\s\[]+(?:\[.*?\])?)?)(?: - |$)", re.MULTILINE
)
_NEAREST = (12, 40)
"""How many files of tests run at first, and in a second attempt for a mutation that survives those.

After the tests that execute the line, only the first attempt is made."""


@dataclass(frozen=True)
class Mutation:
    """One change of a file.

    Args:
        path: The file, relative to the checkout.
        line: The number of the line.
        start: Where the replaced text begins, in bytes from the beginning of the file.
        old: The replaced text.
        new: What replaces it.
    """

    path: str
    line: int
    start: int
    old: str
    new: str

    def apply(self, source: bytes) -> bytes:
        """Return the content of the file with the change."""
        old = self.old.encode()
        assert source[self.start : self.start + len(old)] == old
        return source[: self.start] + self.new.encode() + source[self.start + len(old) :]

    def __str__(self) -> str:
        old, new = (" ".join(text.split())[:70] for text in (self.old, self.new))
        return f"{self.path}:{self.line}: `{old}` -> `{new}`"


Result: TypeAlias = Literal["killed", "survived", "time limit"]
"""Of a mutation: a test failed or did not end; all passed; none failed, but some were not started in time."""


@dataclass(frozen=True)
class Outcome:
    """What the tests found.

    Args:
        mutation: The change.
        result: Whether a test noticed it.
        seconds: How long the tests ran.
    """

    mutation: Mutation
    result: Result
    seconds: float


@dataclass(frozen=True)
class TestRun:
    """A run of tests.

    Args:
        failed: The first test that failed; "" if pytest itself failed or did not end, None if none failed.
        is_complete: All tests were started, or one failed.
    """

    __test__ = False

    failed: str | None
    is_complete: bool = True


def mutations_of(path: str, source: bytes) -> Iterator[Mutation]:
    """Yield the mutations of a file."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def span(node: ast.AST) -> tuple[int, int]:
        # Expressions and statements, the only nodes passed here, have positions.
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def replaced(node: ast.AST, new: str) -> Mutation:
        start, end = span(node)
        return Mutation(path, node.lineno, start, source[start:end].decode(), new)  # type: ignore[attr-defined]

    def between(left: ast.AST, operator: ast.AST, right: ast.AST) -> Iterator[Mutation]:
        old, new = _OPERATORS[type(operator)]
        start, end = span(left)[1], span(right)[0]
        text = source[start:end].decode()
        if text.count(old) == 1:  # Not if a comment contains it, too.
            yield Mutation(path, left.end_lineno, start + len(text[: text.index(old)].encode()), old, new)  # type: ignore[attr-defined]

    for node in _code(ast.parse(source)):
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
                yield from between(left, operator, right)
        elif isinstance(node, ast.BoolOp):
            for left, right in pairwise(node.values):
                yield from between(left, node.op, right)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            start, end = span(node.operand)
            yield replaced(node, f"({source[start:end].decode()})")
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            yield from between(node.left, node.op, node.right)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield replaced(node, str(not node.value))
        elif isinstance(node, ast.Constant) and type(node.value) is int and node.value < 10:
            # Larger numbers are limits and sizes, of which one more makes no difference.
            yield replaced(node, str(node.value + 1))
        elif isinstance(node, ast.Continue):
            yield replaced(node, "break")
        elif isinstance(node, ast.Break):
            yield replaced(node, "continue")
        elif isinstance(node, ast.Return) and not _is_none(node.value):
            yield replaced(node, "return None")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield replaced(node, "pass")
        elif isinstance(node, ast.If):
            start, end = span(node.test)
            yield replaced(node.test, f"not ({source[start:end].decode()})")


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that are executed, without annotations, exports and what only type checkers read."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Assign | ast.AnnAssign) and "__all__" in ast.unparse(child):
            continue
        if isinstance(child, ast.keyword) and child.arg in ("strict", "maxsize", "slots", "frozen", "repr"):
            continue
        if isinstance(tree, ast.AnnAssign) and child is tree.annotation:
            continue
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.LShift):
            continue  # A size, such as 1 << 20.
        if isinstance(tree, ast.arg) or (isinstance(tree, ast.FunctionDef) and child is tree.returns):
            continue
        yield child
        yield from _code(child)


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def chosen(paths: Iterable[str], count: int, seed: int) -> list[Mutation]:
    """Return some mutations of the modules at paths, the same for the same seed."""
    files = {
        file.relative_to(ROOT).as_posix(): file
        for path in paths
        for file in ([ROOT / path] if path.endswith(".py") else sorted((ROOT / path).rglob("*.py")))
    }
    found = [
        mutation
        for name, file in sorted(files.items())
        if name.startswith(("openlineage_facets/", "codegen/")) and "/generated/" not in name
        for mutation in mutations_of(name, file.read_bytes())
    ]
    return random.Random(seed).sample(found, min(count, len(found)))


class Copies:
    """Copies of the tree, one for each process."""

    def __init__(self, folder: Path, count: int) -> None:
        self._free: SimpleQueue[Path] = SimpleQueue()
        self._failing: set[str] = set()  # Tests that fail without a mutation.
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for number in range(count):
            copy = folder / str(number) / "checkout"
            for name in filter(lambda name: (ROOT / name).exists(), listed):
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
            shared = ROOT.parent / "shared"
            if shared.exists():
                (copy.parent / "shared").symlink_to(shared)
            self._free.put(copy)

    def outcome(self, mutation: Mutation, attempts: Sequence[Sequence[str]], seconds: float) -> Outcome:
        """Run tests with a mutation in a copy that is free.

        Args:
            mutation: The change.
            attempts: Tests, each group of which runs if the one before it has found nothing.
            seconds: Start no test after this time; tests that run four times as long do not end.
        """
        copy = self._free.get()
        file = copy / mutation.path
        original = file.read_bytes()
        began = time.monotonic()
        result: Result = "survived"
        try:
            for group in attempts:
                while group and result != "killed":
                    file.write_bytes(mutation.apply(original))
                    run = self._run(copy, group, seconds)
                    file.write_bytes(original)
                    if run.failed is None:
                        result = result if run.is_complete else "time limit"
                        break
                    if run.failed == "" or self._run(copy, [run.failed], seconds).failed is None:
                        result = "killed"
                    if run.failed in self._failing:
                        break
                    if result != "killed":
                        print(f"fails without a mutation, and is left out: {run.failed}", flush=True)
                        self._failing.add(run.failed)
            return Outcome(mutation, result, time.monotonic() - began)
        finally:
            file.write_bytes(original)
            self._free.put(copy)

    def _run(self, copy: Path, tests: Sequence[str], seconds: float) -> TestRun:
        """Run tests until one fails; start none after some time."""
        left_out = [f"--deselect={name}" for name in sorted(self._failing)]
        importable = [name for name in tests if name not in self._failing]
        if not importable:
            return TestRun(None)
        arguments = [importable, seconds, ["-x", "-m", "not thorough", *left_out]]
        script = f"from tools.changed_tests import run; raise SystemExit(run(*{arguments!r}))"
        java = java_of_machine()
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy), **({"JAVA_HOME": str(java)} if java else {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            printed, _ = process.communicate(timeout=seconds * 4)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return TestRun("")
        if process.returncode in (0, LIMIT_REACHED):
            return TestRun(None, is_complete=process.returncode == 0)
        found = _FAILED.search(printed)
        return TestRun(found[1] if found else "")


def main() -> int:
    """Mutate, run tests, and print the survivors and a table of packages."""
    parser = argparse.ArgumentParser(description="Print changes of the code that no test notices.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: what changed)")
    parser.add_argument(
        "--base", help="the commit to compare with (default: where the branch left origin/main)"
    )
    parser.add_argument("--count", type=int, default=20, help="how many mutations (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same mutations")
    parser.add_argument(
        "--seconds", type=float, default=60, help="start no test of a mutation after this time"
    )
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    options = parser.parse_args()
    mutations = chosen(options.paths or changed_files(options.base), options.count, options.seed)
    if not mutations:
        print("Nothing to mutate: no module of openlineage_facets or codegen has changed.")
        return 0
    attempts = attempts_of(mutations)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="mutants") as folder, ThreadPoolExecutor(options.jobs) as pool:
        copies = Copies(Path(folder), options.jobs)
        runs = [pool.submit(copies.outcome, one, attempts[one], options.seconds) for one in mutations]
        for number, run in enumerate(runs, 1):
            outcome = run.result()
            outcomes.append(outcome)
            word = outcome.result if outcome.result == "killed" else outcome.result.upper()
            print(f"{number}/{len(runs)} {word} {outcome.seconds:.0f} s  {outcome.mutation}", flush=True)
    print(*table(outcomes), sep="\n")
    return 0 if all(outcome.result == "killed" for outcome in outcomes) else 1


def attempts_of(mutations: Iterable[Mutation]) -> dict[Mutation, list[list[str]]]:
    """Return groups of tests for each mutation, those first that are most likely to notice it."""
    found: dict[Mutation, list[list[str]]] = {}
    nearest: dict[str, list[str]] = {}
    record = Record(RECORD)
    for one in mutations:
        files = nearest.get(one.path)
        if files is None:
            files = nearest[one.path] = nearest_tests([one.path], spark=True)
        covering = record.tests(one.path, one.line)
        groups = [covering, files[: _NEAREST[0]]] + ([] if covering else [files[_NEAREST[0] : _NEAREST[1]]])
        found[one] = list(filter(None, groups))
    return found


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield a table of the packages, and the mutations that no test noticed."""
    packages: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        packages.setdefault("/".join(outcome.mutation.path.split("/")[:2]), []).append(outcome)
    yield "\n| package | mutations | killed | time limit |\n| --- | ---: | ---: | ---: |"
    for package, group in sorted(packages.items()):
        counts = Counter(outcome.result for outcome in group)
        yield f"| `{package}` | {len(group)} | {counts['killed']} | {counts['time limit']} |"
    counts = Counter(outcome.result for outcome in outcomes)
    share = f"{counts['killed'] / len(outcomes):.0%}"
    yield f"| all | {len(outcomes)} | {counts['killed']} ({share}) | {counts['time limit']} |\n"
    for result in ("survived", "time limit"):
        yield from (f"{result}: {outcome.mutation}" for outcome in outcomes if outcome.result == result)


if __name__ == "__main__":
    raise SystemExit(main())
