"""Where things are: the repository, and the home whose data and figures are in use.

The home is the repository unless ``DIXITWORLD_HOME`` names another folder of the same
layout. `make reproduce` does the whole study anew in such a folder under ``build/``.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
ROOM = 50_000_000  # bytes; replies to some thousand calls, or the records of a large run


class DiskFull(OSError):
    """There is no room for what is to be kept; what is there is whole."""


def home() -> Path:
    """Return the folder that holds the ``data/`` and ``figures/`` in use."""
    return Path(os.environ.get("DIXITWORLD_HOME") or REPOSITORY).resolve()


def data(*parts: str) -> Path:
    """Return a path below the home's ``data/``."""
    return home().joinpath("data", *parts)


def figures(*parts: str) -> Path:
    """Return a path below the home's ``figures/``."""
    return home().joinpath("figures", *parts)


def need_room(folder: Path) -> None:
    """Refuse to begin what a full disk would lose.

    Raises
    ------
    DiskFull
        If the folder's disk has less than `ROOM` left.
    """
    left = shutil.disk_usage(folder).free
    if left < ROOM:
        raise DiskFull(
            f"the disk of {folder} has {left / 1e6:.0f} MB left, and {ROOM / 1e6:.0f} are needed: "
            "make room and go on; what is there is whole"
        )
