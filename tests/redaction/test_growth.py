"""Redaction takes linear time: it reads a text of four times the length with four times as many operations.

Operations are counted, not timed: the characters that patterns and searches read. That is enough, because a
pattern reads a limited number of characters before it either fails or ends, which the first test checks.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

from openlineage_facets.base import redaction as package
from openlineage_facets.base.redaction import redact, redacted_text, secret_commands, secret_tokens
from tests.redaction.corpus import assert_none

if sys.version_info >= (3, 11):
    from re import _constants as constants
    from re import _parser as parser
else:
    import sre_constants as constants
    import sre_parse as parser

MODULES = [import_module(f"{package.__name__}.{module.name}") for module in iter_modules(package.__path__)]

REPEATED = r"""
a ~ ' ~ " ~ \ ~ '' ~ @ ~ // ~ :// ~ a:// ~ 'a:// ~ a:a@ ~ @a:1 ~ a:a@a:1_ ~ = ~ *** ~ _ ~ ⏎
password ~ password= ~ password=' ~ password="\ ~ password={ ~ password=[" ~ password:_ ~ password:_"
password, ~ password-> ~ password_ ~ password_| ~ ⏎password:_>_ ~ --password_ ~ -u_a: ~ key_ ~ pass. ~ pw-
sig ~ token
set_password_for_a= ~ jdbc:oracle:thin: ~ jdbc:oracle:thin:a/ ~ eyJ ~ SG. ~ eyJhbGciOiJ. ~ sk- ~ xoxb-
Bearer_ ~ Basic_a ~ identified_by_ ~ identified_by_' ~ -----BEGIN_PRIVATE_KEY----- ~ PuTTY-User-Key-File-2:
<password>
<name>password</name> ~ <name>password ~ <password_ ~ a.token_=_b.token_ ~ password=f(' ~ password=f("a",
user=a&password= ~ x://a:b/ ~ http://a:1/@ ~ ://[ ~ password={{ ~ uid= ~ İ ~ {"a": ~ [ ~ {"password":[
auth:_" ~ name:_password,_value ~ {"name":_"password",_"a":_1,_ ~ "value":_"a",_"name":_"password"
(password_(
password:{a:1, ~ password:_${ ~ %3A%2F%2Fa%3Aa ~ login_a_password_ ~ lambda_a_token:_ ~ fs.a.secret_
$$password_$$ ~ password_$$ ~ password_"\" ~ x://a:b_ ~ a:b_c ~ password_=_md5('
https://a.b/?token=x_ ~ it's_
curl_ ~ curl_-u ~ curl_-u_a: ~ mysql_-p ~ mysql_-p' ~ docker_login_-p_ ~ htpasswd_-b_a_ ~ vault_login_-
sqlplus_a/ ~ conn_a/ ~ encrypt( ~ encrypt(a, ~ encrypt('a ~ encrypt(( ~ s3('a',' ~ getConnection(a,' ~ a:5432:
a:5432:a:a: ~ password:⏎_-_ ~ password:⏎_a:_ ~ ⏎_password: ~ password:⏎_password:⏎__ ~ password:_{a:_
password:_[a,_ ~ password=(' ~ password=("a", ~ "password":{"a":" ~ {"password":{"a":{ ~ Authorization:_a⏎_
('password','a'), ~ (' ~ pass=1_fail=0_ ~ password==1. ~ if_password:_ ~ if_a_a_ ~ password[a,a
encrypt(a,'\' ~ encrypt(a,'' ~ encrypt(a,_'\\ ~ encrypt(a=>b,_a=> ~ password_'' ~ 'a'_as_password,_
map('a',_'password',_ ~ token_in_('a1', ~ token_like_' ~ lit('a').alias('token') ~ token_==_
password='a'_+_ ~ 'a'+ ~ password_a_ ~ password_a(1)_default_' ~ set_(password,_ ~ set_(password)_=_('a',
'a'_password,_ ~ s3://a/token=a/ ~ s3://a/ ~ hdfs://a:1/a@ ~ a.py:1@a:1_ ~ 1:11:11@a:1_ ~ password_<=>_'
"val":"a","name":"token",
p@ss ~ p@ssw0rd= ~ ｐａｓｓ＝ ~ password\u003d ~ &#34; ~ password%3d%22 ~ <password><value>
"""
TEXTS = [one.replace("_", " ").replace("⏎", "\n") for one in re.split(r" ~ |\n", REPEATED) if one] + [
    "\ud800"
]


Redaction = Callable[[str], str]


class Counted:
    """A pattern that counts the characters it reads."""

    read = 0

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    def __hash__(self) -> int:
        return hash(self._pattern)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._count(self._pattern.match(text, start, end), start, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._count(self._pattern.fullmatch(text), 0, min(len(text), 400))

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._count(self._pattern.search(text, start, end), start, min(len(text), end))

    def sub(self, replacement: Any, text: str) -> str:
        Counted.read += len(text)
        return self._pattern.sub(replacement, text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        Counted.read += len(text)
        return self._pattern.finditer(text)

    def _count(self, found: re.Match[str] | None, start: int, without: int) -> re.Match[str] | None:
        Counted.read += 1 + (without if found is None else found.end()) - start
        return found


def counted(value: Any) -> Any:
    """Replace the patterns in a value, such as a table."""
    if isinstance(value, re.Pattern):
        return Counted(value)
    if isinstance(value, tuple):
        parts = [counted(one) for one in value]
        return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


@pytest.fixture
def operations(monkeypatch: pytest.MonkeyPatch) -> Callable[[Redaction, str], int]:
    for module in MODULES:
        for name, value in list(vars(module).items()):
            if isinstance(value, (re.Pattern, tuple)):
                monkeypatch.setattr(module, name, counted(value))
    monkeypatch.setattr(redact, "_PASSES", 1)
    monkeypatch.setattr(secret_tokens, "_compiled", cache(lambda form: Counted(re.compile(form))))
    find = redacted_text.RedactedText.find

    def counted_find(self: redacted_text.RedactedText, what: str, start: int) -> int:
        is_known = start >= self._missing.get(what, sys.maxsize)
        found = find(self, what, start)
        Counted.read += 0 if is_known else found - start
        return found

    monkeypatch.setattr(redacted_text.RedactedText, "find", counted_find)

    def operations(redaction: Redaction, text: str) -> int:
        Counted.read = 0
        redaction(text)
        return Counted.read

    return operations


def patterns(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from patterns(one)


def can_fail(items: Any) -> bool:
    """Return whether a part of a pattern may not match."""
    return any(
        can_fail(value[-1])
        if operation is constants.SUBPATTERN
        else not (operation in (constants.MAX_REPEAT, constants.MIN_REPEAT) and value[0] == 0)
        for operation, value in items
    )


def unlimited(items: Any, is_end: bool = True) -> Iterator[object]:
    """Yield the parts of a pattern that repeat without bound although something after them may fail."""
    for position, (operation, value) in enumerate(items):
        at_end = is_end and not can_fail(list(items)[position + 1 :])
        if operation in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            if value[1] is constants.MAXREPEAT and not at_end:
                yield operation, value
            yield from unlimited(value[2], at_end and value[1] == 1)
        elif operation is constants.SUBPATTERN:
            yield from unlimited(value[-1], at_end)
        elif operation is constants.BRANCH:
            for branch in value[1]:
                yield from unlimited(branch, at_end)
        elif operation is constants.GROUPREF_EXISTS:
            for branch in filter(None, value[1:]):
                yield from unlimited(branch, at_end)
        elif operation in (constants.ASSERT, constants.ASSERT_NOT):
            yield from unlimited(value[1], is_end=False)


def test_patterns_repeat_without_bound_only_at_their_end() -> None:
    found = {pattern for module in MODULES for value in vars(module).values() for pattern in patterns(value)}
    found |= {re.compile(form) for _, form in secret_tokens._TOKENS + secret_commands.COMMANDS}
    assert len(found) > 400
    assert_none(
        (pattern.pattern, *parts)
        for pattern in found
        if (parts := list(unlimited(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))))
    )


def unparsed(text: str) -> str:
    return redact.redact_unparsed(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    ("redactions", "length"),
    [
        pytest.param((redact.redact,), 150, marks=pytest.mark.check),
        pytest.param((redact.redact, unparsed), 300, marks=pytest.mark.thorough),
    ],
)
def test_hostile_text_takes_linear_time(
    redactions: tuple[Redaction, ...], length: int, operations: Callable[[Redaction, str], int]
) -> None:
    def failures() -> Iterator[tuple[object, ...]]:
        for redaction, repeated, tail in itertools.product(redactions, TEXTS, ("", "@h:1'")):
            texts = (repeated * (most // len(repeated)) + tail for most in (length, 4 * length))
            few, many = (operations(redaction, text) for text in texts)
            if many > 8 * few + 400:
                yield redaction.__name__, repr(repeated), tail, few, many

    assert_none(failures())
