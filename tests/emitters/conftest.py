"""Fixtures: receivers, and an environment without proxies."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.emitters.misbehaving_receiver import Behaviour, Receiver, accept


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.upper() == "HTTP_PROXY"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def nobodys_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def start_receiver() -> Iterator[Callable[..., Receiver]]:
    with ExitStack() as stack:

        def start(behaviour: Behaviour = accept, port: int = 0) -> Receiver:
            receiver = Receiver(behaviour, port)
            stack.callback(receiver.close)
            return receiver

        yield start


@pytest.fixture
def receiver(start_receiver: Callable[..., Receiver]) -> Receiver:
    return start_receiver()
