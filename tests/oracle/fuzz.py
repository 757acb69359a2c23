"""Validate documents with the models and the `jsonschema` package, and report disagreements.

    python -m tests.oracle.fuzz                      # 1,000,000 documents, on every core
    python -m tests.oracle.fuzz --count 0            # without end
    python -m tests.oracle.fuzz --seed 7 --jobs 1    # the same documents again

The first line is the seed. Exits with 1 if a disagreement was found, each printed with the smallest
document that shows it and with both verdicts.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random, SystemRandom
from typing import NamedTuple

from tests.oracle.subjects import CLASSES_ALONE, FACETS_IN_PLACE, WHOLE_EVENTS, smallest, tried

BATCH = 500
"""Documents that one process validates together."""

ROUND = 20
"""Batches of each process between two reports of the progress."""

SHOWN = 10
"""Disagreements that are enough to stop."""

_SHARES = ((FACETS_IN_PLACE, 55), (WHOLE_EVENTS, 20), (CLASSES_ALONE, 25))


class Outcome(NamedTuple):
    """The result for one batch."""

    valid: int
    disagreements: tuple[str, ...]


def validate_batch(seed: int, number: int) -> Outcome:
    """Validate one batch of documents; seed and number determine them."""
    random = Random(f"{seed} {number}")
    valid, disagreements = 0, []
    for _ in range(BATCH):
        subjects, _ = random.choices(_SHARES, [weight for _, weight in _SHARES])[0]
        subject = random.choice(subjects)
        trial = tried(subject, random)
        valid += trial.valid
        if trial.disagreement is not None:
            disagreements.append(f"{subject.name}\n{smallest(subject, trial.disagreement)}")
    return Outcome(valid, tuple(disagreements))


def run(count: int, seed: int, jobs: int) -> int:
    """Validate `count` documents, without end if it is 0; print and count the disagreements."""
    began = time.monotonic()
    batches = -(-count // BATCH) if count else sys.maxsize
    first = documents = valid = disagreements = 0
    with ProcessPoolExecutor(jobs) as pool:
        while disagreements < SHOWN and first < batches:
            numbers = range(first, min(first + ROUND * jobs, batches))
            for outcome in pool.map(partial(validate_batch, seed), numbers):
                documents += BATCH
                valid += outcome.valid
                disagreements += len(outcome.disagreements)
                for disagreement in outcome.disagreements:
                    print(f"\n{disagreement}", flush=True)
            first += ROUND * jobs
            share, speed = valid / documents, documents / (time.monotonic() - began)
            counts = f"{documents:,} documents, {share:.0%} valid, {disagreements} disagreements"
            print(f"{counts}, {speed:,.0f}/s", flush=True)
    return disagreements


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
    return 1 if run(options.count, seed, options.jobs) else 0


if __name__ == "__main__":
    sys.exit(main())
