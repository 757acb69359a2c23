"""Bytes of a file as they are, or out of gzip and Zstandard, with every byte before a damaged place."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import IO, Protocol

from openlineage_facets.cli.failure import CommandError

__all__ = ["DamagedFile", "decompressed", "is_compressed"]

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_PIECE = 1 << 20
_COMPRESSED_PIECE = 1 << 14
"""Bytes that are decompressed at a time; they may become some thousand times as many."""


class DamagedFile(Exception):
    """The file ends in the middle, or holds what its format does not allow.

    Args:
        found: What is wrong, to follow "found".
    """


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def is_compressed(head: bytes) -> bool:
    """Return whether a file that begins with `head` is compressed."""
    return head.startswith((_GZIP, _ZSTD))


def decompressed(file: IO[bytes], head: bytes) -> Iterator[bytes]:
    """Yield the text of a file in pieces, decompressed where its first bytes say so.

    Args:
        file: The file, open behind `head`.
        head: What was read of it already.

    Raises:
        DamagedFile: After everything before the damaged place has been yielded.
        CommandError: It takes a package that is not installed to read it.
    """
    if head.startswith(_GZIP):
        return _frames(file, head, "gzip", lambda: zlib.decompressobj(wbits=31), zlib.error)
    if head.startswith(_ZSTD):
        try:
            import zstandard
        except ModuleNotFoundError:
            raise CommandError(
                'reading .zst needs zstandard: pip install "openlineage-facets[cli]"'
            ) from None
        decompressor = zstandard.ZstdDecompressor()
        return _frames(file, head, "Zstandard", decompressor.decompressobj, zstandard.ZstdError)
    return _plain(file, head)


def _plain(file: IO[bytes], head: bytes) -> Iterator[bytes]:
    piece = head
    while piece:
        yield piece
        piece = file.read(_PIECE)


def _frames(
    file: IO[bytes],
    head: bytes,
    name: str,
    new: Callable[[], _Decompressor],
    error: type[Exception],
) -> Iterator[bytes]:
    """Yield the text of frames that follow one another, as `cat a.gz b.gz` makes them."""
    data, current = head, new()
    while data:
        try:
            text = current.decompress(data)
        except error as reason:
            raise DamagedFile(f"damaged {name} data ({reason})") from None
        if text:
            yield text
        if current.eof:
            data = (current.unused_data or file.read(_COMPRESSED_PIECE)).lstrip(b"\0")
            if not data:
                return
            current = new()
        else:
            data = file.read(_COMPRESSED_PIECE)
    raise DamagedFile(f"the end of the file in the middle of {name} data")
