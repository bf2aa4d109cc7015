"""Runs on disk: written unit by unit, resumed after a crash, read back as tidy frames."""

from dixitlib.store.fits import Fits, read_fits, write_fits
from dixitlib.store.frames import (
    read_answers,
    read_counterfactual,
    read_replies,
    read_rounds,
    read_sensitivity,
    read_votes,
    votes_of,
)
from dixitlib.store.manifest import NAME as MANIFEST
from dixitlib.store.manifest import RunError, locate, provenance, read_manifest, sources
from dixitlib.store.runs import (
    FolderInUse,
    RunWriter,
    hold,
    iter_answers,
    iter_rounds,
    open_run,
    read_round,
)

__all__ = [
    "MANIFEST",
    "Fits",
    "FolderInUse",
    "RunError",
    "RunWriter",
    "hold",
    "iter_answers",
    "iter_rounds",
    "locate",
    "open_run",
    "provenance",
    "read_answers",
    "read_counterfactual",
    "read_fits",
    "read_manifest",
    "read_replies",
    "read_round",
    "read_rounds",
    "read_sensitivity",
    "read_votes",
    "sources",
    "votes_of",
    "write_fits",
]
