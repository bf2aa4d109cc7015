"""What takes seconds to work out, and comes out the same every time, is worked out once.

Results are kept under the home's ``build/cache``, by arguments, by the sources of the room
that works them out, and by the packages that are installed. `make clean` forgets them, and
`make reproduce` starts without any.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
from collections.abc import Callable
from importlib.metadata import distributions
from pathlib import Path
from typing import ParamSpec, TypeVar

from joblib import Memory

from dixitlib import paths

P = ParamSpec("P")
R = TypeVar("R")


def kept(work: Callable[P, R]) -> Callable[P, R]:
    """Return a function that looks a result up before it works it out.

    Parameters
    ----------
    work
        A function of a module that reads nothing but its arguments and what is installed.
    """

    @functools.wraps(work)
    def looked_up(*arguments: P.args) -> R:
        return _memory(work).cache(work)(*arguments)

    return looked_up


def _memory(work: Callable[..., object]) -> Memory:
    """Return where results are kept: nowhere, if the home can't be written."""
    if not os.access(paths.home(), os.W_OK):
        return Memory(None, verbose=0)
    return Memory(paths.home() / "build" / "cache" / _sources(work), verbose=0)


def _sources(work: Callable[..., object]) -> str:
    files = sorted(Path(inspect.getfile(work)).parent.glob("*.py"))
    made_of = [*(file.read_bytes() for file in files), installed().encode()]
    return hashlib.sha256(b"\0".join(made_of)).hexdigest()[:16]


@functools.cache
def installed() -> str:
    """Return the names and versions of all packages, which others might round otherwise."""
    return "\n".join(sorted(f"{each.name} {each.version}" for each in distributions()))
