"""Players at the cases that people are shown, and in people's place."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest

from dixitlib import store
from dixitlib.game.arena import play_match
from dixitlib.paths import REPOSITORY
from dixitlib.records import Item, Move
from dixitlib.store.people import SCORES, folder, read_people
from dixitlib.study import cases, params, raters
from dixitlib.study.params import PeopleParams

ASKED = PeopleParams("s", "r", ("sure", "unsure"), cases=6, items=2)


class Letters:
    """An encoder whose texts are alike when they share letters."""

    def encode(self, texts):
        counts = np.array([[text.count(chr(97 + k)) + 0.1 for k in range(26)] for text in texts])
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


@dataclass
class Believer:
    """A player that puts its belief on the last card it is shown."""

    name: str
    belief: float

    def vote(self, clue, candidates, rng):
        others = (1 - self.belief) / (len(candidates) - 1)
        odds = (*[others] * (len(candidates) - 1), self.belief)
        return Move(len(candidates) - 1, probabilities=odds)

    choose = vote


@pytest.fixture
def rounds(toy_deck, scripted):
    return play_match(scripted("sure"), scripted("other"), toy_deck)


@pytest.fixture
def prepared(tmp_path, monkeypatch, toy_deck, rounds):
    """A study made of a small run, in a home of its own."""
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    with store.open_run("data/runs/r", parameters={}, inputs={}) as sink:
        sink.write("all", rounds)
    ids = [card.id for card in toy_deck]
    items = [Item(f"i{k}", "hard", f"clue {k}", ids[k], tuple(ids[k : k + 6])) for k in range(4)]
    players = [Believer("sure", 0.97), Believer("unsure", 0.28)]

    def prepare(deck=toy_deck):
        raters.prepare(ASKED, players, deck, items, Letters(), seed=1)
        return {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}

    return prepare


def test_everything_is_made_anew_with_the_same_bytes(prepared):
    assert prepared() == prepared()


def test_simulated_raters_answer_everything_and_say_that_they_are(prepared):
    prepared()
    answers = read_people("s", "simulated")
    assert set(answers["rater"]) == {"sim-sure", "sim-unsure"}
    assert answers["origin"].eq("simulated").all()
    counts = answers.groupby(["rater", "step"]).size()
    assert counts.xs("vote", level="step").tolist() == [6, 6]
    assert counts.xs("rating", level="step").tolist() == [6, 6]
    assert counts.xs("annotation", level="step").tolist() == [2, 2]
    assert read_people("s").empty


def test_scores_are_from_1_to_5_and_the_sure_finds_clues_clear(prepared):
    prepared()
    answers = read_people("s", "simulated")
    scores = answers[list(SCORES)]
    assert scores.min().min() >= 1 and scores.max().max() <= 5
    clarity = answers.groupby("rater")["clarity"].mean()
    # 1 + 4 * 0.97 against 1 + 4 * 0.28, with noise of 0.8 and a leniency of 0.4.
    assert clarity["sim-sure"] - clarity["sim-unsure"] > 1


def test_a_simulated_vote_is_the_players_in_the_order_it_saw(prepared):
    prepared()
    votes = read_people("s", "simulated").query("step == 'vote'")
    assert all(
        choice == shown[-1] for choice, shown in zip(votes["choice"], votes["shown"], strict=True)
    )


def test_models_listen_to_the_same_cases_and_own_clues_are_marked(prepared, rounds):
    prepared()
    heard = pd.read_csv(folder("s") / "models.csv", dtype={"choice": str})
    told = cases.read(folder("s") / "cases.csv")
    assert heard["case"].tolist() == [case.id for case in told for _ in range(2)]
    own = heard[heard["own_clue"]]
    assert set(own["listener"]) == {"sure"} and 0 < len(own) < len(told)
    target = {case.id: case.target for case in told}
    assert (heard["correct"] == (heard["choice"] == heard["case"].map(target))).all()


def test_a_failed_vote_is_no_answer(rounds, toy_deck, scripted):
    cards = {card.id: card for card in toy_deck}
    table = cases.round_table(rounds[:3])
    heard = raters.listen(table, cards, [scripted("l", {"vote": Move(status="error")})], seed=1)
    assert heard["correct"].isna().all() and heard["choice"].isna().all() and len(heard) == 3


def test_without_captions_nobody_is_simulated(prepared, toy_deck, capsys):
    prepared(deck=[replace(card, caption="") for card in toy_deck])
    assert "nobody is simulated" in capsys.readouterr().out
    assert read_people("s", "simulated").empty


def test_the_committed_study_asks_for_120_cases_and_20_items():
    asked = params.read(REPOSITORY / "notebooks/params/offline.yaml").people
    assert (asked.study, asked.cases, asked.items) == ("offline", 120, 20)


def test_a_run_that_is_not_played_is_refused(tmp_path):
    text = (REPOSITORY / "notebooks/params/offline.yaml").read_text()
    path = tmp_path / "offline.yaml"
    wrong = "  run: offline            # whose clues"
    assert wrong in text
    path.write_text(text.replace(wrong, "  run: nowhere"))
    with pytest.raises(ValueError, match="people: run is 'nowhere'"):
        params.read(path)
