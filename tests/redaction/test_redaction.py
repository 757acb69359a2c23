"""What is redacted in options, JSON, addresses and texts that are cut."""

from __future__ import annotations

import json
import logging
import pickle
from dataclasses import dataclass, replace
from importlib import import_module
from traceback import format_exception
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from openlineage_facets.base.errors.findings import EventError, Finding, FindingList, describe
from openlineage_facets.base.errors.json_pointer import redacted_pointer, steps_of
from openlineage_facets.base.redaction import redact as redact_module
from openlineage_facets.base.redaction.redact import (
    redact,
    redact_for_display,
    redact_json,
    redact_option,
    redact_start,
)
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.base.redaction.secret_names import is_secret_name
from openlineage_facets.base.redaction.secret_urls import without_login
from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    EnvironmentVariablesRunFacet,
    RunFacet,
    SQLJobFacet,
)
from openlineage_facets.generated.environment_variables_run import EnvironmentVariable
from openlineage_facets.generated.execution_parameters_run import ExecutionParameter
from openlineage_facets.generated.open_lineage import RunEvent
from openlineage_facets.tags import Tag, tags_facet
from openlineage_facets.validation import read_event, validate
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.ruleset import RuleSet, built_in_rules
from tests.cases import each

SECRET = "hunter2"
NUMBER = "123456789"

SECRET_NAMES = """
PGPASSWORD db_pass dbpass fs.s3a.secret.key OAuthPvtKey ssl_key apiKey SecretAccessKey jwt sfPassword
private_key fs.azure.account.key.acct.dfs.core.windows.net AWS_ACCESS_KEY_ID trustStorePassword
X-Amz-Security-Token _auth
credentials auth-token basic.auth.user.info FERNET_KEY DD_APP_KEY senha mot_de_passe пароль 数据库密码 token2
SAMLResponse client-secret
"""
OTHER_NAMES = """
key primary_key partition.key token_url tokens max_tokens compass bypass monkey credentials.provider secretary
password_policy keyspace db.keyspace author signal auth basic_auth user_info map_key sales_key passenger . -
DB_PASSWORD_FILE token_type access_token_expires_in
"""


def test_a_name_of_a_secret() -> None:
    assert [name for name in SECRET_NAMES.split() if not is_secret_name(name)] == []
    assert [name for name in ["", *OTHER_NAMES.split()] if is_secret_name(name)] == []


def test_an_environment_variable_is_redacted_by_its_name_or_by_its_value() -> None:
    assert redact_option("DB_PASSWORD", "xyzzy") == "***"
    assert redact_option("DATABASE_URL", "postgres://ana:xyzzy@db/shop") == "postgres://***@db/shop"
    assert redact_option("STAGE", "prod") == "prod"
    assert redact_option("spark.redis.auth", "0123456789abcdef") == "***"


def test_json_is_redacted_by_key_and_by_text() -> None:
    def event(secret: str, url: str) -> dict[str, Any]:
        stage = {"name": "STAGE", "value": "prod"}
        return {
            "options": {"password": secret, "url": f"jdbc:db2://{url}@db/shop", "port": 7, "token": None},
            "environmentVariables": [{"name": "DB_PASSWORD", "value": secret}, stage],
            "fields": [{"name": "password", "type": "string"}],
        }

    assert redact_json(event("xyzzy", "ana:xyzzy")) == event("***", "***")


@each(
    ("value", "redacted"),
    [
        ({"password": {"value": "xyzzy"}}, {"password": {"value": "***"}}),
        ({"password": {"new": ["X"], "min": 8}}, {"password": {"new": ["***"], "min": 8}}),
        ({"tokens": [12345], "pin_token": 12345}, {"tokens": [12345], "pin_token": "***"}),
        ({"password": -123456, "pin_token": 1234.5}, {"password": "***", "pin_token": "***"}),
        ({"password": 0.5, "size": -123456}, {"password": 0.5, "size": -123456}),
        ({"secrets": ["xyzzy", {"a": "b"}]}, {"secrets": ["***", {"a": "***"}]}),
        ({"value": "xyzzy", "Key": "DBPassword"}, {"value": "***", "Key": "DBPassword"}),
        (["curl", "-sSu", "ana:xyzzy", "h"], ["curl", "-sSu", "***", "h"]),
        (["--password", "xyzzy", "--user", "ana"], ["--password", "***", "--user", "ana"]),
        ({"args": ["--password", "xyzzy", "-v"]}, {"args": ["--password", "***", "-v"]}),
        ({"secrets": ["-v", "xyzzy"]}, {"secrets": ["***", "***"]}),
        # The name of a dataset is its identity.
        (
            {"namespace": "s3://K:X@lake", "name": "token=7"},
            {"namespace": "s3://***@lake", "name": "token=7"},
        ),
    ],
)
def test_json_is_redacted_where_name_and_value_are_apart(value: Any, redacted: object) -> None:
    assert redact_json(value) == redacted


def test_the_layout_of_a_json_document_is_kept() -> None:
    assert redact('{"token" :12345,\n "é": 1.50, "a\\/b": "\\u00e9"}') == (
        '{"token" :"***",\n "é": 1.50, "a\\/b": "\\u00e9"}'
    )
    assert redact('{"password": "x", "password": "y"}') == '{"password": "***", "password": "***"}'
    assert redact('{"password": -123456, "token": 1.2345e4}') == '{"password": "***", "token": "***"}'
    for depth in (500, 5_000, 100_000):  # Beyond what Python's recursion allows.
        assert "xyzzy" not in redact("[" * depth + '{"password": "xyzzy"}' + "]" * depth)


def test_json_without_secrets_is_the_same_object() -> None:
    event = {"a": [{"name": "x", "type": "y"}], "b": {"c": None}, "d": ["ls", "-l"]}
    assert redact_json(event) is event


@each(
    ("text", "displayed"),
    [
        ("hdfs://nn:8020/a@b", None),
        ("https://example.com:8443/path@v2/x", None),
        ("hdfs://nn:8020/a and s3://lake/ana@example.com", None),
        ("s3://lake/token=***/part-0", None),
        ("hdfs://nn:80/a and postgres://ana:xy zzy@db:5432", "hdfs://nn:80/a and postgres://***@db:5432"),
    ],
)
def test_a_path_is_displayed_but_no_login_behind_it(text: str, displayed: str | None) -> None:
    assert redact_for_display(text) == (displayed or text)


def test_the_lineage_of_a_column_that_is_named_like_a_secret_is_displayed() -> None:
    column = {"inputFields": [{"namespace": "a", "name": "b", "field": "password"}]}
    facet = ColumnLineageDatasetFacet(fields={"token": column})
    assert repr(facet) == repr(ColumnLineageDatasetFacet(fields={"t": column})).replace("'t'", "'token'")
    variable = EnvironmentVariable(name="x", value=SECRET)
    assert redact_json({"token": variable}, for_display=True) == {"token": "***"}


@each(
    ("url", "address"),
    [
        ("https://ana:xyzzy@example.com/etl?key=1#x", "https://example.com/etl"),
        ("https://token@example.com:8443/@scope/x", "https://example.com:8443/@scope/x"),
        ("ssh://git:xyzzy@example.com/etl", "ssh://git@example.com/etl"),
        ("thrift://ana@metastore:9083", "thrift://metastore:9083"),
        ("postgres://ana:xy/zzy@db/shop", "postgres://db/shop"),
        ("abfss://c@a.dfs.core.windows.net/x", "abfss://c@a.dfs.core.windows.net/x"),
        ("git@example.com:acme/etl.git", "git@example.com:acme/etl.git"),
        ("/tmp/warehouse?x", "/tmp/warehouse"),
    ],
)
def test_an_address_without_its_login_is_an_address(url: str, address: str) -> None:
    assert without_login(url) == address


def test_a_text_is_redacted_before_it_is_cut() -> None:
    for length in (50, 3_000, 70_000):
        password = "xyzzy" * (length // 5)
        for text in (
            f"postgres://ana:{password}@db:5432/shop",
            f"jdbc:db2://db/shop:user=ana;password={password};",
            f'{{"password": "{password}"}}',
        ):
            for shown in (redact_start(text, 60), describe(text), repr(SQLJobFacet(query=text))):
                assert "xyzzy" not in shown


def test_the_repr_of_events_and_facets_is_redacted() -> None:
    build = RunEventBuilder("postgres://ana:xyzzy@db:5432", "orders")
    build.job.sql(query="SET password = 'xyzzy'")
    build.input("postgres://ana:xyzzy@db:5432", "shop.orders")
    event: Any = build.start()
    job = event.job
    for value in (event, job, job.facets, job.facets.sql, event.inputs[0], build, build.job):
        assert "xyzzy" not in repr(value) + value._repr_html_()
    own = job.to_dict() | {"password": "xyzzy", "options": {"apiKey": "xyzzy", "a": "b"}}
    assert "xyzzy" not in repr(type(job).model_validate(own))
    assert repr(SQLJobFacet(query="SELECT token FROM t")).count("SELECT token FROM t") == 1


def test_the_repr_of_a_name_and_its_value_is_redacted() -> None:
    name, value, url = "DB_PASSWORD", "xyzzy", "postgres://ana:xyzzy@db:5432"
    event = RunEventBuilder("etl", "orders").start()
    for secret in (
        Tag(name, value),
        Tag("origin", url, source=url, field=url),
        Tag(url),
        EnvironmentVariable(name=name, value=value),
        ExecutionParameter(key=name, name="the login", value=value),
        EnvironmentVariablesRunFacet(environment_variables=[{"name": name, "value": value}]),
        tags_facet("job", [Tag(name, value)]),
        tags_facet("dataset", [Tag(name, value)], "proposal"),
        type(event.job).model_validate(event.job.to_dict() | {"options": [{"key": name, "value": value}]}),
    ):
        assert "xyzzy" not in repr(secret)
        assert "***" in repr(secret)
    assert repr(Tag("team", "secretary", source="USER")) == "Tag('team', 'secretary', source='USER')"


@each(
    ("pointer", "value", "shown"),
    [
        ("/run/facets/x/password", "xyzzy", '"***"'),
        ("/run/facets/x/name", "xyzzy", '"xyzzy"'),
        ("/run/facets/x/password", 7, "7"),
        ("/token", 123456789, '"***"'),
        ("/token", 12, "12"),
        ("/token", 1.5e300, '"***"'),
    ],
)
def test_the_value_at_the_place_of_a_secret_is_not_in_a_finding(
    pointer: str, value: object, shown: str
) -> None:
    finding = Finding(pointer, "a boolean", describe(value))
    assert finding.found == shown
    assert str(finding) == f"{pointer}: expected a boolean, found {shown}"


def test_errors_contain_no_values() -> None:
    event = RunEventBuilder("etl", "orders").start().to_dict()
    invalid = event | {"eventType": {"password": "xyzzy"}, "run": "xyzzy"}

    class Message(BaseModel):
        model_config = ConfigDict(hide_input_in_errors=True)  # As the documentation recommends.
        event: RunEvent

    for compose in (
        lambda: RunEvent.model_validate(invalid),
        lambda: RunEvent.model_validate_json(json.dumps(invalid)),
        lambda: SQLJobFacet.model_validate({"query": {"password": "xyzzy"}}),
        lambda: Message(event=invalid),
        lambda: SQLJobFacet(query=7, password="xyzzy"),  # type: ignore[call-arg, arg-type]
    ):
        with pytest.raises((ValidationError, EventError)) as raised:
            compose()
        assert "xyzzy" not in str(raised.value) + repr(raised.value)


SECRET_KEYS = {
    "spark.hadoop.fs.s3a.secret.key=xyzzyXUtnFEMI": "spark.hadoop.fs.s3a.secret.key=***",
    "set AZURE_CLIENT_SECRET=8Q~xyzzyDEF123ghi": "set AZURE_CLIENT_SECRET=***",
    "postgres://ana:xyzzy@db": "postgres://***@db",
    "it's \\ password=xyzzy": "it's \\ password=***",
    "AVNS_plughxyzzy": "***",  # The shortest word that is a secret.
}


def test_a_secret_in_a_key_is_in_no_error_and_no_repr() -> None:
    for key, shown in SECRET_KEYS.items():
        with pytest.raises(EventError) as raised:
            SQLJobFacet(query="q", **{key: 1})  # type: ignore[arg-type]
        (finding,) = raised.value.findings
        assert steps_of(finding.pointer) == [key]
        assert pickle.loads(pickle.dumps(finding)) == finding == replace(finding)
        assert shown in finding.problem
        texts = [str(raised.value), repr(raised.value), repr(finding), FindingList([finding])._repr_html_()]
        event = with_keys(RunEventBuilder("etl", "orders").start().to_dict(), key)
        reading = read_event(event)
        run = reading.event.run  # type: ignore[union-attr]
        assert run.to_dict()["facets"].keys() == {key}
        assert shown in repr(run.facets)
        texts += [*map(repr, (reading, reading.event, run, run.facets, Document(event).facets))]
        texts += [*map(str, reading.findings), *map(str, validate(with_keys(event, key, {})))]
        assert [text for text in texts if "xyzzy" in text] == [], key


def with_keys(event: dict[str, Any], key: str, facet: object = None) -> dict[str, Any]:
    """Return an event with an additional field and facet under the key."""
    facet = SQLJobFacet(query="q", producer="https://example.com").to_dict() if facet is None else facet
    return {**event, key: 1, "run": {**event["run"], key: 1, "facets": {key: facet}}}


def test_an_ordinary_key_is_not_searched_for_secrets() -> None:
    before = redact_module._redacted_short.cache_info()
    pointer = "/inputs/17000000000000000/facets/columnLineage/fields"
    assert redacted_pointer(pointer) == pointer
    assert redacted_pointer("") == ""
    assert redact_module._redacted_short.cache_info() == before


def test_a_location_that_is_no_json_pointer_is_redacted() -> None:
    assert str(Finding("s3://lake raw/orders", "a", "b")) == "s3://lake raw/orders: expected a, found b"
    assert redacted_pointer("s3://ana:xyzzy@lake raw/orders") == "s3://***@lake raw/orders"


def test_a_finding_about_a_schema_url_shows_no_part_of_its_password() -> None:
    facet = {"_producer": "https://example.com", "_schemaURL": "https://ana:xy/zzy-plugh@example.com/x.json"}
    facets = {"acme_cost": facet, "acme_more": {**facet, "_schemaURL": "https://ana:xy@zz/" + "plugh" * 800}}
    document = Document({"run": {"runId": "x", "facets": facets}})
    text = " ".join(map(str, RuleSet(built_in_rules()).check(document)))
    assert "OL102" in {finding.code for finding in RuleSet(built_in_rules()).check(document)}
    assert "zzy" not in text


ERROR = "could not connect to postgres://ana:xyzzy@db:5432/shop"


def failed() -> Exception:
    try:
        raise RuntimeError("the job failed") from ConnectionError(ERROR)
    except RuntimeError as error:
        return error


def test_fail_redacts_the_message_and_the_stack_trace() -> None:
    for error in (ERROR, ConnectionError(ERROR), failed()):
        build = RunEventBuilder("etl", "orders")
        build.start()
        event = build.fail(error)
        assert b"errorMessage" in event.to_json()
        assert b"xyzzy" not in event.to_json()


def test_a_facet_that_is_composed_by_hand_is_not_altered() -> None:
    build = RunEventBuilder("etl", "orders")
    build.job.sql(query="SET password = 'xyzzy'")
    assert b"xyzzy" in build.start().to_json()


def test_our_loggers_redact_messages_and_stack_traces(caplog: pytest.LogCaptureFixture) -> None:
    log = redacting_logger("openlineage_facets.spark")
    with caplog.at_level(logging.WARNING, log.name):
        log.warning("%s: %d", ERROR, 7, exc_info=failed())
        log.warning("no %s here", "secret")
    assert "postgres://***@db:5432/shop: 7" in caplog.text
    assert "RuntimeError: the job failed" in caplog.text
    assert "xyzzy" not in caplog.text
    assert caplog.records[1].args == ("secret",)


@each(("package", "module"), [("emitters", "errors"), ("operators", "listener"), ("tags", "tag")])
def test_each_logger_of_the_package_redacts(package: str, module: str) -> None:
    import_module(f"openlineage_facets.{package}.{module}")
    assert logging.getLogger(f"openlineage_facets.{package}").filters


class Login(BaseModel):
    password: str


@dataclass
class Account:
    password: str


class LoginRunFacet(RunFacet):
    __facet_key__ = "acme_login"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/LoginRunFacet.json"

    login: Login
    account: Account
    accounts: dict[str, Account]
    token: list[Login]
    password: bytes
    data: list[bytes]


LOGIN = LoginRunFacet(
    login=Login(password=SECRET),
    account=Account(SECRET),
    accounts={"a": Account(SECRET)},
    token=[Login(password=SECRET)],
    password=SECRET.encode(),
    data=[f"password={SECRET}".encode()],
)


@each(
    "facet",
    [
        RunFacet(password=[SECRET]),
        RunFacet(db={"password": {"current": SECRET}}),
        RunFacet(items=[{"password": [SECRET]}]),
        RunFacet(name="db_password", value=[SECRET]),
        RunFacet(item={"value": SECRET, "w": 1, "x": 2, "y": 3, "z": 4, "variable": "db_password"}),
        RunFacet(token=int(NUMBER)),
        LOGIN,
    ],
    ids=str,
)
def test_a_secret_inside_of_a_value_is_not_shown(facet: RunFacet) -> None:
    for text in (repr(facet), facet._repr_html_()):
        assert SECRET not in text
        assert NUMBER not in text
        assert "***" in text


class CheckedRunFacet(RunFacet):
    __facet_key__ = "acme_checked"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/CheckedRunFacet.json"

    dsn: str

    @field_validator("dsn")
    @classmethod
    def check(cls, dsn: str) -> str:
        raise ValueError(f"cannot connect to {dsn}")


def test_the_message_of_a_validator_is_redacted() -> None:
    with pytest.raises(EventError) as caught:
        CheckedRunFacet(dsn=f"postgres://ana:{SECRET}@db/shop")
    assert str(caught.value).endswith("; cannot connect to postgres://***@db/shop")
    assert SECRET not in "".join(format_exception(caught.value))
    with pytest.raises(EventError) as caught:
        CheckedRunFacet(dsn="db")
    assert isinstance(caught.value.__cause__, ValueError)
