"""What is known of one code that findings carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Code"]


@dataclass(frozen=True)
class Code:
    """One kind of finding, as the catalogue explains it.

    Args:
        code: The code, such as "OL003"; stable over versions.
        title: What is wrong, in a few words.
        severity: "error" where the event is not valid, "warning" where it is unwise.
        page: What the finding says and why it matters, in plain Markdown paragraphs.
        see: The section of the specification that says so, or "".
    """

    code: str
    title: str
    severity: Literal["error", "warning"]
    page: str
    see: str = ""
