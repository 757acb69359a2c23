r"""What secrets look like: names, separators, quotation marks, harmless values, tokens and addresses.

This is the only place to change to recognise another form; the other modules read these tables. Each pattern takes
linear time: only its end may repeat without bound. Inside patterns, `\\[nrt]` and `\\{0,7}` are for text in JSON.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Names. A name is split into words: `fs.s3a.secretKey` -> `fs_s3a_secret_key`. An underscore below is optional.

ANYWHERE = """
    password passwd passphrase pass_phrase passcode passwort kennwort geheim wachtwoord lösenord losenord passord
    adgangskode kodeord salasana contrasena contraseña mot_de_passe hasło jelszó şifre пароль секрет 密码 密碼 口令 密钥
    パスワード 비밀번호 secret credential auth_user_info storepass saml_response saml_assertion
""".split()
"""Secret anywhere in a name: PGPASSWORD, sslpassword, clientsecret, basic.auth.user.info."""

WORDS = """
    pass pwd pw psw pswd token jwt sig sas bearer authorization cookie creds auth_code authorization_code senha haslo heslo
    parola sifre clave mdp rootpw dbpw userpw
""".split()
"""Secret as a whole word: db_pass, session.token."""

ENDS = "pass pwd token jwt".split()
"""Secret at the end of a word: dbpass, authtoken."""

KEYS = """
    access account admin aes api app application auth client consumer crypto database db decryption deploy encryption fernet
    function hmac host ingest integration jwt license master priv private pvt root rsa secret security service session
    shared signing ssh ssl storage subscription symmetric webhook
""".split()
"""Prefixes of `key` that make it secret. Primary keys and partition keys are not secret."""

HARMLESS_WORDS = (
    "bypass compass encompass overpass surpass trespass underpass secretary secretaries secretariat".split()
)
"""Words that contain one of the above by chance."""

ABOUT = """
    algorithm arn backend class column count domain enabled endpoint engine expiration expires expiry field file filename
    format get id_column index interval length limit location manager method name path policy stdin dir directory folder in java scala kt py go js ts rb cs provider providers rate ref
    required rotation rules scope size source store strength through timeout ttl type uri url validator version
""".split()
"""Last words of names that describe a secret but do not contain it: token_url, credentials.provider."""

LAST_WORDS = "signature _auth".split()
"""Secret as the last word."""

# Separators: how a value follows a name.

_OPEN = (
    r"(?:[rbuNExXfRBUF]{1,2}(?=[\"'])|@(?=[\"]))?(?P<slashes>\\{0,7})"
    r"(?P<quote>'{3}|\"{3}|\"\"(?=[^\"\s,:;}\])])|[\"'`]|“|‘|&quot;|\$(?:[A-Za-z_]{1,20})?\$|(?<!\w)[qQ]'[\[({<!|])"
)
_QUOTED = rf"(?={re.sub('P<.*?>', ':', _OPEN)})"
_Q = r"\\{0,7}[\"'`]"
_CLOSE = r"(?:\\{0,7}[\"'`]{1,2}|&quot;|\*\*)?\]?"
_GAP = r"(?:\s|\\[nrt]){0,40}"
_BLANK = r"(?:[ \t]|\\t){1,40}"
_LINE = r"(?:\r?\n|(?:\\r)?\\n)"
_FIELD = (
    rf"(?:{_Q})?\w{{1,30}}(?:{_Q})?\s{{0,8}}[:=]\s{{0,8}}"
    rf"(?:{_Q}[^\"'`\\\r\n]{{0,200}}{_Q}|[^\"'`\r\n,;{{}}=:\\]{{0,60}})(?:,|;|[ \t]|{_LINE}){_GAP}"
)
_VALUES = r"(?:\w{0,20}value|default)"
_VALUE = rf"(?:{_FIELD}){{0,3}}(?:{_Q})?{_VALUES}(?:{_Q})?\s{{0,8}}[:=]"


class Separator(NamedTuple):
    """One way in which a value follows its name."""

    example: str
    """A text in which `X` is the secret."""
    after: re.Pattern[str]
    """What is between name and value."""
    value: str
    """The kind of value: any, quoted, word, line, block (of YAML), tag (up to the next one), before (the name), harmless."""
    before: re.Pattern[str] | None
    """What has to be in front of the name."""
    name: re.Pattern[str] | None
    """What the name has to be."""
    is_secret: bool
    """Whether the name has to be that of a secret, too."""


def _row(
    example: str, after: str, value: str = "any", *, before: str = "", name: str = "", is_secret: bool = True
) -> Separator:
    def compiled(pattern: str) -> re.Pattern[str] | None:
        return re.compile(pattern, re.IGNORECASE) if pattern else None

    in_front = compiled(rf"(?:{before})\Z" if before else "")
    return Separator(example, re.compile(after, re.IGNORECASE), value, in_front, compiled(name), is_secret)


_SETTERS = """
    option set setProperty property put config conf map setConf str tuple header addHeader setHeader setRequestHeader
    setdefault setIfMissing putIfAbsent append add setenv putenv getenv getOrDefault getOrElse env_var env define with_option
    withOption withConfig withProperty withHeader withEnv withParameter environ[.]get conf[.]get config[.]get
    properties[.]get props[.]get settings[.]get SetEnvironmentVariable
""".split()
"""Functions whose arguments are a name and its value."""

_READERS = "get read load fetch lookup find input prompt ask check verify has is validate show describe list env ref getpass".split()
"""Functions that return a secret: their arguments are not secret."""

_NAMES = r"\w{0,20}(?:name|key|id|option|property|variable|setting|parameter)"
_SET = r"\b(?:configure|config|conf|env|npm|props?)[ \t]set|\b(?:env|arg|setx|setenv|config|export)"

SEPARATORS = (
    _row(
        "All 12 tests pass: 12 ok",
        ":",
        "harmless",
        before=r"\b(?:tests?|checks?|cases?|rules?|jobs?|steps?|suites?|assertions?|expectations?|all|first|next|\d+)[ \t]",
        name="pass",
    ),
    _row(
        "Unexpected token: FROM",
        rf"{_Q}?\s{{0,8}}(?::|{_BLANK}|{_Q})",
        "harmless",
        before=r"\b(?:unexpected|unrecognized|unknown|invalid|illegal|extraneous|missing|bad|next|end|last|first|current|of"
        r"|at|near)[ \t]{1,4}",
        name="token|key",
    ),
    _row(
        "Authorization: Token X",
        rf"{_CLOSE}[ \t]{{0,8}}:[ \t]{{0,8}}(?![\s\"'`\\])",
        "line",
        name=r"[\w.-]{0,150}(?:authorization|cookie)",
    ),
    _row(
        "password: |\n  X",
        rf"{_CLOSE}[ \t]{{0,8}}:[ \t]{{0,8}}(?:![\w!]{{1,20}}[ \t])?[|>][+-]?\d?[+-]?[ \t]{{0,8}}(?={_LINE})",
        "block",
    ),
    _row(
        '{"password": {"value": "X"}}',
        rf"{_CLOSE}{_GAP}(?:[:=]?{_GAP}\{{|:[ \t]{{0,8}}{_LINE}){_GAP}{_VALUE}",
    ),
    _row(
        '{"name": "DB_PASSWORD", "value": "X"}',
        rf"{_CLOSE}(?:,|;|[ \t]|{_LINE}){_GAP}{_VALUE}",
        before=rf"{_NAMES}(?:{_Q})?\s{{0,8}}[:=]\s{{0,8}}(?:{_Q})?(?:[\w.-]{{0,60}}[/:]){{0,8}}",
    ),
    _row(
        '{"value": "X", "name": "DB_PASSWORD"}',
        rf"(?={_Q})",
        "before",
        before=rf"value(?:{_Q})?\s{{0,8}}[:=]\s{{0,8}}{_Q}(?P<value>[^\"'`\\\r\n]{{1,300}}){_Q}"
        rf"\s{{0,8}}[,;]?{_GAP}(?:{_Q})?{_NAMES}(?:{_Q})?\s{{0,8}}[:=]\s{{0,8}}{_Q}[\w/.:-]{{0,60}}",
    ),
    _row(
        "<name>password</name><value>X</value>",
        r"\s{0,20}</\w{1,30}>\s{0,40}<(?:value|string)>",
        "tag",
        before=r"<\w{1,30}>\s{0,20}",
    ),
    _row(
        "SET PASSWORD FOR 'a'@'%' = 'X'",
        rf"{_BLANK}for{_BLANK}[^=\n]{{1,120}}=\s{{0,8}}(?:password\s{{0,8}}\()?",
        "quoted",
        name="password",
    ),
    _row(
        "IDENTIFIED BY X",
        rf"\s{{1,8}}(?:with\s{{1,8}}[\"'`\w-]{{1,64}}\s{{1,8}})?(?:by|as)\s{{1,8}}"
        rf"(?:(?:password|values)\s{{1,8}})?(?!random\b)",
        name="identified",
        is_secret=False,
    ),
    _row(
        'val password: String = "X"',
        rf"(?:\s{{0,8}}:\s{{0,8}}[\w.\[\]]{{1,40}}(?: \| \w{{1,40}})?|[ ]string)\s{{0,8}}=\s{{0,8}}{_QUOTED}",
        "quoted",
    ),
    _row("password=X", rf"{_CLOSE}(?:\s{{0,8}}(?:={{1,3}}>?|:=|!=|<>|<-|＝)|%3D)"),
    _row("Map(password -> X)", rf"\s{{1,8}}->\s{{1,8}}(?![\"'`])"),
    _row('Map("password" -> "X")', rf"{_Q}\s{{1,8}}->\s{{1,8}}"),
    _row("lambda token: token", ":", "harmless", before=r"\blambda[ \t][\w, =*]{0,80}"),
    _row("password: X", rf"{_CLOSE}\s{{0,8}}[:：](?!:|//|=|-\}}|\?)(?:\*\*(?!\*))?"),
    _row(
        'option("password", "X")',
        rf"{_Q}\s{{0,8}},(?={_GAP}{_Q})",
        "quoted",
        before=rf"(?<![a-z])(?:{'|'.join(_SETTERS)})\(\s{{0,8}}{_Q}",
    ),
    _row(
        "('Authorization', 'Token X')",
        rf"{_Q}\s{{0,8}},(?={_GAP}{_Q})",
        "quoted",
        before=rf"[(\[,]\s{{0,8}}{_Q}",
        name=r"(?:spark\.|fs\.|hadoop\.|--?\w)[\w.-]{1,200}|[\w-]{0,50}authorization|x-[\w-]{1,50}|(?:set-)?cookie",
    ),
    _row(
        "setPassword('X')",
        rf"\((?=\s{{0,8}}{_Q})",
        "quoted",
        name=rf"(?!(?:try_)?secrets?\Z)(?!(?:[\w.-]{{0,150}}[._-])?(?:{'|'.join(_READERS)})(?-i:[A-Z_.-]|\Z))[\w.-]{{1,200}}",
    ),
    _row(
        "<password>X</password>",
        r"(?:[\"']|\s[^<>]{0,100})?>",
        "tag",
        before=r"<(?:\w{1,20}:)?|<\w{1,30}\s[^<>]{0,60}=[\"'][^<>\"']{0,60}",
    ),
    _row(
        "(password 'X')",
        rf"{_CLOSE}(?:\s|\\[nrt]){{1,40}}{_QUOTED}",
        "quoted",
        before=rf"[(,]{_GAP}(?:{_Q})?",
    ),
    _row(
        "WITH PASSWORD 'X'",
        rf"(?:\s|\\[nrt]){{1,40}}{_QUOTED}",
        "quoted",
        before=rf"(?<!--)(?<!#)(?<!//)(?<!-- )(?<!# )(?<!// )(?<!/\*)(?<!/\* )(?<![\"'`])",
        name=r"(?-i:(?!(?:[Tt]oken|[Ss]ecrets?|[Cc]redentials?|[Cc]ookie|[Ss]ignature|jwt|[Bb]earer|[Aa]uthorization)\Z))"
        r"[\w.]{1,200}",
    ),
    _row(
        "--password X",
        _BLANK,
        "word",
        before=r"(?<![\w.])",
        name=r"--?(?!(?:no|ask|prompt|use|skip|require|allow|enable|disable|with)-|secret-id)\w[\w.-]{1,200}",
    ),
    _row(
        "fs.azure.account.oauth2.client.secret.acct X",
        _BLANK,
        "word",
        name=r"(?:spark|fs|hadoop)\.[\w-]{1,60}\.[\w.-]{1,150}",
    ),
    _row(
        "a.b.password X",
        _BLANK,
        "word",
        before=r"(?:\A|\n|\\n)[ \t]{0,8}",
        name=r"\w{1,60}\.[\w-]{1,60}\.[\w.-]{1,150}",
    ),
    _row(
        "machine h login ana password X", _BLANK, "word", before=r"\b(?:login|machine)[ \t]\S{1,100}\s{1,8}"
    ),
    _row(
        "aws configure set aws_secret_access_key X",
        _BLANK,
        "word",
        before=rf"(?-i:(?:{_SET}))(?:[ \t]--?\w{{1,20}}){{0,2}}[ \t]{{1,8}}(?:[\w/.:-]{{1,80}}[/:.])?",
    ),
    _row("ENV DB_PASSWORD X", _BLANK, "word", before=r"(?-i:\b(?:ENV|ARG|setx|setenv))[ \t]{1,8}"),
    _row("requirepass X", _BLANK, "word", name="requirepass|masterauth", is_secret=False),
    _row("?key=X", "=", before="[?&]", name="key|code|auth|signature", is_secret=False),
    _row(
        '"auth": "YW5hOlMzQ1IzVA=="',
        rf"{_CLOSE}\s{{0,8}}[:=]\s{{0,8}}(?=(?:{_Q})?[a-z+/]{{0,60}}\d)(?=(?:{_Q})?[a-z0-9+/]{{12,400}}={{0,2}}(?:{_Q}|\s|\Z))",
        name="auth",
        is_secret=False,
    ),
)
"""The first row that fits is used."""

NAME_KEYS, VALUE_KEYS = re.compile(_NAMES, re.IGNORECASE), re.compile(_VALUES, re.IGNORECASE)
"""Keys of objects with the name of an option, and with its value."""

# Values.

OPENING = re.compile(_OPEN)
"""The start of a quoted value, in the dialects of SQL and programming languages: 'X', N'X', $$X$$, \\"X\\"."""

CLOSINGS = {"“": "”", "‘": "’", "q'[": "]'", "q'(": ")'", "q'{": "}'", "q'<": ">'", "q'!": "!'", "q'|": "|'"}
"""Closing quotation marks that differ from the opening ones."""

BEFORE_VALUE = re.compile(rf"(?:\s|\\[nrt]){{1,40}}{_QUOTED}|[ \t]{{0,8}}")
UNQUOTED = re.compile(
    r"(?:[^\s&;,\"'`)}\]\\<]"
    r"|\\(?!\\{0,7}[\"'`]|u0026)|<(?!/)"
    r"|&(?![\w.%-]{1,60}=|amp;|&|\s|\Z)"
    r"|,(?![\s\"'{\[]|\\?[\"']|[\w.-]{1,60}[ ]?(?:[=:]|->)|\Z)"
    r"|[)}\]](?![\s,;.:)}\]\"'&<\\]|\Z)"
    r"|\\{0,7}[\"'`](?=\w))+"
)
IN_URL = re.compile(
    r"(?:[^\s&;,\"'`)}\]\\<]|\\(?!\\{0,7}[\"'`]|u0026)|,(?![\s\"'{\[]|[\w.-]{1,60}=|\Z)|[)}\]](?=\w)|[\"'`](?=\w))+"
)
IN_PARENTHESES = re.compile(r"[^\s&;,\"'`)(]+")
"""A value without quotation marks in general, in a URL, and in `(password=X)`."""

UP_TO_NEXT_OPTION = re.compile(r"[^&;]+")
WORD = re.compile(r"[^\s\"'`\\]+")
LINE = re.compile(r"(?:[^\r\n\"\\]|\\[^\"nr])*")
HEADER = re.compile(r"(?:=(?P<q>\\{0,7}[\"'])(?=[\w*])[^\"'\\\r\n]{0,400}(?P=q)|[^\r\n\"'\\])*")

_HARMLESS = (
    r"null|none|nil|true|false|default|undefined|nan|yes|no|unset|empty",
    r"[\[<(]?(?:redacted|filtered|hidden|masked|sensitive(?: value)?|known after apply)[\])>]?|x{4,100}|\*{3,100}(?:\(redacted\))?",
    r"%s|%\(\w{1,60}\)s|\?|%\w{1,60}%|<[a-z][\w .-]{0,60}>",
    r"\$\{[\w./]{1,200}(?::-?)?\}|\$\{(?:env|vault|secret|secrets|file|aws|azure|gcp|ssm):[\w:./-]{1,200}\}|\$?\{\{[^{}]{1,200}\}\}|\$\([^()\r\n]{1,200}\)|\$(?:env:)?[A-Za-z_]\w{0,80}|#\{[\w.]{1,80}\}",
    r"<%=[^%]{1,200}%>|!(?:Ref|Sub|GetAtt|vault|secret)[ \t][\w.:/-]{1,200}|@Microsoft\.KeyVault\([^()]{1,200}\)",
    r"/(?:etc|run|var|opt|home|tmp|usr|mnt|dbfs|Volumes)/[\w./-]{1,200}|(?:arn:aws:secretsmanager|vault|secretRef|projects/[\w-]{1,60}/secrets|op|ssm)[:/][\w.:/#-]{1,300}",
)
HARMLESS = re.compile(rf"(?:{'|'.join(_HARMLESS)})(?![\w+/=-]|\.\w)", re.IGNORECASE)
"""Values that are not secrets: null and similar, placeholders, and references to values set elsewhere."""

PROSE = re.compile(
    r"(?:the|an?|must|should|is|are|was|not|never|see|use|this|that|to|of|for|from|in|on|if|when|may|can|will|required|missing"
    r"|optional|invalid|expired|wrong|incorrect|and|or|with|stored|set|read|as|has|have|cannot|could|does|expected|secret|got|found|value|no|your|it|you|we)[ \t]{1,4}[a-z\"'<(]",
    re.IGNORECASE,
)
"""The start of a sentence instead of a value: `password: must not be empty`."""

TYPE = re.compile(
    r"(?:str|string|bytes|bytea|int|integer|bigint|smallint|long|short|float|double|boolean|bool|binary|date|timestamp"
    r"|text|uuid|any|optional|variant|varchar\d*|n?char|decimal|numeric|struct|array|map|list|dict|secretstr)"
    r"(?=[\s,;)(\[\]}>|<'\"`\\]|\Z)",
    re.IGNORECASE,
)
PARAMETER = re.compile(r"[:@][A-Za-z_]|\$\d")
"""A parameter of a statement: `:token`, `@token`, `$1`."""

REFERENCE = re.compile(
    r"(?:[$@]?[A-Za-z_]\w{0,80}(?:\??\.|::|->)){1,8}(?P<last>[A-Za-z_]\w{0,80})(?=[\s,;)\\\"'`]|\Z)"
    r"|\{\s?[\w.]{0,80}?(?P<inner>[A-Za-z_]\w{0,80})\s?\}(?=[\s,;)&\"'\\]|\Z)"
)
"""A column, attribute or variable: `a.token`, `self.token`, `{token}`."""

IDENTIFIER = re.compile(r"[A-Za-z_]\w{0,80}(?=[,)\s\\\"'`]|\Z)")
COLUMN = re.compile(r"[A-Za-z_]\w{0,80}\.[A-Za-z_]\w{0,80}\Z")
ITEM = re.compile(rf"\$?[A-Za-z_][\w.$]{{0,80}}\[(?={_Q}|[:$\w])")
"""An item of a dictionary: `os.environ["DB_PASSWORD"]`."""

CALL = re.compile(r"(?:new )?(?P<function>[A-Za-z_][\w.:]{0,80})\((?P<arguments>[^()\r\n]{0,400})\)")
READER = re.compile(
    rf"(?:[\w.:]{{0,80}}[._:])?(?:{'|'.join(_READERS)})(?-i:[A-Z_.-]|\Z)|[\w.]{{0,80}}(?:secret|environ)\w{{0,20}}\.\w{{1,80}}\Z",
    re.IGNORECASE,
)
USERS = re.compile(
    r"((?:(?<=[?&;,:])|(?<![^\s\"'(]))(?:user(?:[ _]?(?:name|id))?|uid|login)[ ]?=[ ]?)"
    r"(?!\*\*\*|[=>])([^\s&;,\"'`)\\]+)",
    re.IGNORECASE,
)
USERS_FOR_DISPLAY = re.compile(
    r"((?<![a-z])(?:user(?:[ _]?(?:name|id))?|uid|login)[ ]{0,4}=[ ]{0,4})(?!\*\*\*|[ =>])([^&;]+)",
    re.IGNORECASE,
)
"""User names, which are redacted together with a password."""

# Secrets with a known format: a part to search for first, and the pattern. Its first group is kept.

_KEY_BODY = r"(?:[^\"\\-]|\\[^\"]|-(?!----END))*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
_NO_SCHEME = (
    r"tokens?|auth\w{0,20}|schemes?|realm|header|errors?|challenge|of|is|was|are|and|or|for|with|not|in|to"
)

_TOKENS = (
    ("PRIVATE KEY", rf"-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----{_KEY_BODY}"),
    ("PuTTY", r"(PuTTY-User-Key-File-\d:)(?!\*\*\*)(?:[^\"\\]|\\[^\"])*"),
    ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    *((key, rf"{key}[A-Z0-9]{{16}}(?![A-Z0-9])") for key in ("ABIA", "ACCA", "AKIA", "ASIA")),  # AWS
    ("A3T", r"A3T[A-Z0-9]{17}(?![A-Z0-9])"),
    ("ABSK", r"ABSK[A-Za-z0-9+/]{100,300}={0,2}"),
    ("LTAI", r"LTAI[A-Za-z0-9]{20}(?![A-Za-z0-9])"),  # Alibaba
    ("AKID", r"AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])"),  # Tencent
    ("GOOG", r"GOOG[A-Z0-9]{16,61}(?![A-Za-z0-9])"),  # Google
    ("AIza", r"AIza[\w-]{35}"),
    ("ya29.", r"ya29\.[\w.-]{20,}"),
    ("1//0", r"1//0[\w-]{30,}"),
    ("GOCSPX-", r"GOCSPX-[\w-]{20,255}"),
    *((f"gh{kind}_", rf"gh{kind}_[A-Za-z0-9]{{20,255}}") for kind in "pousr"),  # GitHub
    ("github_pat_", r"github_pat_\w{20,255}"),
    ("gl", r"gl(?:pat|dt|ft|soat|rt|rtr|cbt|imt|ptt|agent|oas|ffct|wt)-[\w-]{20,255}"),  # GitLab
    ("GR1348941", r"GR1348941[\w-]{20,255}"),
    ("xox", r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,255}"),  # Slack
    ("xapp-", r"xapp-[\w-]{10,255}"),
    ("_live_", r"(?:sk|rk|pk|whsec|duffel|shippo)_live_\w{10,255}"),  # Stripe and others
    ("_test_", r"(?:sk|rk|pk|whsec|duffel|shippo)_test_\w{10,255}"),
    ("whsec_", r"whsec_[A-Za-z0-9+/=]{20,255}"),
    ("dapi", r"dapi[0-9a-f]{32}(?:-\d+)?"),  # Databricks
    ("dose", r"dose[0-9a-f]{32}"),
    ("dkea", r"dkea[0-9a-f]{32}"),
    ("eyJ", r"eyJ[\w-]{8,4000}\.[\w-]{4,8000}(?:\.[\w-]*)?[\w.-]*"),  # JSON Web Tokens
    ("SG.", r"SG\.[\w-]{16,64}\.[\w-]{16,}"),  # SendGrid
    ("xkeysib-", r"xkeysib-[0-9a-f]{64}-\w{16}"),  # Brevo
    ("key-", r"key-[0-9a-f]{32}(?![0-9a-f])"),  # Mailgun
    ("npm_", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-", r"pypi-[\w-]{50,}"),
    ("rubygems_", r"rubygems_[0-9a-f]{48}"),
    ("CLOJARS_", r"CLOJARS_[0-9a-z]{60}"),
    ("oy2", r"oy2[a-z0-9]{43}(?![a-z0-9])"),  # NuGet
    ("sk-", r"sk-[\w-]{20,}"),  # OpenAI, Anthropic
    ("pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    ("gsk_", r"gsk_[A-Za-z0-9]{40,}"),  # Groq
    ("r8_", r"r8_[A-Za-z0-9]{37,}"),  # Replicate
    ("hf_", r"hf_[A-Za-z0-9]{30,}"),  # Hugging Face
    ("api_org_", r"api_org_[A-Za-z0-9]{30,}"),
    ("SK", r"SK[0-9a-f]{32}(?![0-9a-f])"),  # Twilio
    ("sq0", r"sq0[a-z]{3}-[\w-]{22,}"),  # Square
    ("EAAA", r"EAAA[\w-]{60}"),
    ("EAA", r"EAA[MC][A-Za-z0-9]{100,}"),  # Facebook
    ("-us", r"[0-9a-f]{32}-us\d{1,2}(?!\w)"),  # Mailchimp
    (":AA", r"\d{8,10}:AA[\w-]{33}"),  # Telegram
    ("hv", r"hv[sbr]\.[\w-]{20,}"),  # Vault
    (".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),  # Terraform
    ("_v1_", r"do[opr]_v1_[0-9a-f]{64}"),  # DigitalOcean
    ("shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),  # Shopify
    ("NR", r"NR(?:AK|II|JS|RA)-[\w-]{19,36}"),  # New Relic
    ("ATATT3", r"ATATT3[\w=-]{20,}"),  # Atlassian
    ("ATBB", r"ATBB[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("ATCTT3", r"ATCTT3[\w=-]{20,}"),
    ("glc_", r"glc_[\w+/=]{20,}"),  # Grafana
    ("glsa_", r"glsa_[\w+/=]{20,}"),
    ("dbt", r"dbt[cu]_[\w-]{20,}"),
    ("pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{20,}"),  # PlanetScale
    ("PMAK-", r"PMAK-[\w-]{30,}"),  # Postman
    ("AKC", r"AKC[A-Za-z0-9]{50,}"),  # Artifactory
    ("cmVmd", r"cmVmd[A-Za-z0-9]{50,}"),
    ("Q~", r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}"),  # Azure
    ("ops_eyJ", r"ops_eyJ[\w+/=]{50,}"),  # 1Password
    ("A3-", r"A3-[A-Z0-9]{6}-[A-Z0-9-]{20,40}(?![A-Z0-9])"),
    ("dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}"),  # Doppler
    ("dt0", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),  # Dynatrace
    ("sntry", r"sntry[su]_[\w+/=]{20,}"),  # Sentry
    ("sq", r"sq[uap]_[0-9a-f]{40}(?![0-9a-f])"),  # SonarQube
    ("lin_api_", r"lin_api_[A-Za-z0-9]{40}"),  # Linear
    ("pul-", r"pul-[0-9a-f]{40}(?![0-9a-f])"),  # Pulumi
    ("pnu_", r"pn[ub]_[A-Za-z0-9]{36}"),  # Prefect
    ("ntn_", r"ntn_[A-Za-z0-9]{40,}"),  # Notion
    ("secret_", r"secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),  # Airtable
    ("fo1_", r"fo1_[\w-]{43}"),  # Fly.io
    ("fm", r"fm(?:1[ar]|2)_[\w+/=-]{100,}"),
    ("tfp_", r"tfp_[\w.-]{40,}"),  # Typeform
    ("EZ", r"EZ[AT]K[A-Za-z0-9]{54,}"),  # EasyPost
    ("sha256~", r"sha256~[\w-]{43}"),  # OpenShift
    ("4b1d", r"4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])"),  # ClickHouse
    ("AVNS_", r"AVNS_[\w-]{15,}"),  # Aiven
    ("tskey-", r"tskey-[a-z]{1,20}-[\w-]{10,}"),  # Tailscale
    ("sbp_", r"sbp_[0-9a-f]{40}"),  # Supabase
    ("apify_api_", r"apify_api_[A-Za-z0-9]{30,}"),
    ("nfp_", r"nfp_[A-Za-z0-9]{36}"),  # Netlify
    ("HRKU-", r"HRKU-[\w-]{36,}"),  # Heroku
    ("sgp_", r"sgp_[\w]{40,}"),  # Sourcegraph
    ("AQVN", r"AQVN[\w-]{35,38}"),  # Yandex
    ("phc_", r"ph[cx]_[A-Za-z0-9]{40,}"),  # PostHog
    ("discord", r"(discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/)(?!\*\*\*)[\w/-]+"),  # Webhooks
    (
        "hooks",
        r"(hooks\.(?:slack|zapier)\.com/(?:services|workflows|triggers|hooks/catch)/)(?!\*\*\*)[\w/-]+",
    ),
    ("webhook", r"([\w-]{1,60}(?:\.webhook)?\.office\.com/webhook(?:b2)?/)(?!\*\*\*)[\w@/-]+"),
    ("api.telegram.org/bot", r"(api\.telegram\.org/bot)(?!\*\*\*)[\w:-]+"),
    (
        "earer",
        rf"([Bb]earer[ \t]{{1,8}})(?!\*\*\*|[{{$<]|(?:{_NO_SCHEME})(?![\w.+/=-]))[^\s\"'`,;)<>\\]+",
    ),  # Headers
    ("BEARER", r"(BEARER[ \t]{1,8})(?!\*\*\*)[^\s\"'`,;)<>\\]+"),
    ("asic", r"([Bb]asic[ \t]{1,8})(?P<login>[A-Za-z0-9+/]{4,2000}={0,2})(?![\w+/=])"),
    ("response=", r"(response=\\{0,7}[\"']?)[0-9a-f]{32,128}(?![0-9a-f])"),
    (
        "-",
        r"((?:-u|--user|--proxy-user|-U)[ =]{1,4}[\"']?)(?!\*\*\*|jdbc:)[^\s:\"'*\\]{1,255}:(?!//)[^\s\"'\\]+",
    ),
)
TOKENS = tuple((part, re.compile(rf"(?<![\w.~+-])(?:{form})")) for part, form in _TOKENS)

# Addresses.

START = re.compile(r"(?P<colon>:)?(?:\\{0,7}/){2}|(?P<oracle>jdbc:oracle:\w{1,20}:)(?!@)", re.IGNORECASE)
"""What is in front of a login in an address."""

ENCODED = re.compile(
    r"(%(?:25)?3A(?:%(?:25)?2F){2})(?!\*\*\*)((?:(?!%(?:25)?(?:2F|40))[^\s&\"'<>\\])+)(?=%(?:25)?40)",
    re.IGNORECASE,
)
"""A login in a percent-encoded address."""

AUTHORITY_END = re.compile(r"[/?#\\]")
ADDRESS_END = re.compile(r"\s")
NO_PORT = re.compile(r":(?!\d{0,5}(?:,|\Z))")
AFTER_BLANK = re.compile(r"(?:[ \t][^\s@,;:\"']{1,30}){1,3}(?=@[\w.-]{1,255}(?::\d|/))")
"""The rest of a login whose password has blanks."""

HOST = re.compile(
    r"@(?=(?P<url>//)?(?:\[[0-9A-Fa-f:.]{2,45}\]|[\w.-]{1,255})(?:(?P<port>:\d{1,5}(?!\w))|/\w)|(?P<go>\w{2,10}\()|/\w)"
)
"""An at sign before a host with a port, a path, or in Go syntax: `tcp(host:3306)`."""

LOGIN = re.compile(
    r"(?P<before>(?:[\w.-]{1,100}=|[\w+.-]{2,50}:/)?)(?P<user>[\w.%+$\\-]{1,200}):(?P<password>[^/]{1,400})\Z"
)
ORACLE_LOGIN = re.compile(
    r"(?P<before>(?:[\w.-]{1,100}=)?)(?P<user>[\w.$#]{1,200})/(?P<password>[^@/]{1,400})\Z"
)
NO_USER = frozenset({"jdbc", "mailto", "sip", "sips", "acct", "xmpp", "email", "mail"})

CONTAINERS = ("abfs", "abfss", "wasb", "wasbs", "adl")
"""Schemes with a container instead of a user."""

SHELLS = ("ssh", "sftp", "scp")
"""Schemes with a public user name, as in ssh://git@example.com."""

PAGES = ("http", "https", "s3", "file", "hdfs", "gs", "")
"""Schemes of files and pages, whose paths contain at signs."""
