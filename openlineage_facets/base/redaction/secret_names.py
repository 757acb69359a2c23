"""Names of options, columns, variables and headers with secret values."""

from __future__ import annotations

import re
from functools import lru_cache

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_BLANKS = dict.fromkeys((0xA0, 0x2007, 0x202F, 0x3000), "\t") | dict.fromkeys(range(0x2000, 0x2007), " ")
_PLAIN = _WIDE | _BLANKS | str.maketrans("АВЕКМНОРСТУХЅІЈаекморсухѕіј", "ABEKMHOPCTYXSIJaekmopcyxsij")
"""Characters and those that look like them: full-width letters, no-break spaces, Cyrillic letters."""


def with_plain_letters(text: str) -> str:
    """Replace full-width letters and others that look like Latin ones. The length is the same.

    Example:
        >>> with_plain_letters("ｐａｓｓｗｏｒｄ＝１")
        'password=1'
    """
    return text if text.isascii() else text.translate(_PLAIN)


# What names consist of. A name is split into words: `fs.s3a.secretKey` is `fs_s3a_secret_key`.

# fmt: off

_ANYWHERE = with_plain_letters("""
    password passwd passphrase pass_phrase passcode passwort kennwort geheim wachtwoord lösenord losenord
    passord adgangskode kodeord salasana contrasena contraseña mot_de_passe hasło jelszó şifre пароль
    секрет лозинка парола 密码 密碼 口令 密钥 パスワード 비밀번호 secret credential
    auth_user_info storepass saml_response saml_assertion client_assertion user_assertion
    zugangsdaten anmeldedaten
""").split()
"""Secret anywhere in a name, with or without underscores: PGPASSWORD, basic.auth.user.info."""

_WORDS = """
    pass pwd pw psw pswd rootpw dbpw userpw token jwt sig sas bearer authorization cookie creds auth_code
    authorization_code senha haslo heslo parola sifre clave mdp passe
""".split()
"""Secret as a whole word: db_pass, session.token."""

_ENDS = "pass pwd token jwt".split()
"""Secret at the end of a word: dbpass, authtoken."""

_KEYS = """
    access account admin aes api app application auth aws client consumer crypto database db decryption
    deploy encryption fernet function hmac host ingest instrumentation integration jwt license master priv
    private pvt root rsa secret security service session shared signing ssh ssl storage subscription
    symmetric tls webhook
""".split()
"""Prefixes of `key` that make it secret, also in the plural. Primary and partition keys are not secret."""

URL_PARAMETERS = "key code auth signature delegation assertion".split()
"""Secret as names of parameters of URLs."""

_LAST_WORDS = "signature _auth".split()
"""Secret as the last word."""

_HARMLESS_WORDS = """
    bypass compass overpass surpass trespass underpass secretary secretaries credential_id credentials_id
    existing_secret bos_token cls_token eos_token mask_token pad_token sep_token unk_token
    decryption_key_id deploy_key_id encryption_key_id host_key_id master_key_id signing_key_id ssh_key_id
""".split()
"""Words that contain one of the above by chance, or the name of a secret that is stored elsewhere."""

_ABOUT = """
    algorithm arn backend class column count cs days description dir directory domain enabled encryption
    endpoint engine env environment error exception expiration expires expiry external fd field file filename
    folder format get go hashers help hours in index interval items java js kt label length limit location
    manager method minutes ms name namespace nullable path pattern placeholder policy producer profile
    provider providers py rate rb ref region required rotation rules scala scope seconds sensitive size source
    stdin store strength subtype tests through timeout title ts ttl type uri url validator validators variable
    version
""".split()
"""Last words of names that describe a secret but do not contain it: token_url, credentials.provider."""

_LOOK_ALIKES = re.compile(
    "p[a@4][s5$]{2}w(?:[o0]r)?d|s[e3]cr[e3]t|t[o0]k[e3]n|cr[e3]d[e3]nt[i1!][a@4]l", re.IGNORECASE
)
_LOOK_ALIKE_LETTERS = str.maketrans("@403!1$5", "aaoeiiss")
"""Names with other characters, such as p@ssw0rd, and their letters."""

# fmt: on

_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_SECRET = re.compile(
    "|".join(
        (
            *(word.replace("_", "_?") for word in _ANYWHERE),
            rf"(?<![^_])(?:{'|'.join(_WORDS)})(?=\d{{0,9}}(?:_|\Z))",
            rf"(?:{'|'.join(_ENDS)})(?=\d{{0,9}}(?:_|\Z))",
            rf"(?:{'|'.join(_KEYS)})s?_?keys?(?=\d{{0,9}}(?:_|\Z))",
            rf"(?<![^_])(?:{'|'.join(_LAST_WORDS)})\Z",
        )
    )
)
_HARMLESS = re.compile("|".join(_HARMLESS_WORDS))


def _stem() -> re.Pattern[str]:
    """Return a pattern that matches a part of every name. This is faster than ignoring case."""
    names = (*_ANYWHERE, *_WORDS, *_ENDS, *_LAST_WORDS, *URL_PARAMETERS, "identified")
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
    others = [chr(code) for code, plain in _LOOK_ALIKE_LETTERS.items() if is_common and chr(plain) == char]
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
        plain = _LOOK_ALIKES.sub(lambda word: word[0].translate(_LOOK_ALIKE_LETTERS), plain)
    words = _CAPITALS.sub("_", plain).lower().rstrip("_")
    if words.rpartition("_")[2] in _ABOUT:
        return False
    return _SECRET.search(_HARMLESS.sub("", words)) is not None


_is_short_secret_name = lru_cache(maxsize=4_096)(_is_secret_name)
