"""Redact secrets without a name: tokens with a known format, private keys, HTTP credentials, arguments."""

from __future__ import annotations

import re
from base64 import b64decode
from functools import cache

from openlineage_facets.base.redaction.redacted_text import REDACTED
from openlineage_facets.base.redaction.secret_commands import COMMANDS
from openlineage_facets.base.redaction.secret_table import HARMLESS

# fmt: off

_PREFIXES = {
    r"[A-Z0-9]{16,17}(?![A-Z0-9])": "ABIA ACCA AKIA ASIA A3T",
    r"[A-Z0-9]{16,61}(?![A-Za-z0-9])": "GOOG",
    r"[A-Za-z0-9]{20}(?![A-Za-z0-9])": "LTAI",
    r"[A-Za-z0-9]{32}(?![A-Za-z0-9])": "AKID ATBB",
    r"[A-Za-z0-9]{38,43}(?![A-Za-z0-9])": "secret_ 4b1d oy2",
    r"[A-Za-z0-9]{20,}": """
        ghp_ gho_ ghu_ ghs_ ghr_ npm_ hf_ api_org_ r8_ gsk_ pplx- pnu_ pnb_ ntn_ nfp_ sgp_ lin_api_ apify_api_
        phc_ phx_ AKC EZAK EZTK""",
    r"[0-9a-f]{32,64}(?:-\d{1,2})?(?![0-9a-f])": """
        dapi dose dkea key- SK shpat_ shpca_ shppa_ shpss_ rubygems_ sqp_ squ_ sqa_ pul- sbp_ dop_v1_ doo_v1_
        dor_v1_""",
    r"[\w-]{10,}": """
        xoxa- xoxb- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb- xoxo- xoxp- xoxr- xoxs- xapp-
        sk_live_ rk_live_ pk_live_ sk_test_ rk_test_ pk_test_ whsec_live_ whsec_test_
        duffel_live_ duffel_test_ shippo_live_ shippo_test_ AVNS_
        tskey-""",
    r"[\w.=+/-]{20,}": """
        github_pat_ glpat- gldt- glft- glsoat- glrt- glrtr- glcbt- glimt- glptt- glagent- gloas- glffct- glwt-
        GR1348941 whsec_ ya29. 1//0 GOCSPX- sk- hvs. hvb. hvr. glc_ glsa_ dbtc_ dbtu_ pscale_tkn_ pscale_pw_
        pscale_oauth_ PMAK- ATATT3 ATCTT3 NRAK- NRII- NRJS- NRRA- xkeysib- sntrys_ sntryu_ tfp_ HRKU- sha256~
        fo1_ sq0csp- sq0atp- sq0idp- CLOJARS_""",
    r"[\w.=+/-]{35,}": """
        AIza EAAA AQVN pypi- ops_eyJ cmVmd ABSK fm1a_ fm1r_ fm2_ EAAM EAAC AGE-SECRET-KEY-1""",
}
_KEY_BODY = r"(?:[^\"\\-]|\\[^\"]|-(?!----END))*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
_FORMS = (
    ("PRIVATE KEY", rf"-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----{_KEY_BODY}"),
    ("PuTTY", r"(PuTTY-User-Key-File-\d:)(?!\*\*\*)(?:[^\"\\]|\\[^\"])*"),
    ("eyJ", r"eyJ[\w-]{8,4000}\.[\w-]{4,8000}(?:\.[\w-]*)?[\w.-]*"),  # JSON Web Tokens
    ("SG.", r"SG\.[\w-]{16,64}\.[\w-]{16,}"),  # SendGrid
    ("-us", r"[0-9a-f]{32}-us\d{1,2}(?!\w)"),  # Mailchimp
    (":AA", r"\d{8,10}:AA[\w-]{33}"),  # Telegram
    (".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),  # Terraform
    ("Q~", r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}"),  # Azure
    ("A3-", r"A3-[A-Z0-9]{6}-[A-Z0-9-]{20,40}(?![A-Z0-9])"),  # 1Password
    ("dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}"),  # Doppler
    ("dt0", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),  # Dynatrace
    ("pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),  # Airtable
    # Webhooks and headers, whose first group is kept.
    ("discord", r"(discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/)(?!\*\*\*)[\w/-]+"),
    ("hooks", r"(hooks\.(?:slack|zapier)\.com/(?:services|workflows|hooks/catch)/)(?!\*\*\*)[\w/-]+"),
    ("webhook", r"([\w-]{1,60}(?:\.webhook)?\.office\.com/webhook(?:b2)?/)(?!\*\*\*)[\w@/-]+"),
    ("api.telegram.org/bot", r"(api\.telegram\.org/bot)(?!\*\*\*)[\w:-]+"),
    ("earer", r"([Bb]earer[ \t]{1,8})(?!\*\*\*|[{$<]|(?:realm|scope|error)=|(?:tokens?|auth\w{0,20}|schemes?"
     r"|header|errors?|of|is|was|are|and|or|for|with|not|in|to)(?![\w.+/=-]))[^\s\"'`,;)<>\\]+"),
    ("BEARER", r"(BEARER[ \t]{1,8})(?!\*\*\*)[^\s\"'`,;)<>\\]+"),
    ("asic", r"([Bb]asic[ \t]{1,8})(?P<login>[A-Za-z0-9+/]{4,2000}={0,2})(?![\w+/=])"),
    ("response=", r"(response=\\{0,7}[\"']?)[0-9a-f]{32,128}(?![0-9a-f])"),
    ("REPLACE", r"(\*\*\*[\"']?[ \t]{1,4}REPLACE[ \t]{1,4}[\"']?)(?!\*\*\*)[^\s\"';]+"),  # Oracle
    ("ConvertTo-SecureString", r"(ConvertTo-SecureString[ \t]{1,4}(?:-\w{1,20}[ \t]{1,4}){0,3}[\"'])"
     r"(?!\*\*\*|\$)[^\"'\r\n]+"),
    ("##vso", r"(##vso\[task\.setvariable [^\]\n]{0,200}issecret=true[^\]\n]{0,100}\])"
     r"(?!\*\*\*|\$)[^\s\"']+"),
    ("::add-mask::", r"(::add-mask::)(?!\*\*\*|\$)[^\s\"']+"),
    *((flag, rf"({flag}[ =]{{1,4}}[\"']?)(?!\*\*\*|jdbc:)[^\s:\"'*\\]{{1,99}}:"
             r"(?=\S{0,60}\d)(?=\S{0,60}[A-Za-z])"
             r"[^/\s\"'\\][^\s\"'\\]*")
      for flag in ("-u", "-U", "--user", "--proxy-user")),
)
_TOKENS = tuple(
    (part, rf"(?<![\w.~+-])(?:{form})")
    for part, form in (
        *(
            (prefix, re.escape(prefix) + form)
            for form, prefixes in _PREFIXES.items()
            for prefix in prefixes.split()
        ),
        *_FORMS,
    )
)
"""A part of each token to search for first, and its pattern."""

# fmt: on


_HAS_ARGUMENTS = re.compile(r"[\s\"'(:]")
"""What separates a command, a function or a host from what follows it. Most names have none of these."""

_compiled = cache(re.compile)  # Most are never needed.


def redact_tokens(text: str) -> str:
    """Redact private keys, provider tokens, HTTP credentials and arguments of commands and functions."""
    for part, form in _TOKENS:
        if part in text:
            text = _compiled(form).sub(_redacted, text)
    if _HAS_ARGUMENTS.search(text) is None:
        return text
    lowered = text.lower()
    for part, form in COMMANDS:
        if part in lowered:
            text = _compiled(form).sub(_redacted, text)
    return text


def _redacted(found: re.Match[str]) -> str:
    """Keep the first group. Of base64, only `user:password` is a secret, but not "basic authentication".

    An argument that refers to a secret is kept.
    """
    groups = found.groupdict()
    if "login" in groups and not _is_login(groups["login"]):
        return found[0]
    if "secret" in groups and HARMLESS.match(found.string, found.start("secret")):
        return found[0]
    return f"{found[1]}{REDACTED}" if found.re.groups else REDACTED


def _is_login(encoded: str) -> bool:
    try:
        return b":" in b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except ValueError:
        return False
