"""Validate documents with the models and the `jsonschema` package, and report disagreements.

    python -m tests.oracle.fuzz                      # 1,000,000 documents, on every core
    python -m tests.oracle.fuzz --count 0            # without end
    python -m tests.oracle.fuzz --seed 7 --jobs 1    # the same documents again

The first line is the seed. Exits with 1 if a disagreement was found, each printed with the smallest
document that shows it and with both verdicts.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from random import Random, SystemRandom
from typing import NamedTuple

from tests.oracle.subjects import (
    CLASSES_ALONE,
    FACETS_IN_PLACE,
    WHOLE_EVENTS,
    Subject,
    smallest,
    tried,
)

BATCH = 500
"""Documents that one process validates before it reports."""

SHOWN = 10
"""Disagreements that are enough to stop."""

_SHARES = ((FACETS_IN_PLACE, 55), (WHOLE_EVENTS, 20), (CLASSES_ALONE, 25))


class Outcome(NamedTuple):
    """The result for a number of documents."""

    count: int
    valid: int
    disagreements: tuple[str, ...]

    def plus(self, other: Outcome) -> Outcome:
        return Outcome(
            self.count + other.count,
            self.valid + other.valid,
            (*self.disagreements, *other.disagreements),
        )

    def __str__(self) -> str:
        share = self.valid / self.count if self.count else 0
        return f"{self.count:,} documents, {share:.0%} valid, {len(self.disagreements)} disagreements"


def validate_batch(seed: int, number: int, count: int) -> Outcome:
    """Validate one batch of documents; seed and number determine them."""
    random = Random(f"{seed} {number}")
    outcome = Outcome(0, 0, ())
    for _ in range(count):
        subject = _subject(random)
        trial = tried(subject, random)
        found = trial.disagreement
        shown = (f"{subject.name}\n{smallest(subject, found)}",) if found else ()
        outcome = outcome.plus(Outcome(1, int(trial.valid), shown))
    return outcome


def _subject(random: Random) -> Subject:
    subjects, _ = random.choices(_SHARES, [weight for _, weight in _SHARES])[0]
    return random.choice(subjects)


def _batches(count: int) -> Iterator[tuple[int, int]]:
    """Yield number and size of each batch, without end where `count` is 0."""
    for number in itertools.count():
        left = count - number * BATCH if count else BATCH
        if left <= 0:
            return
        yield number, min(BATCH, left)


def run(count: int, seed: int, jobs: int) -> Outcome:
    """Validate `count` documents, without end if it is 0, and print the progress."""
    total = Outcome(0, 0, ())
    began = shown = time.monotonic()
    batches = _batches(count)
    with ProcessPoolExecutor(jobs) as pool:
        running: set[Future[Outcome]] = set()
        while True:
            for number, size in itertools.islice(batches, 2 * jobs - len(running)):
                running.add(pool.submit(validate_batch, seed, number, size))
            if not running:
                return total
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                outcome = future.result()
                total = total.plus(outcome)
                for disagreement in outcome.disagreements:
                    print(f"\n{disagreement}", flush=True)
            if len(total.disagreements) >= SHOWN:
                pool.shutdown(cancel_futures=True)
                return total
            if time.monotonic() - shown > 30:
                shown = time.monotonic()
                print(f"{total}, {total.count / (shown - began):,.0f}/s", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Run the fuzzer, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.oracle.fuzz", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--count", type=int, default=1_000_000, help="documents to validate; 0: without end")
    parser.add_argument("--seed", type=int, default=None, help="what the documents are made from")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args(arguments)
    seed = SystemRandom().randrange(2**32) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    began = time.monotonic()
    total = run(options.count, seed, options.jobs)
    print(f"{total}, {time.monotonic() - began:.0f} s")
    return 1 if total.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
