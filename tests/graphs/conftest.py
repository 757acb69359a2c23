"""A browser for pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.graphs.browser import Browser
from tests.graphs.page_in_browser import Page
from tools.chromium import chromium


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = chromium()
    if program is None:
        pytest.skip("pages are not tested in a browser: no Chromium; run tools/chromium.py")
    with Browser(program, tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    opened = Page(browser, tmp_path / "lineage.html")
    yield opened
    loaded = [
        event["params"]["request"]["url"]
        for event in browser.events
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in loaded if url.split("#")[0] != opened.file.as_uri()] == []
    problems = [
        event for event in browser.events if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")
    ]
    assert problems == []
