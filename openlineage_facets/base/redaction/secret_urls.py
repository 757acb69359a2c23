"""Redact user names and passwords in URLs and connection strings."""

from __future__ import annotations

import re

__all__ = ["redact_logins", "redact_whole_url", "without_login"]

_MARK = "***"
_QUOTES = "\"'`"
_AUTHORITY_END = re.compile(r"[/?#\\]|\Z")
_HOSTS = re.compile(r"(?:(?:\[[^\]]*\]|[^:,\[\]]*)(?::\d*)?(?:,|\Z))*")
"""An authority without a login: hosts with optional ports."""

_CONTAINERS = ("abfs", "abfss", "wasb", "wasbs", "adl")
"""Schemes with a container instead of a user."""

_SHELLS = ("ssh", "sftp", "scp")
"""Schemes with a public user name, as in ssh://git@example.com."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*\Z")
_ORACLE = re.compile(r"jdbc:oracle:\w{1,20}:(?!@)", re.IGNORECASE)
_TOKEN_END = re.compile(r"\s|\Z")
_HOST_BEHIND = re.compile(
    r"@(?=(?P<url>//)?(?:\[[0-9A-Fa-f:.]{2,45}\]|[\w.-]{1,255})(?:(?P<port>:\d{1,5}(?!\w))|/\w)|(?P<go>\w{2,10}\())"
)
"""An at sign before a host with a port, a path, or in Go syntax: `tcp(host:3306)`."""

_LOGIN = re.compile(r"(?P<before>(?:[\w.-]{1,100}=)?)(?P<user>[\w.%+$\\-]+):(?P<password>[^@/]+)\Z")
_ORACLE_LOGIN = re.compile(r"(?P<before>(?:[\w.-]{1,100}=)?)(?P<user>[\w.$#]+)/(?P<password>[^@/]+)\Z")
_NO_LOGIN = frozenset({"jdbc", "mailto", "sip", "sips", "acct", "xmpp", "email", "mail"})
_LONGEST_LOGIN = 512


def redact_logins(text: str) -> str:
    """Redact user and password of each URL and connection string."""
    if "@" not in text:
        return text
    if "//" in text:
        text = _with_schemes(text)
    if "racle" in text or "RACLE" in text:
        text = _of_oracle(text)
    return _without_schemes(text)


def redact_whole_url(text: str) -> str:
    """Treat `text` as one URL and redact everything between scheme and last at sign.

    A password may contain any character. For display, redacting too much is acceptable.
    """
    at = text.rfind("@")
    scheme = text.find("://")
    if -1 < scheme < at and ":" in text[scheme + 3 : at]:
        text = f"{text[:scheme]}://{_MARK}{text[at:]}"
    oracle = _ORACLE.search(text)
    if oracle:
        at = text.rfind("@")
        if "/" in text[oracle.end() : at]:
            text = f"{text[: oracle.end()]}{_MARK}{text[at:]}"
    return text


def without_login(url: str) -> str:
    """Return a URL without user, password, query and fragment. The user of an SSH address is kept.

    Example:
        >>> without_login("https://ana:xyzzy@example.com/etl?key=1"), without_login("ssh://git:xyzzy@example.com/etl")
        ('https://example.com/etl', 'ssh://git@example.com/etl')
    """
    scheme, slashes, rest = url.partition("://")
    if not slashes:
        return re.split(r"[?#]", url, maxsplit=1)[0]
    end = _authority_end(rest, 0, len(rest))
    at = _login_end(scheme, rest, 0, end, len(rest), rest.rfind("@"))
    if at < 0 and scheme.lower() not in _CONTAINERS:
        at = rest.rfind("@", 0, end)
    user = rest[:at].partition(":")[0] if at >= 0 and scheme.lower().endswith(_SHELLS) else ""
    address = re.split(r"[?#]", rest[at + 1 :], maxsplit=1)[0]
    return f"{scheme}://{user}{'@' if user else ''}{address}"


def _authority_end(text: str, start: int, end: int) -> int:
    found = _AUTHORITY_END.search(text, start, end)
    return end if found is None else found.start()


def _login_end(scheme: str, text: str, start: int, authority: int, end: int, last_at: int) -> int:
    """Return the index of the at sign after a login, or -1 without a login to redact.

    Args:
        scheme: The scheme of the URL, "" if it has none.
        text: The text with the URL.
        start: The start of the authority.
        authority: The end of the authority, if the login has no slash.
        end: The end of the URL.
        last_at: The last at sign of the URL.
    """
    at = text.rfind("@", start, authority)
    if at < 0:
        if last_at < authority or _HOSTS.fullmatch(text, start, authority) is None:
            # `ana:xy/zzy@db`: the text after the colon is not a port, so the password has the slash.
            return last_at if last_at >= authority and ":" in text[start:authority] else -1
        # `1234` in `ana:1234/x@db` may be a port. With a file-like scheme, it is one.
        is_page = scheme.lower() in ("http", "https", "s3", "file", "hdfs", "gs", "")
        return -1 if is_page or ":" not in text[start:authority] else last_at
    login = text[start:at]
    if not login or ":" in login:
        return at if login else -1
    word = scheme.lower().rpartition("+")[2] or scheme.lower()
    if word in _CONTAINERS or word in _SHELLS:
        return -1
    # A user without password is not secret for databases; over HTTP it is a token.
    is_web = word in ("http", "https", "ftp", "ftps") or scheme.lower().startswith("git+")
    return at if is_web or _looks_random(login) else -1


def _looks_random(text: str) -> bool:
    return len(text) >= 20 and any(char.isdigit() for char in text) and any(char.isalpha() for char in text)


def _with_schemes(text: str) -> str:
    kept: list[str] = []
    done = position = 0
    unclosed = ""
    while (slashes := text.find("//", position)) >= 0:
        before = text[max(position, slashes - 100) : slashes].removesuffix(":")
        has_scheme = slashes > 0 and text[slashes - 1] == ":"
        found = _SCHEME.search(before) if has_scheme else None
        if not has_scheme and slashes and (text[slashes - 1].isalnum() or text[slashes - 1] in "/_@:"):
            position = slashes + 1
            continue
        scheme = found[0] if found else ""
        first = slashes - len(scheme) - (1 if has_scheme else 0)
        for prefix in ("jdbc:", "aws-wrapper:", "jdbc:"):
            first -= len(prefix) if text.endswith(prefix, 0, first) else 0
        start, end = slashes + 2, -1
        quote = text[first - 1] if first > 0 else ""
        if quote and quote in _QUOTES and quote not in unclosed:
            end = text.find(quote, start)
            if end < 0:
                unclosed += quote
        if end < 0:
            end = _TOKEN_END.search(text, start).start()  # type: ignore[union-attr]
        position, more = _redact_token(text, scheme, start, end, kept, done)
        done = more
    return "".join([*kept, text[done:]])


def _redact_token(
    text: str, scheme: str, start: int, end: int, kept: list[str], done: int
) -> tuple[int, int]:
    """Redact URLs without whitespace between them. Return the next position and the end of the copy."""
    last_at = text.rfind("@", start, end)
    while start <= last_at:
        authority = _authority_end(text, start, end)
        at = _login_end(scheme, text, start, authority, end, last_at)
        if at >= 0:
            if text[start:at] != _MARK:
                kept += [text[done:start], _MARK]
                done = at
            start = at + 1
        following = text.find("//", start, end)
        if following < 0:
            break
        found = _SCHEME.search(text[max(start, following - 101) : following - 1])
        scheme = found[0] if found and text[following - 1] == ":" else ""
        start = following + 2
    return max(end, start), done


def _of_oracle(text: str) -> str:
    """Redact `scott/tiger` in `jdbc:oracle:thin:scott/tiger@db:1521:orders`."""
    kept: list[str] = []
    done = looked_at = 0
    for found in _ORACLE.finditer(text):
        start = found.end()
        if start < looked_at:
            continue
        quote = text[found.start() - 1] if found.start() else ""
        end = text.find(quote, start) if quote and quote in _QUOTES else -1
        if end < 0:
            end = _TOKEN_END.search(text, start).start()  # type: ignore[union-attr]
        looked_at = end
        at = text.rfind("@", start, end)
        if at > start and "/" in text[start:at] and text[start:at] != _MARK:
            kept += [text[done:start], _MARK]
            done = at
    return "".join([*kept, text[done:]])


def _without_schemes(text: str) -> str:
    """Redact the login of `ana:xyzzy@db:5432`, `ana:xyzzy@tcp(db:3306)/x` and `scott/tiger@db:1521/x`."""
    kept: list[str] = []
    done = 0
    for found in _HOST_BEHIND.finditer(text):
        at = found.start()
        left = text[max(done, at - _LONGEST_LOGIN) : at]
        begin = max(left.rfind(char) for char in " \t\r\n\"'`(<>|[{,;") + 1
        token = left[begin:]
        login = None if found["url"] else _LOGIN.match(token)
        if login is None and (found["port"] or found["url"]):
            login = _ORACLE_LOGIN.match(token)
        if login is None or login["user"].lower() in _NO_LOGIN or login["password"].endswith(_MARK):
            continue
        start = at - len(token) + len(login["before"])
        kept += [text[done:start], _MARK]
        done = at
    return "".join([*kept, text[done:]])
