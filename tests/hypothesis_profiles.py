"""How many examples hypothesis tries: `pytest --hypothesis-profile quick`, `default` or `thorough`."""

from __future__ import annotations

from hypothesis import Phase, settings

EXAMPLES = {"quick": 10, "default": 20, "thorough": 1_000}


PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink)
"""All but explaining, which repeats the example of a failed test hundreds of times."""


def register() -> None:
    """Register the profiles. Only `thorough` tries other examples in each run."""
    for name, count in EXAMPLES.items():
        is_thorough = name == "thorough"
        settings.register_profile(
            name,
            max_examples=count,
            deadline=None,
            derandomize=not is_thorough,
            print_blob=is_thorough,
            phases=PHASES,
        )
    settings.load_profile("default")


def share(fraction: float) -> int:
    """Return a share of the profile's number of examples, for a test whose examples take long."""
    return max(2, round(settings().max_examples * fraction))
