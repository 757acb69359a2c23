"""Events that were sent to a system, what arrived, and why not everything did."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from openlineage_facets import validate
from openlineage_facets.toml_file import read_toml

REASONS = Path(__file__).with_name("reasons.toml")


class Reply(NamedTuple):
    """What a system did with one event.

    Attributes:
        event: The event as the system stores or writes it, None if it was refused.
        refusal: Why it was refused, if it was.
    """

    event: Any = None
    refusal: str = ""


@dataclass
class Exchange:
    """The outcome of sending events to a system.

    Args:
        system: Its name, the same as in `reasons.toml`.
        version: Its version.
        sent: The events.
        replies: What it did with each event; one too few for an event that did not arrive.
        backend: The profile that says what it refuses and loses, if there is one.
        missing: Why it could not be tried at all.
    """

    system: str
    version: str
    sent: Sequence[dict[str, Any]] = ()
    replies: Sequence[Reply] = ()
    backend: str = ""
    missing: str = ""
    accepted: int = field(default=0, init=False)
    equal: int = field(default=0, init=False)
    explained: int = field(default=0, init=False)
    reasons: Counter[str] = field(default_factory=Counter, init=False)
    unexplained: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        known = _reasons(self.system)
        replies = [*self.replies, *[Reply(refusal="it did not arrive")] * len(self.sent)]
        for event, reply in zip(self.sent, replies, strict=False):
            self.accepted += reply.event is not None
            found = list(_outcome(event, reply))
            self.equal += not found
            reasons = {one: _reason(one, known) or self._fact(event, one) for one in found}
            surprises = [f"{one}: {_name(event)}" for one in found if not reasons[one]]
            if reply.event is not None:
                surprises += self._wrong_facts(event)
            self.explained += bool(found) and not surprises
            self.reasons.update({reason for reason in reasons.values() if reason})  # Once for each event.
            self.unexplained += surprises

    @property
    def lost(self) -> int:
        """The number of events that were refused, or of which something was lost or changed."""
        return len(self.sent) - self.equal

    def _fact(self, event: dict[str, Any], difference: str) -> str:
        """Return the fact of the profile that explains a difference, or ""."""
        what, _, path = difference.partition(" ")
        for finding in validate(event, rules=False, backends=self.backend) if self.backend else ():
            at = re.sub(r"/\d+(?=/|$)", "/*", finding.pointer)
            wanted = ("error",) if what == "refused" else ("warning", "note")
            if finding.severity in wanted and (what == "refused" or path == at):
                return f"{finding.expected} (`{finding.fact}`)"
        return ""

    def _wrong_facts(self, event: dict[str, Any]) -> Iterator[str]:
        """Yield the refusals that the profile predicts for an event that was accepted."""
        for finding in validate(event, rules=False, backends=self.backend) if self.backend else ():
            if finding.severity == "error":
                yield f"accepted, although {finding.fact} says that it is refused: {_name(event)}"


def differences(sent: Any, received: Any, at: str = "") -> Iterator[str]:
    """Yield how a received value differs from the one that was sent: what happened, and where.

    A path has a star in the place of each index. `rewritten` is another text for the same time or UUID.

    Example:
        >>> list(differences({"job": {"name": "a"}, "inputs": []}, {"job": {"name": "b"}}))
        ['changed /job/name', 'missing /inputs']
    """
    if isinstance(sent, dict) and isinstance(received, dict):
        for key, value in sent.items():
            if key not in received:
                yield f"missing {at}/{key}"
            else:
                yield from differences(value, received[key], f"{at}/{key}")
        yield from (f"added {at}/{key}" for key in received if key not in sent)
    elif isinstance(sent, list) and isinstance(received, list) and len(sent) == len(received):
        for one, other in zip(sent, received, strict=True):
            yield from differences(one, other, f"{at}/*")
    elif sent != received or isinstance(sent, bool) != isinstance(received, bool):
        yield f"{'rewritten' if _is_same(sent, received) else 'changed'} {at}"


def _outcome(event: dict[str, Any], reply: Reply) -> Iterator[str]:
    if reply.event is None:
        yield f"refused {' '.join(reply.refusal.split())[:200]}"
    else:
        yield from dict.fromkeys(differences(event, reply.event))


def _is_same(sent: Any, received: Any) -> bool:
    if not isinstance(sent, str) or not isinstance(received, str):
        return False
    if sent.lower() == received.lower():
        return True
    times = [_time(text) for text in (sent, received)]
    return times[0] is not None and times[0] == times[1]


def _time(text: str) -> datetime | None:
    to_micros = re.sub(r"(?i)z$", "+00:00", re.sub(r"(\.\d{6})\d+", r"\1", text.upper()))
    to_micros = re.sub(r"\.(\d+)", lambda digits: f".{digits[1]:0<6}", to_micros)
    try:
        return datetime.fromisoformat(to_micros)
    except ValueError:
        return None


def _reasons(system: str) -> list[tuple[re.Pattern[str], str]]:
    """Return what explains differences of a system: patterns, each with its reason."""
    return [
        (re.compile(one["difference"]), one["reason"])
        for one in read_toml(REASONS)["difference"]
        if re.fullmatch(one["system"], system)
    ]


def _reason(difference: str, known: Sequence[tuple[re.Pattern[str], str]]) -> str:
    return next((reason for pattern, reason in known if pattern.search(difference)), "")


def _name(event: dict[str, Any]) -> str:
    entity = event.get("job") or event.get("dataset") or {}
    facets = [
        key for part in _entities(event) for name in part if "acets" in name for key in part[name] or ()
    ]
    return f"{entity.get('name')} {event.get('eventType', '')} {' '.join(facets)}".strip()


def _entities(event: dict[str, Any]) -> list[dict[str, Any]]:
    single = [event.get(name) or {} for name in ("run", "job", "dataset")]
    return [*single, *(event.get("inputs") or []), *(event.get("outputs") or [])]
