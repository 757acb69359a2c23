"""Terminal event types."""

from __future__ import annotations

__all__ = ["TERMINAL_EVENT_TYPES"]

TERMINAL_EVENT_TYPES = ("FAIL", "ABORT", "COMPLETE")
"""The event types that end a run, by precedence at the same time."""
