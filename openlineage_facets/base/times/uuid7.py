"""Time-ordered run ids."""

from __future__ import annotations

import os
import time
from uuid import UUID


def uuid7() -> UUID:
    """Return a new UUID of version 7 (RFC 9562, section 5.7): milliseconds since 1970, then random bits."""
    return uuid7_of(time.time_ns() // 1_000_000, os.urandom(10))


def uuid7_of(milliseconds: int, distinct: bytes) -> UUID:
    """Return the UUID of version 7 with a time and ten bytes, of which six bits are replaced."""
    value = (milliseconds & (1 << 48) - 1) << 80 | int.from_bytes(distinct, "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)
