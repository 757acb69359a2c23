"""The variables that the page on backends shows make a backend the destination."""

from __future__ import annotations

import json
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from openlineage_facets.emitters import BackendRepairs, EmissionError, HttpEmitter, emitter_from_environment
from openlineage_facets.emitters.base_emitter import BaseEmitter
from openlineage_facets.validation.backends.catalogue import known_profiles
from tests.cases import each
from tests.validation.backends.fact_examples import event_with, examples

HTTP = {
    "atlan": "https://ACCOUNT.atlan.com/events/openlineage/CONNECTOR/api/v1/lineage",
    "correlator": "https://correlator.example.com/api/v1/lineage",
    "data-rentgen": "http://http2kafka:8002/v1/openlineage",
    "datahub": "http://datahub-gms:8080/openapi/openlineage/api/v1/lineage",
    "marquez": "http://marquez:5000/api/v1/lineage",
    "openmetadata": "https://openmetadata.example.com/api/v1/openlineage/lineage",
    "purview-accelerator": "https://FUNCTION_APP.azurewebsites.net/api/v1/lineage",
    "snowflake": "https://ACCOUNT.snowflakecomputing.com/api/v2/lineage/external-lineage",
}
CLOUDS = ["aws-datazone", "dataplex"]
WITHOUT_DESTINATION = ["openlineage-java"]


class Cloud:
    """Stands in for the packages of AWS and Google, and keeps what their transports send."""

    def __init__(self) -> None:
        self.received: list[tuple[str, Any]] = []
        self.transport = SimpleNamespace(close=lambda: None)

    def close(self) -> None:
        """Do nothing."""

    def post_lineage_event(self, *, event: bytes, **place: str) -> dict[str, str]:
        self.received.append((place["domainIdentifier"], json.loads(event)))
        return {"id": "event", "domainId": place["domainIdentifier"]}

    def process_open_lineage_run_event(self, parent: str, open_lineage: Any) -> None:
        self.received.append((parent, open_lineage))


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    one = Cloud()
    modules: dict[str, dict[str, Any]] = {
        "boto3": {"client": lambda service, **settings: one},
        "google": {},
        "google.oauth2": {"service_account": None},
        "google.cloud": {},
        "google.cloud.datacatalog_lineage_v1": dict.fromkeys(
            ("LineageClient", "LineageAsyncClient"), lambda: one
        ),
    }
    for name, content in modules.items():
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    return one


pytestmark = pytest.mark.usefixtures("nobodys_home")


def configured(backend: str, monkeypatch: pytest.MonkeyPatch) -> BaseEmitter:
    for name, value in known_profiles()[backend].environment.items():
        monkeypatch.setenv(name, value)
    return emitter_from_environment()


def test_there_are_settings_for_each_backend() -> None:
    assert sorted([*HTTP, *CLOUDS, *WITHOUT_DESTINATION]) == sorted(known_profiles())
    assert [name for name, one in known_profiles().items() if not one.environment] == WITHOUT_DESTINATION


@each(("backend", "url"), list(HTTP.items()), ids=lambda value: str(value))
def test_the_variables_name_the_endpoint(backend: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENLINEAGE_ENDPOINT", "OPENLINEAGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    emitter = configured(backend, monkeypatch)
    assert (type(emitter), str(emitter)) == (HttpEmitter, f"HttpEmitter({url})")


def test_the_lines_of_a_shell_also_name_the_repairs() -> None:
    transport, backend = known_profiles()["aws-datazone"].commands.splitlines()
    assert transport.startswith('export OPENLINEAGE__TRANSPORT=\'{"type": "amazon_datazone_api", ')
    assert backend == "export OPENLINEAGE_BACKEND=aws-datazone"
    assert known_profiles()["openlineage-java"].commands == ""


@pytest.mark.parametrize(
    ("backend", "place"), [("aws-datazone", "DOMAIN"), ("dataplex", "projects/PROJECT/locations/LOCATION")]
)
def test_the_transport_of_a_cloud_sends_events_unchanged(
    backend: str, place: str, cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = event_with({"run": {"facets": {"acme_note": {"empty": {}, "nothing": None}}}})
    with configured(backend, monkeypatch) as emitter:
        emitter.emit(event)
    assert cloud.received == [(place, event)]


def test_the_transport_of_google_fails_where_the_profile_says_so(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    emitter = configured("dataplex", monkeypatch)
    tried = [one for one in examples() if one.backend == "dataplex" and one.fact.startswith("job-type")]
    assert len(tried) == 2
    for example in tried:
        with pytest.raises(EmissionError):
            emitter.send(json.dumps(example.applies).encode())
        emitter.send(json.dumps(example.not_applies).encode())
        emitter.send(BackendRepairs("dataplex")(json.dumps(example.applies).encode()))
    assert len(cloud.received) == 4
    emitter.close()
