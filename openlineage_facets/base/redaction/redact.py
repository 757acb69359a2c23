"""Redact passwords, tokens, keys and credentials in captured, logged or reported text.

| function | behaviour | used for |
| --- | --- | --- |
| `redact` | redacts secrets, changes nothing else | SQL, messages, stack traces, logs |
| `redact_for_display` | also treats everything before the last at sign as a login | findings, snippets |
| `redact_repeated` | the same, cached | names and messages that are repeated |
| `redact_start` | `redact_for_display`, then truncates | shortened texts |
| `redact_option` | redacts the value of a named option | environment variables, properties |
| `redact_json` | redacts every text in a JSON value | displayed events, captured facets |
| `redact_unparsed` | redacts bytes that may be invalid JSON | snippets of files |
| `secret_urls.without_login` | removes user, password, query and fragment | addresses that must remain URLs |

All of them take linear time, are idempotent and never raise for a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import Any

from openlineage_facets.base.redaction.redacted_text import ORDINARY, REDACTED
from openlineage_facets.base.redaction.secret_names import is_secret_name
from openlineage_facets.base.redaction.secret_options import is_secret_value, redact_options
from openlineage_facets.base.redaction.secret_table import METRIC_KEYS, NAME_KEYS, VALUE_KEYS
from openlineage_facets.base.redaction.secret_tokens import redact_tokens
from openlineage_facets.base.redaction.secret_urls import redact_logins, redact_whole_url

MAX_REDACTED_LENGTH = 1 << 16
"""The maximum number of characters that are redacted before a text is truncated."""

_PASSES = 8
_DOCUMENT_STARTS = ("{", "[", '"')
_LEAF = re.compile(r'"(?:[^"\\]|\\.)*"?|[\w.+-]+')
_LARGEST_COUNT = 999
"""The largest number that is not redacted as a secret."""

_CUT = re.compile(
    r"(://(?![^/@:]{0,2000}(?::\d{0,9})?(?:/[^@]{0,2000})?\Z)|jdbc:oracle:\w{1,20}:(?=[^@/]{1,2000}/)).{0,2000}\Z",
    re.IGNORECASE | re.DOTALL,
)
"""A URL prefix at the end of a truncated text that may contain the start of a login."""

_BLANK = re.compile(r"\s")
_TAIL = 2000
"""The number of characters at the end of a truncated text in which a login may start."""


def redact(text: str) -> str:
    """Return `text` with every secret in it replaced by `***`.

    Example:
        >>> redact("CREATE VIEW v USING jdbc OPTIONS (url 'jdbc:db2://ana:xyzzy@db/shop', password 'xyzzy')")
        "CREATE VIEW v USING jdbc OPTIONS (url 'jdbc:db2://***@db/shop', password '***')"
    """
    return _until_stable(text, broad=False)


def redact_for_display(text: str) -> str:
    """Return `text` for display, with everything that may be a secret replaced by `***`.

    Example:
        >>> redact_for_display("postgres://ana:xy zzy@db:5432")
        'postgres://***@db:5432'
        >>> redact_for_display("jdbc:db2://db/shop?user=a&pwd=b c")
        'jdbc:db2://db/shop?user=***&pwd=***'
    """
    return _until_stable(text, broad=True)


def redact_repeated(text: str) -> str:
    """Return `redact_for_display(text)`, cached if the text is short, for texts that are often the same."""
    return _redacted_short(text) if len(text) <= _LONGEST_CACHED else redact_for_display(text)


_redacted_short = lru_cache(maxsize=1_024)(redact_for_display)

_LONGEST_CACHED = 1_000
"""Characters of the longest text that is cached."""


def redact_start(text: str, length: int | None = None) -> str:
    """Return the first `length` characters of a redacted text. Default: up to `MAX_REDACTED_LENGTH`.

    The text is redacted before it is truncated, because truncated secrets are not recognised.
    """
    if len(text) > MAX_REDACTED_LENGTH:
        text = without_cut_login(text[:MAX_REDACTED_LENGTH])
    return redact_repeated(text)[:length]


def without_cut_login(text: str) -> str:
    """Redact the last URL of a truncated text if its login may have been cut."""
    text = text[:-_TAIL] + _CUT.sub(rf"\1{REDACTED}", text[-_TAIL:])
    last = text.rfind("://") + 3
    if 2 < last < len(text) - _TAIL and ":" in text[last:] and "@" not in text[last:]:
        return f"{text[:last]}{REDACTED}" if _BLANK.search(text, last) is None else text
    return text


def redact_option(name: str, value: str) -> str:
    """Redact the value of an option, environment variable or property.

    Example:
        >>> redact_option("DB_PASSWORD", "xyzzy"), redact_option("STAGE", "prod")
        ('***', 'prod')
    """
    return REDACTED if value and (is_secret_name(name) or is_secret_value(name, value)) else redact(value)


def redact_json(value: Any, *, for_display: bool = False) -> Any:
    """Return a JSON value with all secrets redacted. Without secrets, return the same object.

    Texts and large numbers in the value of a key such as `password` are redacted completely, and so is
    `value` in an object whose `name` or `key` is such a name. The `name` in an object with a `namespace`
    identifies a dataset and is only redacted for display. Keys of `columnMetrics` are names of columns: the
    numbers below them are kept.

    Args:
        value: The value.
        for_display: Redact for display, like `redact_for_display`. Under a secret name, a value that is not
            JSON, such as bytes, is redacted as a whole.
    """
    return _redact_json(value, for_display, name="")


def _redact_json(value: Any, for_display: bool, name: str, is_metric: bool = False) -> Any:
    """Redact the value of a key of that name, or of "" for values in lists.

    Args:
        value: The value.
        for_display: As in `redact_json`.
        name: The key, or "".
        is_metric: Whether numbers in the value are metrics of a column.
    """
    if isinstance(value, str):
        if name and value and is_secret_value(name, value):
            return REDACTED
        return _redact_part(value, for_display)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        is_count = is_metric or abs(value) <= _LARGEST_COUNT
        return REDACTED if not is_count and is_secret_name(name) else value
    if isinstance(value, Mapping):
        named = name_in(value) or name
        below = "secret." if is_secret_name(name) else ""
        changed = {
            _redact_part(key, True) if for_display and isinstance(key, str) else key: member
            if key == "name" and "namespace" in value and not for_display
            else _redact_json(
                member,
                for_display,
                named if VALUE_KEYS.fullmatch(str(key)) else f"{below}{key}",
                is_metric or key in METRIC_KEYS,
            )
            for key, member in value.items()
        }
        same = changed.keys() == value.keys() and all(changed[key] is member for key, member in value.items())
        return value if same else changed
    if isinstance(value, (list, tuple)):
        flags = ["", *(word if isinstance(word, str) and word.startswith("-") else "" for word in value)]
        words = _redact_arguments(value) if any(flags) else value
        items = [
            _redact_json(word, for_display, flag if not name or is_secret_name(flag) else name, is_metric)
            for word, flag in zip(words, flags, strict=False)
        ]
        return value if all(map(is_, items, value)) else items
    is_shown = value is None or isinstance(value, bool) or not for_display or not is_secret_name(name)
    return value if is_shown or _is_without_secrets(value, name, is_metric) else REDACTED


def _is_without_secrets(value: Any, name: str, is_metric: bool) -> bool:
    """Return whether a value is one of our objects without secrets, as the lineage of a column `token` is."""
    if not hasattr(type(value), "__wire_serializer__"):
        return False
    wire = value.to_dict()
    return _redact_json(wire, True, name, is_metric) is wire


def _redact_part(text: str, for_display: bool) -> str:
    """Redact a key or a text in a JSON value. Many of those that are displayed are the same."""
    if ORDINARY.fullmatch(text):
        return text
    redacted = redact_repeated(text) if for_display else redact(text)
    return text if redacted == text else redacted


def _redact_arguments(words: Sequence[Any]) -> Sequence[Any]:
    """Redact the arguments of a command, such as `["curl", "-u", "ana:X"]`."""
    try:
        redacted = json.loads(redact_tokens(json.dumps(words, ensure_ascii=False)))
    except (TypeError, ValueError, RecursionError):
        return words
    same = len(redacted) == len(words)
    return [old if old == new else new for old, new in zip(words, redacted, strict=True)] if same else words


def name_in(value: Mapping[Any, Any]) -> str:
    """Return the secret name in `{"name": "DB_PASSWORD", "value": "X"}`, or ""."""
    names = (
        member for key, member in value.items() if NAME_KEYS.fullmatch(str(key)) and isinstance(member, str)
    )
    return next(filter(is_secret_name, names), "")


def _redact_document(text: str, for_display: bool) -> str | None:
    """Redact a text that is a JSON document, and keep its layout. Return None for any other text."""
    if not text.lstrip().startswith(_DOCUMENT_STARTS):
        return None
    try:
        value = json.loads(text, object_pairs_hook=_unique)
        old = list(_leaves(value))
        new = list(_leaves(redact_json(value, for_display=for_display)))
    except (ValueError, RecursionError):
        return None
    if len(old) != len(new):
        return None
    kept, done = [], 0
    for found, before, other in zip(_LEAF.finditer(text), old, new, strict=True):
        if before is not other:
            literal = json.dumps(other, ensure_ascii=found[0].isascii())
            kept += [
                text[done : found.start()],
                literal.replace("/", "\\/") if "\\/" in found[0] else literal,
            ]
            done = found.end()
    return "".join([*kept, text[done:]])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(unique := dict(pairs)) < len(pairs):
        raise ValueError("duplicate keys")
    return unique


def _leaves(value: Any) -> Iterator[Any]:
    """Yield the keys, texts and numbers of a JSON value in the order of the document."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from _leaves(member)
    elif isinstance(value, list):
        for member in value:
            yield from _leaves(member)
    else:
        yield value


def _until_stable(text: str, *, broad: bool) -> str:
    """Redact until nothing changes. A text that keeps changing is redacted completely."""
    if (document := _redact_document(text, broad)) is not None:
        return document
    for _ in range(_PASSES):
        redacted = redact_whole_url(text) if broad else text
        redacted = redact_tokens(redacted)
        redacted = redact_options(redact_logins(redacted), broad)
        if redacted == text:
            return text
        text = redacted
    return REDACTED


_ESCAPE = re.compile(r"\\(?:u00(?P<code>[2-7][0-9a-f])|(?P<slash>/)|.)", re.IGNORECASE | re.DOTALL)
_QUOTE = re.compile(r'(?<!\\)"')


def redact_unparsed(text: bytes) -> str:
    """Return a text with secrets redacted, even if it is invalid JSON. Preserve bytes that are not UTF-8.

    Each part between two quotation marks is redacted separately, because in invalid JSON it is unknown which
    of them start a string. Then the whole text is redacted, for keys such as `"password"`.
    """
    plain = _ESCAPE.sub(_unescaped, text.decode("utf-8", "surrogateescape"))
    *parts, last = _QUOTE.split(plain)
    return redact('"'.join(map(redact_for_display, [*parts, without_cut_login(last)])))


def _unescaped(escape: re.Match[str]) -> str:
    """Replace an escape by its character, except quotation marks and backslashes."""
    char = "/" if escape["slash"] else chr(int(escape["code"], 16)) if escape["code"] else '"'
    return escape[0] if char in '"\\' else char
