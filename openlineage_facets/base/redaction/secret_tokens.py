"""Redact secrets with a known format: provider tokens, JSON Web Tokens, private keys."""

from __future__ import annotations

import re
from base64 import b64decode

__all__ = ["redact_tokens"]

_FORMS = (
    *((key, rf"{key}[A-Z0-9]{{16}}(?![A-Z0-9])") for key in ("ABIA", "ACCA", "AKIA", "ASIA")),  # AWS
    ("A3T", r"A3T[A-Z0-9]{17}(?![A-Z0-9])"),
    *((f"gh{kind}_", rf"gh{kind}_[A-Za-z0-9]{{20,255}}") for kind in "pousr"),  # GitHub
    ("github_pat_", r"github_pat_\w{20,255}"),
    ("gl", r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-[\w-]{20,255}"),  # GitLab
    ("GR1348941", r"GR1348941[\w-]{20,255}"),
    ("xox", r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,255}"),  # Slack
    ("xapp-", r"xapp-[\w-]{10,255}"),
    ("_live_", r"(?:sk|rk|pk|whsec)_live_\w{10,255}"),  # Stripe
    ("_test_", r"(?:sk|rk|pk|whsec)_test_\w{10,255}"),
    ("whsec_", r"whsec_[A-Za-z0-9+/=]{20,255}"),
    ("AIza", r"AIza[\w-]{35}"),  # Google
    ("ya29.", r"ya29\.[\w.-]{20,2000}"),
    ("GOCSPX-", r"GOCSPX-[\w-]{20,255}"),
    ("dapi", r"dapi[0-9a-f]{32}(?:-\d+)?"),  # Databricks
    ("dose", r"dose[0-9a-f]{32}"),
    ("eyJ", r"eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*){0,3}"),  # JSON Web Tokens
    ("SG.", r"SG\.[\w-]{16,}\.[\w-]{16,}"),  # SendGrid
    ("npm_", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-", r"pypi-[\w-]{50,}"),
    ("sk-", r"sk-[\w-]{20,}"),  # OpenAI, Anthropic
    ("hf_", r"hf_[A-Za-z0-9]{30,}"),  # Hugging Face
    ("SK", r"SK[0-9a-f]{32}(?![0-9a-f])"),  # Twilio
    ("sq0", r"sq0[a-z]{3}-[\w-]{22,}"),  # Square
    ("EAAA", r"EAAA[\w-]{60}"),
    ("-us", r"[0-9a-f]{32}-us\d{1,2}(?!\w)"),  # Mailchimp
    (":AA", r"\d{8,10}:AA[\w-]{33}"),  # Telegram
    ("hv", r"hv[sbr]\.[\w-]{20,}"),  # Vault
    ("_v1_", r"do[opr]_v1_[0-9a-f]{64}"),  # DigitalOcean
    ("shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),  # Shopify
    ("NRAK-", r"NRAK-[A-Z0-9]{27}"),  # New Relic
    ("ATATT3", r"ATATT3[\w=-]{20,}"),  # Atlassian
    ("glc_", r"glc_[\w+/=]{20,}"),  # Grafana
    ("glsa_", r"glsa_[\w+/=]{20,}"),
    ("dbt", r"dbt[cu]_[\w-]{20,}"),
    ("pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{20,}"),  # PlanetScale
    ("PMAK-", r"PMAK-[\w-]{30,}"),  # Postman
    ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("AKC", r"AKC[A-Za-z0-9]{50,}"),  # Artifactory
    (".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),  # Terraform
    ("Q~", r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}"),  # Azure
)
_TOKENS = tuple((part, re.compile(rf"(?<![\w.~+-]){form}")) for part, form in _FORMS)
"""The pattern of each kind of token, with a substring for a fast search."""

_HOOK = re.compile(r"(hooks\.slack\.com/(?:services|workflows)/)(?!\*\*\*)[\w/]+")
_SCHEME = re.compile(
    r"(\b[Bb]earer[ \t]{1,8}|\bBEARER[ \t]{1,8})"
    r"(?!\*\*\*|(?:tokens?|auth\w{0,20}|schemes?|realm|header|errors?|challenge|of|is|was|are|and|or|for|with|not|"
    r"in|to)(?![\w.+/=-]))[^\s\"'`,;)<>\\]+"
)
_BASIC = re.compile(r"(\b[Bb]asic[ \t]{1,8})([A-Za-z0-9+/]{4,2000}={0,2})(?![\w+/=])")
_USER_FLAG = re.compile(
    r"((?<!\S)(?:-u|--user|--proxy-user|-U)[ =]{1,4}[\"']?)(?!\*\*\*)[^\s:\"'*]{1,255}:[^\s\"']+"
)
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PUTTY = re.compile(r"(PuTTY-User-Key-File-\d:)(?!\*\*\*).*", re.DOTALL)


def redact_tokens(text: str) -> str:
    """Redact private keys, provider tokens and HTTP credentials."""
    if "PRIVATE KEY" in text:
        text = _without_keys(text)
    if "PuTTY" in text:
        text = _PUTTY.sub(r"\1***", text)
    for part, form in _TOKENS:
        if part in text:
            text = form.sub("***", text)
    if "hooks.slack" in text:
        text = _HOOK.sub(r"\1***", text)
    if "earer" in text or "BEARER" in text:
        text = _SCHEME.sub(r"\1***", text)
    if "asic" in text:
        text = _BASIC.sub(_basic, text)
    if "-u" in text or "-U" in text or "-user" in text:
        text = _USER_FLAG.sub(r"\1***", text)
    return text


def _without_keys(text: str) -> str:
    """Redact private keys. A key without end marker extends to the end of the text."""
    kept: list[str] = []
    done = 0
    while begin := _BEGIN.search(text, done):
        end = _END.search(text, begin.end())
        kept += [text[done : begin.start()], "***"]
        done = len(text) if end is None else end.end()
    return "".join([*kept, text[done:]])


def _basic(found: re.Match[str]) -> str:
    """Redact Base64 that decodes to `user:password`, but not words such as "basic authentication"."""
    encoded = found[2]
    try:
        plain = b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except ValueError:
        return found[0]
    return f"{found[1]}***" if b":" in plain else found[0]
