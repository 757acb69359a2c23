"""The version of this package, read by the build and by the default producer, and how to install it."""

__version__ = "0.1.0"

IS_ON_INDEX = False
"""Whether pip finds the package on an index. After a change, run `tools/install_commands.py`."""


def install_command(extras: str) -> str:
    """Return the command that installs the package with extras, for messages.

    Example:
        >>> install_command("spark,cli")
        'pip install ".[spark,cli]" in the checkout of openlineage-facets'
    """
    if IS_ON_INDEX:
        return f'pip install "openlineage-facets[{extras}]"'
    return f'pip install ".[{extras}]" in the checkout of openlineage-facets'
