"""Where things are: the repository, and the home whose data and figures are in use.

The home is the repository unless ``DIXITWORLD_HOME`` names another folder of the same
layout. `make reproduce` does the whole study anew in such a folder under ``build/``.
"""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


def home() -> Path:
    """Return the folder that holds the ``data/`` and ``figures/`` in use."""
    return Path(os.environ.get("DIXITWORLD_HOME") or REPOSITORY).resolve()


def data(*parts: str) -> Path:
    """Return a path below the home's ``data/``."""
    return home().joinpath("data", *parts)


def figures(*parts: str) -> Path:
    """Return a path below the home's ``figures/``."""
    return home().joinpath("figures", *parts)
