"""Source code location facet, from the git repository of the job's code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlsplit

from openlineage_facets.base.redaction.secret_urls import without_login
from openlineage_facets.facets import SourceCodeLocationJobFacet

_TIMEOUT_SECONDS = 5
_SCP_ADDRESS = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>(?!/).+)")
"""Short form of an SSH address, such as git@example.com:data/pipelines.git."""

_FILE_VIEWS = {"github": "blob", "gitlab": "-/blob", "bitbucket": "src"}
"""URL path between repository and commit, by the name of the host."""


def source_code_facet(path: Path | str | None = None) -> SourceCodeLocationJobFacet:
    """Return repository, branch, commit and path of the code, without credentials.

    There is no commit if the file has uncommitted changes.

    Args:
        path: File or folder of the job's code; the script that Python was started with by default.

    Raises:
        ValueError: There is no script, the path does not exist, it is not in a git repository, or the
            repository has no remote with a network address.
        OSError: Git is not installed.
        subprocess.SubprocessError: Git does not respond.
    """
    code = Path(path or _script()).resolve()
    if not code.exists():
        raise ValueError(f"source_code: expected a file or folder, found nothing at {code}")
    folder = code if code.is_dir() else code.parent
    relative = code.relative_to(_git(folder, "rev-parse", "--show-toplevel")).as_posix()
    repository = without_login(_git(folder, "remote", "get-url", _remote(folder)))
    changed = _git(folder, "status", "--porcelain", "--", str(code))
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
        raise ValueError("source_code: expected a script, found an interactive session; pass the path")
    return str(script)


def _git(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=_TIMEOUT_SECONDS, env=environment
    )
    if done.returncode:
        error = done.stderr.strip() or f"git {' '.join(arguments)} failed"
        raise ValueError(f"source_code: expected a git repository with a commit at {folder}, found {error}")
    return done.stdout.strip()


def _remote(folder: Path) -> str:
    remotes = _git(folder, "remote").split()
    if not remotes:
        raise ValueError(f"source_code: expected a git repository with a remote, found no remote in {folder}")
    return "origin" if "origin" in remotes else remotes[0]


def _link(repository: str, commit: str | None, path: str) -> str:
    """Return the browser URL of the code, or of the repository for an unknown host."""
    short = _SCP_ADDRESS.fullmatch(repository) if "://" not in repository else None
    if short:
        host, folder = short["host"], short["path"]
    else:
        parts = urlsplit(repository)
        host, folder = parts.hostname or "", parts.path
        if parts.port and parts.scheme in ("http", "https"):
            host = f"{host}:{parts.port}"
    if not host:
        raise ValueError(f"source_code: expected a git remote with a network address, found {repository!r}")
    home = f"https://{host}/{quote(folder.strip('/').removesuffix('.git'))}"
    view = next((view for name, view in _FILE_VIEWS.items() if name in host.split(".")), None)
    return f"{home}/{view}/{commit}/{quote(path)}" if view and commit else home
