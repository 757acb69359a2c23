r"""How secrets follow their names, and what they look like: separators, quotation marks, values.

This is the place to recognise another form: `secret_options` only applies these tables. To keep redaction
linear, a pattern may repeat without bound only at its end. `\\[nrt]` and `\\{0,7}` are for text in JSON.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from openlineage_facets.base.redaction.secret_names import URL_PARAMETERS

# fmt: off

# Separators: how a value follows a name. `<Q>` and the like are parts of their patterns.

_OPEN = (
    r"(?:[rbuNExXfRBUF]{1,2}(?=[\"'])|@(?=[\"]))?(?P<slashes>\\{0,7})"
    r"(?P<quote>'{3}(?!'(?:[\s,;)]|\Z))|\"{3}|\"\"(?=[^\"\s,:;}\])])|''(?=[^'\s,:;&|}\])])|[\"'`]|“|‘|&(?:quot|apos|#3[49]);|%2[27]|u002[27]|\$(?:[A-Za-z_]{1,20})?\$|(?<!\w)[qQ]'[\[({<!|])"
)
_PARTS = {
    "Q": r"(?:\\{0,7}(?:[\"'`]|u002[27])|&(?:quot|apos|#3[49]);|%2[27])",
    "COLON": r"(?::|\\{1,7}(?:u003a|x3a)|&(?:#58|#x3a|colon);|%(?:25)?3a)",
    "IS": r"(?:=|\\{1,7}(?:u003d|x3d)|&(?:#61|#x3d|equals);|%(?:25)?3d)",
    "OPEN": re.sub("P<.*?>", ":", _OPEN),
    "CLOSE": r"(?:<Q>{1,2}|\*\*)?\]?",
    "S": r"\s{0,8}",
    "GAP": r"(?:\s|\\[nrt]){0,40}",
    "BLANK": r"(?:[ \t]|\\t){1,40}",
    "EOL": r"(?:\r?\n|(?:\\r)?\\n)",
    "NAMES": r"\w{0,20}(?:name|key|id|option|property|variable|setting|parameter)",
    "VALUES": r"(?:\w{0,20}value|val|default)",
    "DIGIT": r"[^\s\"'`\\]{0,60}\d",
    "RANDOM": r"<Q><DIGIT>",
    "TEXT": r"[^\"'`\\\r\n]{1,100}",
    "TYPE": r"\w{1,20}(?:\([\d, ]{1,12}\))?",
    "COUNT": r"\b(?:fail|skip|error|warn|total|ok)\w{0,6}",
    "FIELD": r"(?:<Q>)?\w{1,30}(?:<Q>)?<S>[:=]<S>"
    r"(?:<Q>[^\"'`\\\r\n]{0,200}<Q>|[^\"'`\r\n,;{}=:\\]{0,60})(?:,|;|[ \t]|<EOL>)<GAP>",
    "VALUE": r"(?:<FIELD>){0,3}(?:<Q>)?<VALUES>(?:<Q>)?<S>[:=]",
    "SETTER": r"(?<!\w)(?:(?:with(?!column)|set|add|put|append|getOr)\w{0,30}|option|property|config|conf|map"
    r"|str|tuple|header|define|env|env_var|[\w.]{0,30}getenv"
    r"|[\w.]{0,30}(?:environ|conf|config|properties|props|settings)\.get|(?:dbutils\.)?widgets\.\w{1,20})",
    "READER": r"(?:get|read|load|fetch|lookup|find|input|prompt|ask|check|verify|has|is|validate|show"
    r"|describe|list|env|ref|getpass)(?-i:[A-Z_.-]|\Z)",
    "CONFIG": r"(?-i:\b(?:configure|config|conf|env|npm|props?)[ \t]set|\b(?:ENV|ARG|config|setx|setenv"
    r"|set(?=[ \t]-[gUx])))",
}


def _pattern(text: str) -> re.Pattern[str]:
    while (whole := re.sub("<([A-Z]+)>", lambda part: _PARTS[part[1]], text)) != text:
        text = whole
    return re.compile(text, re.IGNORECASE)


class Separator(NamedTuple):
    """One way in which a value follows its name."""

    example: str
    """A text in which `X` is the secret."""
    kind: str
    """The kind: any, quoted, arguments, word, line, block (of YAML), tag (to the next), before (the name)."""
    after: re.Pattern[str]
    """What is between name and value."""
    before: re.Pattern[str] | None
    """What has to be in front of the name."""
    name: re.Pattern[str] | None
    """What the name has to be."""
    is_secret: bool
    """Whether the name has to be that of a secret, too."""


def _row(
    example: str, kind: str, after: str, before: str = "", name: str = "", is_secret: bool = True
) -> Separator:
    in_front = _pattern(rf"(?:{before})\Z") if before else None
    return Separator(example, kind, _pattern(after), in_front, _pattern(name) if name else None, is_secret)


_NOT_YAML = ("if", "not", "and", "or", "in", "while", "with", "class", "case", "the", "your", "ing", ",")
"""Ends of what is in front of a name that is followed by a colon and a line break, but not in YAML."""

SEPARATORS = (
    # Names that are not those of a secret here.
    _row("All 12 tests pass: 12 ok", "harmless", ":", name="pass",
         before=r"\b(?:tests?|checks?|cases?|rules?|jobs?|steps?|suites?|all|first|next|\d{1,9})[ \t]"),
    _row("Unexpected token: FROM", "harmless", "(?:<Q>)?<S>(?::|<BLANK>|<Q>)", name="token|key",
         before=r"\b(?:unexpected|unrecognized|unknown|invalid|illegal|extraneous|missing|bad|next|end|last|first"
                r"|current|of|at|near)[ \t]{1,4}"),
    _row("pass=1 fail=0", "harmless", r"<S>[:=]<S>(?=\d{1,9}[,;]?[ \t]{1,4}<COUNT>[:=])", name="pass"),
    _row("fail=0 pass=1", "harmless", r"<S>[:=]<S>(?=\d{1,9}(?![\w.]))", name="pass",
         before=r"<COUNT><S>[:=]<S>\d{1,9}[,;]?[ \t]{1,4}"),
    _row("secretstorage==3.3.3", "harmless", r"(?:\[[\w,-]{1,60}\])?<S>(?:={2,3}|!=)<S>(?=\d{1,9}\.[\d*])"),
    _row("if not password: raise", "harmless",
         before=r"\b(?:if|elif|while|for|and|or|not|in)[ \t][\w. ]{0,80}",
         after=r":[ \t]{1,4}(?=(?:raise|return|continue|break|pass|yield|assert|del)(?![\w=:-]))"),
    _row("lambda token: token", "harmless", ":", before=r"\blambda[ \t][\w, =*]{0,80}"),
    _row("agent-inject-secret-db: database/creds/db", "harmless", ":", name="agent-inject-.{1,100}"),
    _row("if password != confirm_password:", "harmless", name=r"[\w.]{1,100}",
         after=r"[ ]{1,4}[!=]==?[ ]{1,4}(?=\w{0,60}(?:passw(?:or)?d|pwd|token|secret)\w{0,20}(?![\w+/=.-]))"),
    _row("gcloud secrets versions access latest --secret=db", "harmless", "=|[ ]", name="--secret",
         before=r"\b(?:secrets|config[ \t]set)[ \t][^\n]{0,140}"),
    _row("arn:aws:secretsmanager:eu-west-1:1:secret:db-AbCdEf", "harmless", ":", name="secret(?:smanager)?",
         before=r"\barn:[\w-]{1,20}:(?:secretsmanager:[\w-]{0,30}:\d{0,12}:)?|\{\{resolve:"),
    _row("{{resolve:secretsmanager:db:SecretString:password}}", "harmless", ":", name="secretstring"),
    _row("--from-file=password=db.txt", "harmless", "=", before="(?:from|set)-file=(?:[\\w.-]{1,100}=)?"),
    _row("openssl rsa -passin file:pw.txt", "harmless", r"<BLANK>(?:env|fd|file|pass|stdin)\b",
         name="-pass(?:in|out)?"),
    _row("Authorization: Bearer $TOKEN", "harmless", name=r"[\w-]{0,50}authorization",
         after=r"<CLOSE><S>[:=]<S>(?:<Q>)?(?:bearer|basic|token)[ ]{1,4}(?=(?:\$[a-z_{(]|\{\{|%\w{1,60}%))"),
    _row("secrets.example.com:8080", "harmless", r":\d{2,5}(?!\w)",
         name=r"[\w-]{1,60}(?:\.[\w-]{1,60}){0,5}\.(?:com|net|org|io|dev|cloud|local|internal|svc)"),
    _row("secrets: inherit", "harmless", r":[ ](?=inherit\b)", name="secrets"),
    _row("id-token: write", "harmless", r":[ \t]{0,4}(?=(?:write|read|none)\b)", name="id-token"),
    _row("sig = 0.05", "harmless", r"<CLOSE><S>[:=]{1,2}<S>(?=0?\.\d{1,6}(?![\w.]))",
         name=r"(?:[\w.-]{1,60}[_.-])?sig"),
    _row("if token == expected: return", "harmless",
         before=r"\b(?:if|elif|while|and|or|not|assert)[ \t][\w. ]{0,80}",
         after=r"[ ]{1,4}[!=]=[ ]{1,4}(?=[a-z_]{1,60}(?:\.[a-z_]{1,60}){0,3}:(?:\s|\\n|\Z))"),
    _row("secret={}", "harmless", r"<CLOSE><S>[:=]<S>(?=\{\s?\})"),
    # Name and value apart.
    _row("SELECT 'X' AS password", "before", r"(?!\w)",
         before=r"(?:\bselect\s|[,(])<S>(?:'|\"(?=<DIGIT>))(?P<value><TEXT>)[\"']\s{1,8}as\s{1,8}<Q>?"),
    _row("SELECT 'X' password", "before", r"<Q>?<S>(?=[,;)]|from\b|\Z)",
         before=r"(?:\bselect\s|,)<S>(?:'|\"(?=<DIGIT>))(?P<value><TEXT>)[\"']\s{1,8}<Q>?"),
    _row("lit('X').alias('secret')", "before", "(?=<Q>)",
         before=r"\blit\(<Q>(?P<value><TEXT>)<Q>\)\.(?:alias|name|as)\(<Q>"),
    _row("withColumn('token', lit('X1'))", "quoted", r"<Q><S>,<S>(?:\w{1,20}\.)?lit\((?=<RANDOM>)",
         before=r"\bwithColumn\(<S><Q>"),
    _row("named_struct('user', 'u', 'password', 'X')", "quoted", "<Q><S>,(?=<S><Q>)",
         before=r"\b(?:named_struct|map|create_map|json_object|jsonb?_build_object|object_construct)\(<S>"
                r"(?:<Q>[^\"'`\\\r\n]{0,40}<Q><S>,[^,()\r\n]{1,60},<S>){0,6}<Q>"),
    _row("token IN ('X1')", "arguments", r"<CLOSE><BLANK>(?:not<BLANK>)?in<S>\((?=<S><RANDOM>)"),
    _row("pwd LIKE 'X1%'", "quoted", "<CLOSE><BLANK>(?:not<BLANK>)?i?like(?=<S><RANDOM>)"),
    _row("Invalid API key provided: X", "word", r"[ ]provided:[ ]"),
    _row('{"password": {"value": "X"}}', "any", r"<CLOSE><GAP>(?:[:=]?<GAP>\{|:[ \t]{0,8}<EOL>)<GAP><VALUE>"),
    _row('{"name": "DB_PASSWORD", "value": "X"}', "any", r"<CLOSE>(?:,|;|[ \t]|<EOL>)<GAP><VALUE>",
         before=r"<NAMES>(?:<Q>)?<S>[:=]<S>(?:<Q>)?(?:[\w.-]{0,60}[/:]){0,8}"),
    _row('{"value": "X", "name": "DB_PASSWORD"}', "before", "(?=<Q>)",
         before=r"(?:value|\bval)(?:<Q>)?<S>[:=]<S><Q>(?P<value><TEXT>)<Q><S>[,;]?<GAP>(?:<Q>)?<NAMES>(?:<Q>)?"
                r"<S>[:=]<S><Q>[\w/.:-]{0,60}"),
    _row("<name>password</name><value>X</value>", "tag", r"\s{0,20}</\w{1,30}>\s{0,40}<(?:value|string)>",
         before=r"<\w{1,30}>\s{0,20}"),
    # Assignments.
    _row("DECLARE password STRING DEFAULT 'X'", "quoted",
         r"<CLOSE>\s{1,8}(?:<TYPE>\s{1,8}){0,3}default(?=<S><OPEN>)"),
    _row("SET VARIABLE (user, password) = ('u', 'X')", "arguments",
         before=r"\bset\s[^()=\n]{0,40}\([^()=\n]{0,100}",
         after=r"<CLOSE>(?:<S>,<S><Q>?[\w.]{1,60}<Q>?){0,20}<S>\)<S>=<S>\("),
    _row("SET PASSWORD FOR 'a'@'%' = 'X'", "quoted", r"<BLANK>for<BLANK>[^=\n]{1,120}=<S>(?:password<S>\()?",
         name="password"),
    _row("Authorization: Token X", "line",
         r"<CLOSE>[ \t]{0,8}(?::|=(?=[ \t]?(?:bearer|basic|token|digest)\b))[ \t]{0,8}(?:<EOL>[ \t]{1,8})?"
         r"(?![\s\"'`\\])",
         name=r"[\w.-]{0,150}(?:authorization|cookie)"),
    _row("password: |\n  X", "block",
         r"<CLOSE>[ \t]{0,8}:[ \t]{0,8}(?:![\w!]{1,20}[ \t])?[|>][+-]?\d?[+-]?[ \t]{0,8}(?=<EOL>|\Z)"),
    _row('val password: String = "X"', "any",
         r"(?:[ ]{0,8}:[ ]{0,8}(?:&(?:'static )?)?[\w.\[\]]{1,40}(?: \| \w{1,40})?|[ ]string)[ ]{0,8}="
         r"<S>(?=<OPEN>|[\w.:]{1,80}\()"),
    _row("password=X", "any", r"<CLOSE><S>(?:<IS>{1,3}>?|:=|!=|<=?>|<-)(?:\s?string\(\d{1,6}\)\s)?"),
    _row("Map(password -> X)", "any", r"\s{1,8}(?:->|→)\s{1,8}(?![\"'`])"),
    _row('Map("password" -> "X")', "any", r"<Q>\s{1,8}->\s{1,8}"),
    _row("password:\n  - X", "lines", r"<CLOSE>[ \t]{0,8}:(?:[ \t]{1,8}[!&][\w!]{1,40})?[ \t]{0,8}(?=<EOL>)",
         before="".join(f"(?<!{word} )" for word in _NOT_YAML)),
    _row("password: X", "any", r"<CLOSE><S><COLON>(?!:|//|=|-\}|\?)(?:\*\*(?!\*))?"
         r"(?:%20|[ \t]{1,8}(?:!!\w{1,20}|&\w{1,40})(?=[ ]))?"),
    _row("password\tX", "word", r"(?:\t|\\t){1,8}(?=(?-i:[a-z_]{0,60}[^a-z_\s]))"),
    _row("<password>X</password>", "tag",
         r"(?:[\"']|\s[^<>]{0,100})?>(?:\s{0,40}<(?:value|string|current)>)?(?:<!\[CDATA\[)?",
         before=r"<(?:\w{1,20}:)?|<\w{1,30}\s[^<>]{0,60}=[\"'][^<>\"']{0,60}"),
    _row("?key=X", "any", "=", before="[?&]", name="|".join(URL_PARAMETERS), is_secret=False),
    _row('"auth": "YW5hOlMzQ1IzVA=="', "any", name=r"(?:[\w.-]{0,150}\.)?auth", is_secret=False,
         after=r"<CLOSE><S>[:=]<S>(?=(?:<Q>)?[a-z+/]{0,60}\d)(?=(?:<Q>)?[a-z0-9+/]{12,400}={0,2}(?:<Q>|\s|\Z))"),
    # Calls.
    _row('HTTPBasicAuth("ana", "X")', "arguments", r"\((?=<S>[rbuNf]?<Q>)", is_secret=False,
         name=r"[\w.]{0,100}(?:credentials?|basicauth)"),
    _row('auth=("ana", "X")', "arguments", r"<Q>?<S>[:=]<S>\((?=<S>[rbuNf]?<Q>)", is_secret=False,
         name=r"(?:[\w.-]{1,60}[_.-])?auth"),
    _row('option("password", "X")', "quoted", "<Q><S>,(?=<GAP><Q>)", before=r"<SETTER>\(<S><Q>"),
    _row("('Authorization', 'Token X')", "quoted", "<Q><S>,(?=<GAP><Q>)", before=r"[(\[,]<S><Q>",
         name=r"(?:spark\.|fs\.|hadoop\.|--?\w)[\w.-]{1,200}|[\w-]{0,50}(?:authorization|cookie)|x-[\w-]{1,50}"),
    _row("[('password', 'X')]", "arguments",
         r"<Q><S>,(?=<GAP><Q>(?!(?:array|map|struct|decimal|n?(?:var)?char)[<(]))",
         before=r"[\[(,]<GAP>\(<S><Q>"),
    _row("setPassword('X')", "quoted", r"\((?=<S><Q>)",
         name=r"(?!(?:try_)?secrets?\Z)(?!(?:[\w.-]{0,150}[._-])?<READER>)[\w.-]{1,200}"),
    # Blanks.
    _row("IDENTIFIED BY X", "any", name="identified", is_secret=False,
         after=r"\s{1,8}(?:with\s{1,8}[\"'`\w-]{1,64}\s{1,8})?(?:by|as)\s{1,8}(?:(?:password|values)\s{1,8})?"
               r"(?!random\b)"),
    _row("(password 'X')", "quoted", r"<CLOSE>(?:\s|\\[nrt]){1,40}(?=<OPEN>)", before="[(,]<GAP>(?:<Q>)?"),
    _row("WITH PASSWORD 'X'", "quoted", r"(?:\s|\\[nrt]){1,40}(?=<OPEN>)",
         before=r"(?<!--)(?<!-- )(?<!#)(?<!# )(?<!//)(?<!// )(?<!/\*)(?<!/\* )(?<![\"'`])",
         name=r"(?-i:(?!(?:[Tt]oken|[Ss]ecrets?|[Cc]redentials?|[Cc]ookie|[Ss]ignature|jwt|[Bb]earer)\Z))[\w.]{1,200}"),
    _row("--password X", "word", "<BLANK>", before=r"(?<![\w.])",
         name=r"--?(?!(?:no|ask|prompt|use|skip|require|allow|enable|disable|with)-|secret-id)\w[\w.-]{1,200}"),
    _row("fs.s3a.secret.key X", "word", "<BLANK>",
         name=r"(?:spark|fs|hadoop|hibernate|kafka)\.[\w-]{1,60}\.[\w.-]{1,150}"),
    _row("a.b.password X", "word", "<BLANK>", before=r"(?:\A|\n|\\n)[ \t]{0,8}",
         name=r"\w{1,60}\.[\w-]{1,60}\.[\w.-]{1,150}"),
    _row("login ana password X", "word", "<BLANK>", before=r"\b(?:login|machine)[ \t]\S{1,100}\s{1,8}"),
    _row("aws configure set aws_secret_access_key X", "word", "<BLANK>",
         before=r"<CONFIG>(?:[ \t]--?\w{1,20}){0,2}[ \t]{1,8}(?:[\w/.:-]{1,80}[/:.])?"),
    _row("your password is X1y2z3", "word", r"[ \t]is:?[ \t]{1,4}(?=\S{6})(?=\S{0,40}\d)(?=\S{0,40}[a-z])"),
    _row("requirepass X", "word", "<BLANK>", name="requirepass|masterauth", is_secret=False),
)
"""The first row that fits is used."""

NAME_KEYS, VALUE_KEYS = _pattern("<NAMES>"), _pattern("<VALUES>")
"""Keys of objects with the name of an option, and with its value."""

METRIC_KEYS = frozenset({"columnMetrics", "column_metrics"})
"""Keys of objects with metrics of columns, whose numbers are no secrets: `{"token": {"sum": 123456}}`."""

# Values.

OPENING = re.compile(_OPEN)
"""The start of a quoted value in SQL and programming languages: 'X', N'X', $$X$$, \\"X\\"."""

CLOSINGS = {"“": "”", "‘": "’", "q'[": "]'", "q'(": ")'", "q'{": "}'", "q'<": ">'", "q'!": "!'", "q'|": "|'"}
"""Closing quotation marks that differ from the opening ones."""

BEFORE_VALUE = _pattern(r"(?:\s|\\[nrt]){1,40}(?=<OPEN>)|[ \t]{0,8}")
UNQUOTED = re.compile(
    r"(?:[^\s&;,\"'`)}\]\\<]|\\(?!\\{0,7}[\"'`]|u0026)|<(?!/)|\\{0,7}[\"'`](?=\w)"
    r"|&(?![\w.%-]{1,60}=|amp;|&|\s|\Z)"
    r"|,(?![\s\"'{\[]|\\?[\"']|[\w.-]{1,60}[ ]?(?:[=:]|->)|\Z)"
    r"|[)}\]](?![\s,;.:)}\]\"'&<\\]|\Z))+"
)
IN_URL = re.compile(
    r"(?:[^\s&;,\"'`)}\]\\<]|\\(?!\\{0,7}[\"'`]|u0026)|,(?![\s\"'{\[]|[\w.-]{1,60}=|\Z)|[)}\]\"'`](?=\w))+"
)
IN_PARENTHESES = re.compile(r"[^\s&;,\"'`)(]+")
IN_PATH = re.compile(r"[^\s&;,\"'`)}\]\\/]+")
"""A value without quotation marks in general, in a URL, in `(password=X)`, and in a path."""

PATH = re.compile(
    r"\b(?:s3[an]?|gs|abfss?|wasbs?|adl|hdfs|viewfs|dbfs|file|oss|cosn?):/{1,3}[^\s\"'`&;,?#]{0,150}/\Z",
    re.IGNORECASE,
)
"""The path of a file up to a partition: `s3://lake/orders/` in front of `token=7/part-0`."""

CONCATENATED = _pattern(r"<S>(?:\+|\|\|)<S>(?=<OPEN>)")
"""What is between two parts of a text: `"X" + "Y"`, `'X' || 'Y'`."""

PART = _pattern(
    r"(?:[\s,;]|\\[nrt]){0,200}(?:(?P<open>[\[{(])|(?P<close>[\]})])"
    r"|(?:(?P<quote><Q>)|(?=[a-z_][\w.-]{0,99}<S>(?::[\s\\\"']|=(?!=))))(?P<key>[\w.@$-]{1,100})(?(quote)(?P=quote))<S>(?::|=>?)|)"
)
"""A part of a list or of nested options: a bracket, a name, or what is in front of a value."""

FLOW_ITEM = re.compile(r"(?!\d{1,3}(?![^\s,\]}]))[^\s,\[\]{}()\"'`\\|&*!]{1,400}(?=\s{0,8}[,\]}])")
YAML_ITEM = re.compile(
    r"(?![|>&*!]|\d{1,3}(?!\S))(?:[^\s\"'\\#]|[ \t](?=[^\s#\"'\\])|\\[^\"nr]|(?<=\w)['\"](?=\w))+"
)
ONLY_WORD = re.compile(
    r"[^\s\"'\\()]{1,400}(?=[ \t]{0,8}(?:[\r\n]|\\[nr]|\Z))"
    r"|(?=\S{0,60}\d)(?=\S{0,60}[A-Za-z])[^\s\"'\\()=.:,]{6,400}(?=[ ][^=:+*/-])"
)
NOTHING = re.compile("")
"""A value without quotation marks: in `[X, Y]`, in a line of YAML, alone on a line, in code."""

YAML_LINE = re.compile(
    r"(?:\r?\n|(?:\\r)?\\n)(?P<indent>[ \t]{0,80})(?P<item>(?:-[ ]{1,8}){0,4})"
    r"(?:(?P<q>[\"']?)(?P<key>[\w.@$-]{1,100})(?P=q)[ ]?:(?=\s|\\[nr]|\Z)[ \t]{0,8})?"
)
REST_OF_LINE = re.compile(r"(?:[^\r\n\\]|\\(?![nr]))*")
SNAKE_CASE = re.compile(r"[A-Za-z]{1,40}(?:[_.-][A-Za-z]{1,40}){1,6}|(?:[Pp]assword|[Tt]oken|[Ss]ecret)")
"""What may be the name of a secret instead of a secret: `secrets: [db_password]`."""

UP_TO_NEXT_OPTION = re.compile(r"[^&;]+")
WORD = re.compile(r"[^\s\"'`\\]+")
LINE = re.compile(r"(?:[^\r\n\"\\]|\\[^\"nr])*")
HEADER = re.compile(
    r"(?:=(?P<q>\\{0,7}[\"'])(?=[\w*])[^\"'\\\r\n]{0,400}(?P=q)|[^\r\n\"'\\]"
    r"|\r?\n[ \t]{1,8}(?![\w.-]{1,80}[ ]?:|[-#<>{(\[]|(?:at|File|in)[ ]|\s)"
    r"(?=[^\s\"'\\]{1,2000}(?:\s|\Z)|[\w-]{1,40}=))*"
)

HARMLESS = re.compile(
    r"(?:null|none|nil|true|false|default|undefined|nan|yes|no|unset|empty|x{4,100}|\*{3,100}(?:\(redacted\))?"
    r"|[\[<(]?(?:redacted|filtered|hidden|masked|sensitive(?: value)?|known after apply)[\])>]?"
    r"|[\^~]\d{1,9}(?:\.\d{1,9}){1,3}"
    r"|%s|%\(\w{1,60}\)s|\?|%\w{1,60}%|<[a-z][\w .-]{0,60}>|\$?\{\{[^{}]{1,200}\}\}|\$\([^()\r\n]{1,200}\)"
    r"|#\{[\w.]{1,80}\}"
    r"|\$\{[\w./]{1,200}(?::-?|:?\?[^{}\r\n]{0,100})?\}|\$\{(?:env|vault|\w{0,20}secret\w{0,20}|file|directory|dir|aws|azure|gcp|ssm|sm|config):[\w:./-]{1,200}\}"
    r"|\$(?:env:)?[A-Za-z_]\w{0,80}|<%=[^%]{1,200}%>"
    r"|!(?:Ref|Sub|GetAtt|ENV|env_var|\w{0,20}(?:vault|secret)\w{0,20})[ \t]"
    r"(?:[\w.:/$-][\w.:/${}-]{0,200}|'[^'\r\n]{0,200}'|\"[^\"\r\n]{0,200}\")"
    r"|\$\[[\w.]{1,100}\]|<(?:path|ref|secret):[^<>\s]{1,200}>|\*[a-z]{2,40}(?:_[a-z]{2,40}){1,4}|%env\(\w{1,100}\)%|-(?=\s|\Z)"
    r"|(?:https://[\w-]{1,60}\.vault\.(?:azure\.net|usgovcloudapi\.net|azure\.cn)/secrets/|ref\+\w{1,30}://"
    r"|file://(?=/)|keyring:|secretref:|AZURE_KEYVAULT:|(?:aws|gcp)?-?(?:sm|secrets?)://)[\w./:#-]{1,300}"
    r"|@Microsoft\.KeyVault\([^()]{1,200}\)|/(?:etc|run|var|opt|home|tmp|usr|mnt|dbfs|Volumes)/[\w./-]{1,200}"
    r"|(?:arn:aws:secretsmanager|vault|secret/data|secretRef|projects/[\w-]{1,60}/secrets|op|ssm)[:/][\w.:/#-]{1,300}"
    r")(?![\w+/=-]|\.\w)",
    re.IGNORECASE,
)
"""Values that are not secrets: null and similar, placeholders, and references to values set elsewhere."""

PROSE = re.compile(
    r"(?:via|how|where|what|who|why|when|which|please|leave|choose|only|same|ensure|nobody|malformed|field|column|option"
    r"|parameter|property|argument|input|string|line|too|at least|between(?=[ ]\d)"
    r"|the|an?|must|should|is|are|was|not|never|see|use|this|that|to|of|for|from|in|on|if|may|can|will|required"
    r"|missing|optional|invalid|expired|wrong|incorrect|and|or|with|stored|set|read|as|has|have|cannot|could|does"
    r"|expected|extra|files|key|password|secret|token|got|found|value|no|your|it|you|we|return|raise)"
    r"[ \t]{1,4}(?:[a-z\"'<(]|(?<=between )\d)"
    r"|[\w.]{1,60} for \w{1,40}(?:, ?\w{1,40})? in\b"
    r"|[a-z_]{1,60}[ \t](?-i:THEN|ELSE|AND|OR|END|GROUP|ORDER|LIMIT|WHERE|LEFT|INNER|JOIN)\b",
    re.IGNORECASE,
)
"""What follows is not a value but a sentence or SQL: `password: must not be empty`."""

TYPE = re.compile(
    r"(?:str|string|bytes|bytea|int|integer|bigint|smallint|long|short|float|double|boolean|bool|binary|date|timestamp"
    r"|text|uuid|any|optional|variant|varchar\d{0,9}|n?char|decimal|numeric|struct|array|map|list|dict|secretstr)"
    r"(?=[\s,;)(\[\]}>|<'\"`\\]|\Z)",
    re.IGNORECASE,
)
PARAMETER = re.compile(r"[:@][A-Za-z_]|\$\d")
"""A parameter of a statement: `:token`, `@token`, `$1`."""

REFERENCE = re.compile(
    r"(?:[$@]?[A-Za-z_]\w{0,80}(?:\??\.|::|->)){1,8}[A-Za-z_]\w{0,80}(?=[\s,;)\\\"'`]|\Z)"
    r"|\{\s?[\w.]{0,80}\s?\}(?=[\s,;)&\"'\\]|\Z)"
)
"""A column, attribute or variable: `a.token`, `self.token`, `{token}`."""

IDENTIFIER = re.compile(r"[A-Za-z_]\w{0,80}(?=[,;)}\]\s\\\"'`]|\Z)")
COLUMN = re.compile(r"[A-Za-z_]\w{0,80}\.[A-Za-z_]\w{0,80}\Z")
ITEM = _pattern(r"\$?[a-z_][\w.$]{0,80}\[(?=<Q>|[:$\w])")
"""An item of a dictionary: `os.environ["DB_PASSWORD"]`."""

CALL = re.compile(r"(?:new )?(?P<function>[A-Za-z_][\w.:]{0,80})\((?P<arguments>[^()\r\n]{0,400})\)")
READER = _pattern(r"(?:[\w.:]{0,80}[._:])?<READER>|[\w.]{0,80}(?:secret|environ)\w{0,20}\.\w{1,80}\Z")
"""Functions that return a secret: their arguments are not secret."""

USERS = re.compile(
    r"((?:(?<=[?&;,:])|(?<![^\s\"'(]))(?:user(?:[ _]?(?:name|id))?|uid|login)[ ]?=[ ]?)"
    r"(?!\*\*\*|[=>])([^\s&;,\"'`)}\]\\]+)",
    re.IGNORECASE,
)
USERS_FOR_DISPLAY = re.compile(
    r"((?<![a-z])(?:user(?:[ _]?(?:name|id))?|uid|login)[ ]{0,4}=[ ]{0,4})(?!\*\*\*|[ =>])([^&;]+)",
    re.IGNORECASE,
)
"""User names, which are redacted together with a password."""
