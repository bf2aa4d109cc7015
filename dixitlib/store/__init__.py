"""Runs on disk: written unit by unit, resumed after a crash, read back as tidy frames."""

from dixitlib.store.frames import read_answers, read_replies, read_rounds, read_votes
from dixitlib.store.manifest import NAME as MANIFEST
from dixitlib.store.manifest import locate, provenance, read_manifest
from dixitlib.store.runs import RunWriter, iter_answers, iter_rounds, open_run

__all__ = [
    "MANIFEST",
    "RunWriter",
    "iter_answers",
    "iter_rounds",
    "locate",
    "open_run",
    "provenance",
    "read_answers",
    "read_manifest",
    "read_replies",
    "read_rounds",
    "read_votes",
]
