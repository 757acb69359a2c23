"""What a profile calls refused, and nothing else, is refused in conversations with a backend."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple

import pytest
import yaml

from openlineage_facets.emitters import EmissionError, HttpEmitter
from openlineage_facets.testing.receiver import LoopbackServer
from openlineage_facets.validation import validate
from openlineage_facets.validation.backends.catalogue import known_profiles
from tests.cases import each
from tests.validation.backends.fact_examples import FOLDER, examples

ANSWERS: dict[str, Any] = yaml.safe_load((FOLDER / "answers.yaml").read_text())


class Turn(NamedTuple):
    """An event, and what a backend answers."""

    backend: str
    name: str
    event: dict[str, Any]
    status: int = 201
    body: str = ""
    breaks: str = ""


def turns() -> Iterator[Turn]:
    for backend, fact, applies, not_applies in examples():
        if backend in ANSWERS:
            yield Turn(backend, fact, applies, **ANSWERS[backend].get(fact, {}))
            yield Turn(backend, f"not-{fact}", not_applies)


TURNS = list(turns())


@pytest.fixture(scope="module")
def backend_url() -> Iterator[str]:
    """A server that answers as the backend in the first part of the path does."""
    answers = {(turn.backend, json.dumps(turn.event)): turn for turn in TURNS if turn.status != 201}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            turn = answers.get((self.path.split("/")[1], json.dumps(event)))
            body = turn.body.encode() if turn else b""
            self.send_response(turn.status if turn else 201)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

    server = LoopbackServer(Handler)
    yield server.url
    server.close()


@each("turn", TURNS, ids=lambda turn: f"{turn.backend}/{turn.name}")
def test_the_profile_calls_an_event_refused_if_and_only_if_the_backend_refuses_it(
    turn: Turn, backend_url: str
) -> None:
    found = [
        one.fact
        for one in validate(turn.event, rules=False, backends=turn.backend)
        if one.severity == "error"
    ]
    assert bool(found) == (turn.status >= 400 or bool(turn.breaks)), found
    emitter = HttpEmitter(f"{backend_url}/{turn.backend}")
    line = json.dumps(turn.event).encode()
    if turn.status == 201:
        emitter.send(line)
    else:
        with pytest.raises(EmissionError, match=f"{turn.status}.*{turn.body}"):
            emitter.send(line)


def test_there_is_an_answer_to_each_refusal_of_the_backends_that_cannot_be_started() -> None:
    refused = {
        name: {fact.id for fact in profile.fact if fact.effect == "refused" and fact.check}
        for name, profile in known_profiles().items()
    }
    tried = refused.keys() - ANSWERS.keys()
    assert tried == {"data-rentgen", "openmetadata", "openlineage-java"}
    assert {name: set(answers) for name, answers in ANSWERS.items()} == {
        name: refused[name] for name in ANSWERS
    }
