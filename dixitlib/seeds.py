"""Chance that belongs to a place in the study, not to the order of the work.

All randomness comes from one seed and the name of the place where it is needed, so a
result is the same whether it is worked out alone, first, last or in another process.
"""

from __future__ import annotations

from numpy.random import PCG64, Generator, SeedSequence


def place(seed: int, *key: int | str) -> Generator:
    """Return the generator of a place, such as ``place(42, "deal", 3)``."""
    return Generator(PCG64(SeedSequence(seed, spawn_key=[_number(part) for part in key])))


def _number(part: int | str) -> int:
    return int.from_bytes(part.encode()) if isinstance(part, str) else part
