"""Names of options, columns, variables and headers with secret values."""

from __future__ import annotations

import re
from functools import lru_cache

from openlineage_facets.base.redaction.secret_table import (
    ABOUT,
    ANYWHERE,
    ENDS,
    HARMLESS_WORDS,
    KEYS,
    LAST_WORDS,
    LOOK_ALIKE_LETTERS,
    LOOK_ALIKES,
    PLAIN,
    URL_PARAMETERS,
    WORDS,
)


def with_plain_letters(text: str) -> str:
    """Replace full-width letters and others that look like Latin ones. The length is the same.

    Example:
        >>> with_plain_letters("ｐａｓｓｗｏｒｄ＝１")
        'password=1'
    """
    return text if text.isascii() else text.translate(PLAIN)


_ANYWHERE = [with_plain_letters(word) for word in ANYWHERE]
_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_SECRET = re.compile(
    "|".join(
        (
            *(word.replace("_", "_?") for word in _ANYWHERE),
            rf"(?<![^_])(?:{'|'.join(WORDS)})(?=\d{{0,9}}(?:_|\Z))",
            rf"(?:{'|'.join(ENDS)})(?=\d{{0,9}}(?:_|\Z))",
            rf"(?:{'|'.join(KEYS)})s?_?keys?(?=\d{{0,9}}(?:_|\Z))",
            rf"(?<![^_])(?:{'|'.join(LAST_WORDS)})\Z",
        )
    )
)
_HARMLESS = re.compile("|".join(HARMLESS_WORDS))


def _stem() -> re.Pattern[str]:
    """Return a pattern that matches a part of every name. This is faster than ignoring case."""
    names = (*_ANYWHERE, *WORDS, *ENDS, *LAST_WORDS, *URL_PARAMETERS, "identified")
    parts = {max(name.split("_"), key=len) for name in names}
    by_first: dict[str, list[str]] = {}
    for part in sorted(part for part in parts if not any(other in part for other in parts - {part})):
        first, *others = (_letter(char, part) for char in part)
        by_first.setdefault(first, []).append("".join(others))
    words = "|".join(f"{first}(?:{'|'.join(others)})" for first, others in by_first.items())
    firsts = "".join(by_first).replace("][", "")  # Most characters are no first letter.
    return re.compile(f"(?={firsts})(?:{words})")


def _letter(char: str, part: str) -> str:
    """Return a pattern of a letter in a part of a name, with its look-alikes in common parts."""
    is_common = part in ("pass", "secret", "token", "credential")
    others = [chr(code) for code, plain in LOOK_ALIKE_LETTERS.items() if is_common and chr(plain) == char]
    return f"[{char}{char.upper()}{''.join(others)}]"


STEM = _stem()


_LONGEST_CACHED = 1_000
"""Characters of the longest name that is cached."""


def is_secret_name(name: str) -> bool:
    """Return whether the value of the option `name` is a secret.

    Example:
        >>> [is_secret_name(name) for name in ("s3.secret.key", "OAuthPvtKey", "primary_key", "token_url")]
        [True, True, False, False]
    """
    return _is_secret(name, any_spelling=True)


def is_name_of_secret(value: str) -> bool:
    """Return whether a value is the name of a secret, such as `db_password`, and not the secret `S3cret`."""
    return _is_secret(value, any_spelling=False)


def _is_secret(name: str, *, any_spelling: bool) -> bool:
    is_short = len(name) <= _LONGEST_CACHED
    return (_is_short_secret_name if is_short else _is_secret_name)(name, any_spelling)


def _is_secret_name(name: str, any_spelling: bool) -> bool:
    plain = with_plain_letters(name)
    if any_spelling:
        plain = LOOK_ALIKES.sub(lambda word: word[0].translate(LOOK_ALIKE_LETTERS), plain)
    words = _CAPITALS.sub("_", plain).lower().rstrip("_")
    if words.rpartition("_")[2] in ABOUT:
        return False
    return _SECRET.search(_HARMLESS.sub("", words)) is not None


_is_short_secret_name = lru_cache(maxsize=4_096)(_is_secret_name)
