"""Control a headless Chromium through pipes, with its DevTools protocol."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any

_PATIENCE = 60
"""Seconds to wait for a condition, generous because tests run in parallel."""


class Browser:
    """A headless Chromium with one page.

    Args:
        program: Path of Chromium.
        profile: An empty folder.
    """

    def __init__(self, program: str, profile: Path) -> None:
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        # Chromium reads commands from descriptor 3 and writes answers to 4.
        start = f'exec 3<&{to_read} 4>&{to_write}; exec "$@"'
        options = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-ipc-flooding-protection",  # Tests change the fragment faster than a person does.
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--remote-debugging-pipe",
            "--window-size=1400,900",
            f"--user-data-dir={profile}",
            "about:blank",
        )
        self._process = subprocess.Popen(
            ["bash", "-c", start, "bash", program, *options],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.events: deque[dict[str, Any]] = deque()
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        # Where a click goes must not depend on time.
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.call("Emulation.setEmulatedMedia", features=[still])

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])
            self.events.append(answer)

    def open(self, page: Path, fragment: str = "") -> None:
        """Open a page and wait until it is loaded."""
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri() + fragment)
        self.wait_for("document.readyState === 'complete' && location.protocol === 'file:'")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + _PATIENCE
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"not true: {expression}"
            time.sleep(0.02)

    def click(self, element: str) -> None:
        """Click the middle of an element, given as an expression."""
        x, y = self.evaluate(
            f"(() => {{ const box = ({element}).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press a key, such as "Enter" or "f"."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        common = {"key": key, "windowsVirtualKeyCode": code.get(key, ord(key[0].upper()))}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def write(self, text: str) -> None:
        """Enter text into the focused field."""
        self.call("Input.insertText", text=text)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            part = os.read(self._from, 1 << 20)
            assert part, "Chromium has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))
