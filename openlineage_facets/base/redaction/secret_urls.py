"""Redact user names and passwords in URLs and connection strings."""

from __future__ import annotations

import re

from openlineage_facets.base.redaction.redacted_text import REDACTED, RedactedText

_QUOTES = "\"'`"
_WHITESPACE = re.compile(r"\s")
_SCHEME = re.compile(r"[A-Za-z0-9+.-]*")
_URL = re.compile(r"([A-Za-z0-9+.-]{0,10})://")
_LONGEST_SCHEME = 100
_LONGEST_LOGIN = 512

# What addresses look like. Patterns repeat without bound only at their end, see `secret_table`.

_START = re.compile(r"(?P<colon>:)?(?:\\{0,7}/){2}|(?P<oracle>jdbc:oracle:\w{1,20}:)(?!@)", re.IGNORECASE)
"""What is in front of a login in an address."""

_ENCODED = re.compile(
    r"(%(?:25)?3A(?:%(?:25)?2F){2})(?!\*\*\*)(?:(?!%(?:25)?(?:2F|40))[^\s&\"'<>\\]){1,400}(?=%(?:25)?40)",
    re.IGNORECASE,
)
"""A login in a percent-encoded address."""

_AUTHORITY_END = re.compile(r"[/?#\\]")
_NO_PORT = re.compile(r":(?!\d{0,5}(?:,|\Z))")
_AFTER_BLANK = re.compile(r"(?:[ \t][^\s@,;:\"']{1,30}){1,3}(?=@[\w.-]{1,255}(?::\d|/))")
"""The rest of a login whose password has blanks."""

_HOST = re.compile(
    r"@(?=(?P<url>//)?(?:\[[0-9A-Fa-f:.]{2,45}\]|[\w.-]{1,255})(?:(?P<port>:\d{1,5}(?!\w))|/\w)|(?P<go>\w{2,10}\()|/\w)"
)
"""An at sign before a host with a port, a path, or in Go syntax: `tcp(host:3306)`."""

_LOGIN = re.compile(
    r"(?P<before>(?:[\w.-]{1,100}=|[\w+.-]{2,50}:/)?)(?P<user>[\w.%+$\\-]{1,200}):(?P<password>[^/]{1,400})\Z"
)
_ORACLE_LOGIN = re.compile(
    r"(?P<before>(?:[\w.-]{1,100}=)?)(?P<user>[\w.$#]{1,200})/(?P<password>[^@/]{1,400})\Z"
)
_NO_USER = frozenset({"jdbc", "mailto", "sip", "sips", "acct", "xmpp", "email", "mail"})

_NO_LOGIN = re.compile(
    r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?"
    r"|[\w.-]{1,100}\.(?:py|java|scala|kt|sql|sh|go|rs|js|ts|c|cc|cpp|h):\d{1,6}"
)
"""A time or a line of a file in front of an at sign: `12:30:45@node1:8080`, `job.py:12@node1:7077`."""

_CONTAINERS = ("abfs", "abfss", "wasb", "wasbs", "adl")
"""Schemes with a container instead of a user."""

_SHELLS = ("ssh", "sftp", "scp")
"""Schemes with a public user name, as in ssh://git@example.com."""

_PRINCIPAL = re.compile(r"/[^@\s]{0,100};principal=")
"""What is between the host of a Hive address and an at sign that belongs to a Kerberos principal."""

_PAGES = ("http", "https", "s3", "file", "hdfs", "gs", "")
"""Schemes of files and pages, whose paths contain at signs."""


def redact_logins(text: str) -> str:
    """Redact user and password of each URL and connection string."""
    if "%40" in text or "%2540" in text:
        text = _ENCODED.sub(rf"\1{REDACTED}", text)
    if "@" not in text:
        return text
    return _without_schemes(str(_Addresses(text).redacted()))


def redact_whole_url(text: str) -> str:
    """Treat `text` as one URL and redact everything between scheme and last at sign.

    A password may contain any character. For display, redacting too much is acceptable.
    """
    at = text.rfind("@")
    start = next((scheme.end() for scheme in _URL.finditer(text) if not _is_page(scheme, text)), at)
    if ":" in text[start : max(at, 0)]:
        text = f"{text[:start]}{REDACTED}{text[at:]}"
        at = text.rfind("@")
    if "jdbc:oracle:" not in text.lower():
        return text
    oracle = next((start for start in _START.finditer(text) if start["oracle"]), None)
    if oracle and "/" in text[oracle.end() : at]:
        text = f"{text[: oracle.end()]}{REDACTED}{text[at:]}"
    return text


def _is_page(scheme: re.Match[str], text: str) -> bool:
    """Return whether a URL is that of a page or file on a host with a port: `hdfs://nn:8020/a@b`."""
    start, end = scheme.end(), _authority_end(text, scheme.end(), len(text))
    is_host = "@" not in text[start:end] and _has_no_login(text, start, end)
    return is_host and scheme[1].lower() in _PAGES


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
    at = _login_end(scheme, rest, 0, end, rest.rfind("@"))
    if at < 0 and scheme.lower() not in _CONTAINERS:
        at = rest.rfind("@", 0, end)
    user = rest[:at].partition(":")[0] if at >= 0 and scheme.lower().endswith(_SHELLS) else ""
    address = re.split(r"[?#]", rest[at + 1 :], maxsplit=1)[0]
    return f"{scheme}://{user}{'@' if user else ''}{address}"


def _authority_end(text: str, start: int, end: int) -> int:
    found = _AUTHORITY_END.search(text, start, end)
    return end if found is None else found.start()


def _login_end(scheme: str, text: str, start: int, authority: int, last_at: int) -> int:
    """Return the index of the at sign after a login, or -1 without a login to redact.

    Args:
        scheme: The scheme of the URL, "" if it has none.
        text: The text with the URL.
        start: The start of the authority.
        authority: The end of the authority, if the login has no slash.
        last_at: The last at sign of the URL.
    """
    at = text.rfind("@", start, authority)
    colon = text.find(":", start, authority if at < 0 else at)
    if at < 0:
        # `1234` in `ana:1234/x@db` may be a port, but `xy` in `ana:xy/zzy@db` is the start of the password.
        is_host = scheme.lower() in _PAGES or _PRINCIPAL.match(text, authority) is not None
        is_port = is_host and _has_no_login(text, start, authority)
        return -1 if last_at < authority or colon < 0 or is_port else last_at
    login = text[start:at]
    if not login or colon >= 0:
        return at if login else -1
    word = scheme.lower().rpartition("+")[2] or scheme.lower()
    if word in _CONTAINERS or word in _SHELLS:
        return -1
    # A user without password is not secret for databases; over HTTP it is a token.
    is_web = word in ("http", "https", "ftp", "ftps") or scheme.lower().startswith("git+")
    return at if is_web or _looks_random(login) else -1


def _has_no_login(text: str, start: int, authority: int) -> bool:
    """Return whether an authority without at sign consists of hosts with ports."""
    return text.startswith("[", start) or _NO_PORT.search(text, start, authority) is None


def _looks_random(text: str) -> bool:
    return len(text) >= 20 and any(char.isdigit() for char in text) and any(char.isalpha() for char in text)


class _Addresses(RedactedText):
    """Addresses with a scheme, or with two slashes."""

    def redacted(self) -> _Addresses:
        text, end, last_at = self.text, -1, -1
        for found in _START.finditer(text):
            start = found.end()
            scheme = self._scheme(found)
            if scheme is None or start < self.done:
                continue
            if start >= end:  # Several addresses may follow each other without whitespace.
                end = self._end(found.start() - len(scheme), start)
                last_at = text.rfind("@", start, end)
            if found["oracle"]:
                self.redact(start, last_at if "/" in text[start:last_at] else start)
                continue
            authority = _authority_end(text, start, end)
            at = _login_end(scheme, text, start, authority, last_at)
            if authority == end and at < 0 and not _has_no_login(text, start, end):
                rest = _AFTER_BLANK.match(text, end)
                at = rest.end() if rest else -1
            self.redact(start, at)
        return self

    def _scheme(self, found: re.Match[str]) -> str | None:
        """Return the scheme of an address, or None for slashes in something else."""
        text, start = self.text, found.start()
        if found["oracle"]:
            return ""
        if found["colon"]:
            before = _SCHEME.match(text[max(0, start - _LONGEST_SCHEME) : start][::-1])
            return before[0][::-1] if before else ""
        return None if start and (text[start - 1].isalnum() or text[start - 1] in "/_@:") else ""

    def _end(self, first: int, start: int) -> int:
        """Return the end of the address, at the closing quotation mark or at whitespace."""
        text = self.text
        for prefix in ("jdbc:", "aws-wrapper:", "jdbc:"):
            first -= len(prefix) if text.endswith(prefix, 0, first) else 0
        quote = text[first - 1] if first > 0 else ""
        end = self.find(quote, start) if quote and quote in _QUOTES else len(text)
        if end == len(text) and (whitespace := _WHITESPACE.search(text, start)):
            end = whitespace.start()
        return end


def _has_no_password(login: re.Match[str]) -> bool:
    """Return whether what looks like a login has no password, or only a redacted one."""
    is_redacted = login["password"].endswith(REDACTED) or login["user"].lower() in _NO_USER
    return is_redacted or _NO_LOGIN.fullmatch(login[0]) is not None


def _without_schemes(text: str) -> str:
    """Redact the login of `ana:xyzzy@db:5432`, `ana:xyzzy@tcp(db:3306)/x` and `scott/tiger@db:1521/x`."""
    redacted = RedactedText(text)
    for found in _HOST.finditer(text):
        at = found.start()
        left = text[max(redacted.done, at - _LONGEST_LOGIN) : at]
        token = left[max(left.rfind(char) for char in " \t\r\n\"'`(<>|[{,;") + 1 :]
        login = None if found["url"] else _LOGIN.match(token)
        if login is None and (found["port"] or found["url"]):
            login = _ORACLE_LOGIN.match(token)
        if login and not _has_no_password(login):
            redacted.redact(at - len(token) + len(login["before"]), at)
    return str(redacted)
