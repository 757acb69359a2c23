"""Where the code of a job is kept, as its git repository says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from openlineage_facets.facets import SourceCodeLocationJobFacet

__all__ = ["source_code_facet"]

_SECONDS = 5
_SCP = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>(?!/).+)")
"""The short form of an SSH address, such as git@example.com:data/pipelines.git."""

_VIEWS = {"github": "blob", "gitlab": "-/blob", "bitbucket": "src"}
"""What stands between repository and commit in the address of a file, by the name of the host."""


def source_code_facet(path: Path | str | None = None) -> SourceCodeLocationJobFacet:
    """Return where the code is: repository, branch, commit and path, without credentials.

    The commit is left out where the file was changed since: it would name other code than what runs.

    Args:
        path: The file or folder of the job's code; the script that Python was started with if not given.

    Raises:
        ValueError: There is no script or nothing at the path, it lies in no git repository, or this has no
            address on the network.
        OSError: There is no git.
        subprocess.SubprocessError: Git does not answer.
    """
    place = Path(path or _script()).resolve()
    if not place.exists():
        raise ValueError(f"source_code: expected a file or folder, found nothing at {place}")
    folder = place if place.is_dir() else place.parent
    relative = place.relative_to(_git(folder, "rev-parse", "--show-toplevel")).as_posix()
    repository = _without_credentials(_git(folder, "remote", "get-url", _remote(folder)))
    changed = _git(folder, "status", "--porcelain", "--", str(place))
    commit = None if changed else _git(folder, "rev-parse", "HEAD")
    branch = _git(folder, "rev-parse", "--abbrev-ref", "HEAD")
    return SourceCodeLocationJobFacet(
        type="git",
        url=_link(repository, commit, relative),
        repo_url=repository,
        path=relative,
        version=commit,
        branch=None if branch == "HEAD" else branch,
    )


def _script() -> str:
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if not script:
        raise ValueError("source_code: expected a script, found an interactive session; give the path")
    return str(script)


def _git(folder: Path, *words: str) -> str:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "-C", str(folder), *words]
    answer = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=_SECONDS, env=environment
    )
    if answer.returncode:
        said = answer.stderr.strip() or f"{' '.join(words)} failed"
        raise ValueError(f"source_code: expected a git repository with a commit at {folder}, found {said}")
    return answer.stdout.strip()


def _remote(folder: Path) -> str:
    remotes = _git(folder, "remote").split()
    if not remotes:
        raise ValueError(f"source_code: expected a git repository with a remote, found none in {folder}")
    return "origin" if "origin" in remotes else remotes[0]


def _without_credentials(address: str) -> str:
    """Return the address of a repository without user, password, query and fragment."""
    if "://" not in address:
        return address  # Of the short form, the user says how to connect and is no secret.
    scheme, where, path, _, _ = urlsplit(address)
    user, _, host = where.rpartition("@")
    kept = f"{user.partition(':')[0]}@{host}" if scheme == "ssh" and user else host
    return urlunsplit((scheme, kept, path, "", ""))


def _link(repository: str, commit: str | None, path: str) -> str:
    """Return the address of the code in a browser, the repository's where the code's is not known."""
    short = _SCP.fullmatch(repository) if "://" not in repository else None
    if short:
        host, folder = short["host"], short["path"]
    else:
        parts = urlsplit(repository)
        host, folder = parts.hostname or "", parts.path
        if parts.port and parts.scheme in ("http", "https"):
            host = f"{host}:{parts.port}"
    if not host:
        raise ValueError(f"source_code: expected a git remote on another machine, found {repository!r}")
    home = f"https://{host}/{quote(folder.strip('/').removesuffix('.git'))}"
    view = next((view for name, view in _VIEWS.items() if name in host.split(".")), None)
    return f"{home}/{view}/{commit}/{quote(path)}" if view and commit else home
