"""A run with models, killed at any byte of all its files, ends with the same rows."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import ClassVar

from dixitlib import store
from dixitlib.cards.deck import Deck
from dixitlib.models import replies
from dixitlib.models.base import Scripted
from dixitlib.models.prices import Budget
from dixitlib.records import Card, Item
from dixitlib.study import __main__ as study
from dixitlib.study import asking, players
from dixitlib.study.params import ArenaParams, BenchParams, DeckParams, ModelParams, Params
from dixitlib.study.playing import Threads

ASKED = Params(
    "mine",
    DeckParams("data/cards"),
    "data/clues/bank.csv",
    ArenaParams({"mine": ("a",)}),
    BenchParams("mine", ("a",), controls=("own",)),
    models={"a": ModelParams("here")},
)
ITEMS = 12
CALLS = 24 * 8 + ITEMS  # a match against itself: target and clue, three cards laid, three votes
RUN = Path("data/runs/mine")
FILES = ("replies/main.calls", "replies/main.jsonl", "rounds.jsonl", "answers.jsonl")


def reply_to(messages) -> str:
    """Answer by words and pictures alone."""
    parts = [part for message in messages for part in message.parts]
    words = "\n".join(part.sha256 if isinstance(part, Card) else part for part in parts)
    draw = random.Random(hashlib.sha256(words.encode()).digest())
    if labels := re.search(r"one of ((?:[A-Z], )*[A-Z])\b", words):
        return json.dumps({"choice": draw.choice(labels[1].split(", "))})
    return json.dumps({"clue": f"dream {draw.randrange(100)}"})


def items(deck) -> list[Item]:
    ids = [card.id for card in deck]
    return [Item(f"i{n}", "easy", f"clue {n}", ids[n], tuple(ids[n : n + 6])) for n in range(ITEMS)]


class Toy(Scripted):
    """A model in memory that the study takes for one behind an endpoint."""

    adapted: ClassVar[dict[str, str]] = {}


def play(deck) -> Toy:
    """Play a run anew or to its end, as `study.run` does, without a server."""
    model = Toy(reply_to, "toy")
    told = asking.Asking(ASKED, {"a": model}, {}, Budget())
    setting = players.Setting((), None, told)
    with study.opened(ASKED, "mine", deck, setting) as run:
        study.playing.play_table(ASKED, run.seat(["a"]), deck, run.sink, Threads(), told.budget)
        study.playing.sit_bench(ASKED, run.seat(["a"]), items(deck), deck, run.sink, Threads())
    return model


def test_a_run_killed_at_any_byte_ends_with_the_same_rows(toy_deck, tmp_path, monkeypatch):
    monkeypatch.setattr(study.playing, "bar", lambda *_, **__: iter)
    monkeypatch.setattr(os, "fsync", lambda file: None)  # no disk fails here, and it is slow
    deck, finished = Deck(tuple(toy_deck)), tmp_path / "finished"
    moments = [dict.fromkeys(FILES, 0)]  # sizes of all files after each thing that was written
    with monkeypatch.context() as patch:
        patch.setenv("DIXITWORLD_HOME", str(finished))
        log, sink = replies.ReplyLog, store.RunWriter
        for owner, name in ((log, "begin"), (log, "end"), (sink, "write")):
            spied(patch, owner, name, lambda: moments.append(sizes(finished / RUN)))
        assert len(play(deck).calls) == CALLS
    whole, draw = rows(finished / RUN), random.Random(7)
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path / "killed"))
    for _ in range(200):
        killed = shutil.copytree(finished / RUN, tmp_path / "killed" / RUN)
        flying, kept = kill(killed, moments, draw)
        made = len(play(deck).calls)
        assert rows(killed) == whole
        assert made == CALLS - kept
        account = json.loads((killed / "manifest.json").read_text())["account"]
        assert account["possibly_paid_twice"] == flying <= 1
        kept_once = Counter(each.key for each in replies.read(killed / "replies"))
        assert len(kept_once) == CALLS and set(kept_once.values()) == {1}
        shutil.rmtree(tmp_path / "killed")


def rows(folder):
    return [(folder / name).read_bytes() for name in ("rounds.jsonl", "answers.jsonl")]


def sizes(folder):
    found = {name: folder / name for name in FILES}
    return {name: path.stat().st_size if path.exists() else 0 for name, path in found.items()}


def spied(patch, owner, name, look):
    real = getattr(owner, name)

    def wrapped(*arguments):
        result = real(*arguments)
        look()
        return result

    patch.setattr(owner, name, wrapped)


def kill(folder, moments, draw):
    """Cut a run's files back to a random byte of all that it wrote, in the order of writing.

    Returns how many calls had begun without a reply that stands, and how many replies stand.
    """
    totals = [sum(moment.values()) for moment in moments]
    byte = draw.randrange(totals[-1])
    at = max(index for index, total in enumerate(totals) if total <= byte)
    for name in FILES:
        grown = moments[at + 1][name] - moments[at][name]
        path, size = folder / name, moments[at][name] + min(grown, byte - totals[at])
        if size == 0:
            path.unlink()
        else:
            with path.open("r+b") as file:
                file.truncate(size)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest.pop("account")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    begun, kept = (lines(folder / f"replies/main.{suffix}") for suffix in ("calls", "jsonl"))
    return begun - kept, kept


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0
