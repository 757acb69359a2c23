"""Names of file types for messages."""

from __future__ import annotations

import stat

_NAMES = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


def file_type(mode: int) -> str:
    """Return the name of the file type in a mode, such as "a FIFO", or "" for a regular file.

    Args:
        mode: `st_mode` of the file.
    """
    return _NAMES.get(stat.S_IFMT(mode), "")
