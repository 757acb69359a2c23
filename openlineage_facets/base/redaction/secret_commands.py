"""Secrets without a name: arguments of commands and functions, lines of password files.

Each form is an example in which `***` is the secret. To recognise another command or function, add its name.
"""

from __future__ import annotations

import re
from itertools import pairwise

# fmt: off

_ARGUMENTS = {
    "-*p***": "mysql*, mariadb*, mycli, mytop",
    "-p***": "7z, 7za, 7zr, 7zz, rar, unrar",
    "-hp***": "rar",
    "-p ***": """
        sshpass, cqlsh, beeline, useradd, usermod, airflow users create, mydumper, myloader, psexec, twine,
        mongo, mongosh, mongodump, mongorestore, mongoexport, mongoimport, mongostat, mongotop, mongofiles,
        docker login, podman login, nerdctl login, buildah login, skopeo login, auth login, registry login,
        oras login, oc login, cf login, az login, rabbitmqadmin, couchbase-cli, cbimport, cbexport, cbq,
        ncftpget, ncftpput, db2move, hdbsql""",
    "-*P ***": "zip, unzip, zipcloak, funzip",
    "-P ***": "sqlcmd, bcp, isql, iusql, osql, tsql, fisql, freebcp, bsqldb, defncopy, ipmitool, ssh-keygen, "
              "mosquitto*",
    "-a ***": "redis-cli, redis-benchmark, valkey-cli, valkey-benchmark, keydb-cli, memtier_benchmark",
    "-w ***": "ldapsearch, ldapmodify, ldapadd, ldapdelete, ldapwhoami, ldappasswd, ldapmodrdn, ldapcompare, "
              "ldapexop, vsql, vertica, dsconf",
    "-s ***": "ldappasswd",
    "-pw ***": "plink, pscp, psftp, nodetool, nzsql, nzload",
    "-N ***": "ssh-keygen",
    "-A ***": "snmpget, snmpset, snmpwalk, snmpbulkwalk, snmptrap",
    "-X ***": "snmpget, snmpset, snmpwalk, snmpbulkwalk, snmptrap",
    "-k ***": "openssl enc, nuget push, choco push",
    "-K ***": "openssl enc",
    "-b ***": "gh secret set, curl",
    "--body ***": "gh secret set",
    "--cookie ***": "curl",
    "--with-token ***": "gh auth login",
    "--value ***": "keyvault secret set, put-parameter",
    "--string-value ***": "secrets put, secrets put-secret",
    "--from-literal=_=***": "kubectl create secret generic",
    "-*u USER:***": "curl",
    "-u USER:***": "elasticdump, jf, jfrog",
    "-U USER:***": "curl",
    "-a USER:***": "http, https, xh, xhs",
    "-A USER:***": "ab",
    "-U USER%***": "smbclient, rpcclient, winexe, wmic, net rpc",
    "-u USER,***": "lftp",
    "-*b* _ _ ***": "htpasswd",
    "/p ***": "signtool",
    "/p:***": "xfreerdp, xfreerdp3, wfreerdp",
    "***": "vault login, vault operator unseal, vault unwrap, bao login, bao operator unseal, cargo login",
    "_ ***": "rabbitmqctl add_user, rabbitmqctl change_password, rabbitmqctl authenticate_user, net user, "
             "glab variable set, pulumi config set --secret, user-secrets set",
    "_ _ ***": "net use, poetry config",
    "_ user _ using ***": "db2 connect to",
    "USER/***": "sqlplus, sqlcl, sqlldr, rman target, expdp, impdp, SQL> conn, SQL> connect",
    "USER/***@": "conn, CONN, CONNECT",
    "userid=USER/***": "sqlldr, exp, imp, expdp, impdp",
    "_/USER,***": ".logon, .LOGON",
}
"""Commands by the form of their secret argument. `_` is anything, `USER` is redacted, too, and a star in an
option is for other letters."""

_CALLS = """
    pgp_sym_encrypt(_,*** pgp_sym_encrypt_bytea(_,*** pgp_sym_decrypt(_,*** pgp_sym_decrypt_bytea(_,***
    pgp_pub_decrypt(_,_,*** pgp_pub_decrypt_bytea(_,_,*** encrypt(_,*** decrypt(_,*** try_decrypt(_,***
    encrypt_iv(_,*** decrypt_iv(_,*** des_encrypt(_,*** des_decrypt(_,*** aes_encrypt(_,*** aes_decrypt(_,***
    try_aes_decrypt(_,*** hmac(_,*** hmac_md5(_,*** hmac_sha1(_,*** hmac_sha256(_,*** hmac_sha512(_,***
    EncryptByPassPhrase(*** DecryptByPassPhrase(***
    s3(k,*** s3(k,_,*** s3Cluster(_,k,*** s3Cluster(_,k,_,*** S3Queue(k,*** S3Queue(k,_,***
    gcs(k,*** gcs(k,_,*** oss(k,*** oss(k,_,*** cosn(k,*** cosn(k,_,***
    hudi(k,*** hudi(k,_,*** deltaLake(k,*** deltaLake(k,_,***
    iceberg(k,*** iceberg(k,_,*** icebergS3(k,*** icebergS3(k,_,*** azureBlobStorage(_,_,_,_,***
    mysql(_,_,_,_,*** mysql(_,_,_,***) postgresql(_,_,_,_,*** postgresql(_,_,_,***) mongodb(_,_,_,_,***
    remote(_,_,_,_,*** remote(_,t,_,*** remoteSecure(_,_,_,_,*** remoteSecure(_,t,_,***
    getConnection(_,_,***) getConnection(_,***) createConnection(_,***)
    pymysql.connect(_,_,*** MySQLdb.connect(_,_,*** mysqli_connect(_,_,*** mysqli(_,_,*** PDO(_,_,***
    cx_Oracle.connect(_,*** oracledb.connect(_,*** teradatasql.connect(_,_,*** oci_connect(_,***
    login(_,***) ftp_login(_,_,***) ldap_bind(_,_,***) simple_bind_s(_,***) ssh2_auth_password(_,_,***)
    BasicAWSCredentials(*** BasicAWSCredentials(_,*** BasicSessionCredentials(_,_,***
    AwsBasicCredentials.create(*** AwsBasicCredentials.create(_,***
    hmac.new(*** Fernet(*** jwt.encode(_,*** jwt.decode(_,*** jwt.sign(_,*** jwt.verify(_,***
    load(_,***.toCharArray init(_,***.toCharArray getKey(_,***.toCharArray
    createCredential(_,_,***.toCharArray PasswordAuthentication(_,***.toCharArray
""".split()
"""Calls of functions. `k` is an argument in front of keys but not of a format, `t` a table without quotes."""

_PORTS = ("5432", "5433", "5439", "6432", "*")
"""Ports of `.pgpass`, whose lines are `host:port:database:user:***`."""

# fmt: on

_NO_VALUE = r"(?![-,)\]<\s]|/\w{1,20}(?::|\s|\Z)|\*\*\*|\d{1,5}:\d{1,5}(?!\d))"
_QUOTE = r"(?:\\{0,7}[\"'])?"
_OPENING = r"(?P<quote>\\{0,7}[\"'])?"
_BLANK = r"(?:\\{0,7}[\"'],?)?(?:[ \t]|\\\r?\n){1,8}"
_GAP = rf"(?:=|{_BLANK})?{_OPENING}"
_OTHERS = r"(?:[ \t]{1,8}(?:-[^\s\"']{1,80}|/\w{1,20}(?::[^\s\"']{1,80})?)(?=\s)){0,6}"
_NEXT = rf"{_OTHERS}{_BLANK}{_OPENING}"
_WORD = rf"{_OTHERS}{_BLANK}(?!-)[^\s|;]{{1,100}}"
_FORMATS = "CSV|TSV|TabSep|JSON|Parquet|ORC|Avro|Values|Native|RowBinary|Arrow|Line|Raw|Regexp|auto|Template"
_TEXT = r"\\?'(?:[^'\n]|(?<=\\)'(?=\w)){0,300}'(?!\w)"
_ARGUMENT = (
    r"(?:[^,()\"'\n\\]|\\(?![\"'])|\((?:[^()\n]|\([^()\n]{0,99}\)){0,200}\)|"
    rf"{_TEXT}|" + _TEXT.replace("'", '"') + "){1,200},"
)
"""An argument in front of the secret. If text fitted it in two ways, failing would take exponential time."""

_ARGUMENT_KINDS = {
    "_": _ARGUMENT,
    "k": rf"{_ARGUMENT}(?=\s{{0,8}}\\?['\"](?!(?i:{_FORMATS})))",
    "t": r"\s{0,8}\w{1,60}\.\w{1,60}\s{0,8},",
}


_NAMED = r"(?:\w{1,30}\s{0,4}(?:=>|:=)\s{0,4})?"
_WRAPPED = r"(?:(?i:base64|unbase64|unhex|to_binary|encode|decode|md5|sha1|sha2|digest|lit)\(\s{0,8})?"
_LITERAL = r"[bBNrRxX]?(?P<quote>(?P<slashes>\\{0,7})[\"'])"
_ESCAPE = r"(?P=slashes)\\(?:(?P=slashes)\\|(?P=quote))"
_CHARACTER = rf"(?:{_ESCAPE}|(?P=quote){{2}}|(?!(?P=quote)|{_ESCAPE})[\s\S])"
"""A character of a text in quotation marks, which are escaped or doubled in it."""


def _command(name: str, form: str) -> str:
    """Return a pattern of a command, whose first group is kept unless `secret` is a reference."""
    start, _, follows = form.partition("***")
    kept, user, separator = start.partition("USER")
    command = rf"{_BLANK}{_QUOTE}".join(map(re.escape, name.split())).replace(r"\*", r"[\w-]{0,24}")
    pattern = rf"{command}(?:\.exe)?(?=[\s\"'])"
    words = ["", *kept.split(" ")]
    for before, word in pairwise(words):
        if word == "_":
            pattern += _WORD
        elif word == "":
            pattern += _GAP if _is_option(before) else _NEXT
        elif _is_option(word):
            option = rf"[\s\"',]{_literal(word)}"
            pattern += rf"(?:(?!{option})(?:\\\r?\n|&(?!&)|[^\n|;&])){{0,400}}{option}"
        else:
            pattern += _BLANK + _literal(word)
    pattern += _OPENING if words[-1] else ""
    end, many = "@" if separator == "/" else "", "{1,200}" if follows else "+"
    value = rf"(?(quote)(?:(?!(?P=quote))[^\n{end}]){{1,200}}|(?:[^\s\"'\\;|<>{end}]|\\[^\s\w\"'\\]){many})"
    if user:
        value = rf"(?!jdbc:)[^\s\"'*=\\{separator}]{{1,99}}{separator}(?!//){_NO_VALUE}(?P<secret>{value})"
    elif not words[-1] and not _is_option(words[-2]):  # `vault login token=X` has a name.
        value = rf"(?![\w.-]{{1,60}}=){value}"
    value = value if user else f"(?P<secret>{value})"
    return rf"(?<![\w.-])({pattern}){_NO_VALUE}{value}{f'(?={follows})' if follows else ''}"


def _is_option(word: str) -> bool:
    return word[:1] in ("-", "/") or "=" in word


def _literal(word: str) -> str:
    return (
        re.escape(word).replace(r"\*", "[#0-9BEGILNSVZaefgijklnoqrstvyc]{0,8}").replace("_", r"[\w.-]{1,80}")
    )


def _call(form: str) -> str:
    """Return a pattern of a call, whose first group is kept unless `secret` is a reference."""
    name, _, arguments = form.partition("(")
    before, _, after = arguments.partition("***")
    first = "".join(_ARGUMENT_KINDS[kind] for kind in before.split(",") if kind)
    return (
        rf"(?<!\w)((?i:{re.escape(name)})\s?\({first}\s{{0,40}}{_NAMED}{_WRAPPED}{_LITERAL})"
        rf"(?P<secret>{_CHARACTER}{{1,400}}\\?)(?=(?P=quote)\s{{0,8}}{re.escape(after)})"
    )


def _password_file(port: str) -> str:
    """Return a pattern of a line of `.pgpass`, whose first group is kept unless `secret` is a reference."""
    host = r"(?:[A-Za-z*][\w.*-]{0,200}|\d{1,3}(?:\.\d{1,3}){3})"
    line = rf"{host}:{re.escape(port)}:[\w*-]{{1,63}}:[\w.*@-]{{1,63}}:"
    return rf"(?<![\w.:/-])({line})(?!\*\*\*)(?P<secret>(?:[^\s\\\"']|\\[:\\])+)"


COMMANDS = (
    *(
        (name.split()[0].rstrip("*").lower(), _command(name.strip(), form))
        for form, names in _ARGUMENTS.items()
        for name in names.split(",")
    ),
    *((form.rpartition("(")[0].lower(), _call(form)) for form in _CALLS),
    *((f":{port}:", _password_file(port)) for port in _PORTS),
)
"""A part of each form in lower case, to search for first, and its pattern."""
