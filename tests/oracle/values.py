"""Values of every JSON type: ordinary ones, and unusual ones that parsers treat differently."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

STRINGS = (
    "orders",
    "s3://lake",
    "public.flights",
    "https://example.com/v7/etl",
    "",
    " ",
    "0",
    "10",
    "true",
    "null",
    "ÜBERFLUG ✈ größer",
    "日本語のテーブル",
    "e\u0301\u200d\u202e\ufeff",
    "😀👩‍👩‍👧",
    "\U0010ffff\uffff",
    'a "quoted" \\ text / with \t tabs\r\nand lines',
    "\u0000\u001f\u007f\u0085\u2028\u2029",
    "<script>'; DROP TABLE orders; --{{x}}%s{0}",
)

INTEGERS = (
    *(0, 1, -1, 10, 65_536, 2**31, 2**53 + 1, 1_234_567_890_123_456_789),
    *(2**63 - 1, -(2**63), 2**63, 2**64 + 1, 10**30),
)

WHOLE_FLOATS = (0.0, -0.0, 1.0, 10.0, -3.0, 1e15, 1e16, 9007199254740993.0, 1e22, 1e300)

FLOATS = (
    *(0.5, -0.1, 0.1 + 0.2, 1e-7, 5e-324, 2.2250738585072014e-308),
    *(1.7976931348623157e308, 123456.789),
)

DATE_TIMES = tuple(
    "2025-03-09T06:15:02Z 2025-03-09T06:15:02.481Z 2025-03-09T06:15:02.123456789Z "
    "2025-03-09T06:15:02.123456789123456789+05:45 2025-03-09T06:15:02.0+00:00 2025-03-09t06:15:02z "
    "2025-03-09T06:15:02-00:00 2024-02-29T23:59:59.999999999+14:00 2000-02-29T00:00:00-12:00 "
    "0001-01-01T00:00:00+23:59 9999-12-31T23:59:59.999999999-23:59".split()
)

NEARLY_DATE_TIMES = (
    *"2025-03-09 2025-03-09T06:15:02 2025-03-09T06:15Z 2025-03-09T06:15:02.Z 2025-03-09T06:15:02,5Z".split(),
    *"2025-03-09T06:15:02+0545 2025-03-09T06:15:02+05 2025-03-09T06:15:02+24:00".split(),
    *"2025-03-09T06:15:02+05:60 2025-03-09T06:15:02ZZ 2025-02-29T00:00:00Z 1900-02-29T00:00:00Z".split(),
    *"2025-13-01T00:00:00Z 2025-00-10T00:00:00Z 2025-04-31T00:00:00Z 2025-01-00T00:00:00Z".split(),
    *"2025-01-01T24:00:00Z 2025-01-01T23:60:00Z 2016-12-31T23:59:60Z 0000-01-01T00:00:00Z".split(),
    *"12025-03-09T06:15:02Z -2025-03-09T06:15:02Z 20250309T061502Z 2025-W10-7T06:15:02Z".split(),
    *"２０２５-03-09T06:15:02Z 2025-03-09T06:15:0٢Z 2025-03-09T06:15:02−05:00 1741500902 now".split(),
    *("2025-03-09 06:15:02Z", "2025-03-09T06:15:02Z\n", " 2025-03-09T06:15:02Z", ""),
)

UUIDS = (
    "0195793b-2c4e-7f18-a3d6-5be0917c42fd",
    "0195793B-2C4E-7F18-A3D6-5BE0917C42FD",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-FFFF-ffff-FFFF-ffffffffffff",
)

NEARLY_UUIDS = (
    *"0195793b2c4e7f18a3d65be0917c42fd {0195793b-2c4e-7f18-a3d6-5be0917c42fd}".split(),
    *"0195793b-2c4e-7f18-a3d6-5be0917c42f 0195793b-2c4e-7f18-a3d6-5be0917c42fd0".split(),
    *"0195793g-2c4e-7f18-a3d6-5be0917c42fd 0195793_-2c4e-7f18-a3d6-5be0917c42fd".split(),
    *"0_95793b-2c4e-7f18-a3d6-5be0917c42fd +195793b-2c4e-7f18-a3d6-5be0917c42fd".split(),
    *"0x95793b-2c4e-7f18-a3d6-5be0917c42fd 0195793b-2c4e7-f18-a3d6-5be0917c42fd".split(),
    *"0195793b–2c4e–7f18–a3d6–5be0917c42fd ０195793b-2c4e-7f18-a3d6-5be0917c42fd run-7".split(),
    *("urn:uuid:0195793b-2c4e-7f18-a3d6-5be0917c42fd", "0195793b-2c4e-7f18-a3d6-5be0917c42fd\n"),
    *(" 0195793b-2c4e-7f18-a3d6-5be0917c42fd", ""),
)

KEYS = (
    *"acme_cost x producer schema_url schemaURL _deleted deleted run_id event_time input_facets".split(),
    *"row_count facets inputFacets outputFacets inputs eventType fields job type model_config".split(),
    *"model_fields_set model_extra __class__ __dict__ __pydantic_extra__ self copy json schema".split(),
    *("to_json", "$ref", "", " ", "a/b~c", "ключ", "line\nbreak", "\u0000"),
)
"""Names for fields the schemas do not know; many are names that Python or pydantic knows."""


def date_time(random: Random) -> str:
    """Return a valid date-time."""
    if random.random() < 0.5:
        return random.choice(DATE_TIMES)
    fraction = f".{random.randrange(10**9):0{random.randint(1, 9)}d}" if random.random() < 0.6 else ""
    offset = random.choice(
        ("Z", "Z", f"{random.choice('+-')}{random.randrange(24):02}:{random.randrange(60):02}")
    )
    return (
        f"{random.randint(1, 9999):04}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
        f"T{random.randrange(24):02}:{random.randrange(60):02}:{random.randrange(60):02}{fraction}{offset}"
    )


def uuid(random: Random) -> str:
    """Return a valid UUID."""
    if random.random() < 0.3:
        return random.choice(UUIDS)
    digits = f"{random.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def string(random: Random) -> str:
    """Return any string."""
    return random.choice(STRINGS)


def integer(random: Random, minimum: int | None = None) -> int | float:
    """Return a number without a fraction, now and then written with one (`10.0`)."""
    value = random.choice(WHOLE_FLOATS) if random.random() < 0.15 else random.choice(INTEGERS)
    return value if minimum is None or value >= minimum else minimum


def number(random: Random) -> int | float:
    """Return any number that JSON can write."""
    return random.choice(FLOATS) if random.random() < 0.4 else integer(random)


def unknown_key(random: Random) -> str:
    """Return a name that no schema gives a field."""
    return random.choice(KEYS)


def anything(random: Random, depth: int = 3) -> Any:
    """Return any JSON value."""
    kind = random.randrange(9 if depth else 6)
    if kind == 0:
        return None
    if kind == 1:
        return random.random() < 0.5
    if kind == 2:
        return number(random)
    if kind == 3:
        return random.choice(({}, []))
    if kind in (4, 5):
        return string(random)
    if kind == 6:
        return [anything(random, depth - 1) for _ in range(random.randrange(4))]
    return {unknown_key(random): anything(random, depth - 1) for _ in range(random.randrange(4))}


def at_every_place(value: Any, new: Any) -> Iterator[Any]:
    """Yield a JSON value with a new part instead of each of its parts, and added to each object and list."""
    yield new
    if isinstance(value, dict):
        yield {**value, "acme_new": new}
        for key, part in value.items():
            yield from ({**value, key: one} for one in at_every_place(part, new))
    if isinstance(value, list):
        yield [*value, new]
        for index, part in enumerate(value):
            yield from ([*value[:index], one, *value[index + 1 :]] for one in at_every_place(part, new))
