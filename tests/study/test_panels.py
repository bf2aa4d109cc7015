"""Who sits beside the panel, at which price, and what is kept of it."""

from __future__ import annotations

import functools
import json
import pickle

import numpy as np
import pandas as pd
import pytest
import yaml

from dixitlib.analysis import panel as analysis
from dixitlib.models.aspects import ASPECTS
from dixitlib.panel import gam
from dixitlib.panel.experts import Scale
from dixitlib.panel.gam import debate
from dixitlib.panel.said import Question
from dixitlib.panel.sight import Sight
from dixitlib.records import Item
from dixitlib.study import panel_run, panels, params, sitting
from dixitlib.study.scaling import Scales

SWEEPS = {"beta": (3.0,), "alpha": (0.1,)}
ENDS = {"theta_u": (0.1, 0.9), "theta_c": (0.0,), "max_rounds": (1, 5), "converged": (0.6,)}


class Eyes:
    """See the mean colour, turned into eight dimensions in a way of its own."""

    def __init__(self, seed):
        self.turn = np.random.default_rng(seed).normal(size=(3, 8))
        self.taken = 0

    def encode(self, pixels):
        self.taken += len(pixels)
        seen = (pixels.reshape(len(pixels), -1, 3).mean(axis=1) / 127.5 - 1) @ self.turn
        return np.round(seen / np.linalg.norm(seen, axis=1, keepdims=True), 6)

    def read(self, sentences):
        return sentences


class Encoder:
    """Turn each text into a direction that depends on its letters alone."""

    def encode(self, texts):
        return np.array([direction(text) for text in texts])


@functools.cache
def direction(text):
    made = np.random.default_rng(list(text.encode())).normal(size=8)
    return made / np.linalg.norm(made)


class Elsewhere:
    """Takes functions and inputs as they arrive in another process."""

    def map(self, function, inputs):
        return map(*pickle.loads(pickle.dumps((function, list(inputs)))))


def all_eyes():
    return [Eyes(seed) for seed in (0, 1, 2, 9)]


@pytest.fixture
def members():
    return seat(all_eyes())


def seat(eyes):
    scale = Scale(tau=0.3, sharpness=0.1, heed=0.5)
    scales = Scales(
        dict.fromkeys(ASPECTS, scale),
        {"objects": 0.4, "place": 0.5, "twist": 0.3},
        dict.fromkeys(ASPECTS, 0.5),
        theta_u=0.3,
        theta_c=0.05,
        trigger=0.7,
    )
    *sights, checking = [Sight(each, Encoder()) for each in eyes]
    return panels.Members(dict(zip(ASPECTS, sights, strict=True)), checking, scales)


@pytest.fixture
def items(toy_deck):
    ids = [card.id for card in toy_deck]
    shown = [(f"i-{k}", f"clue {k}", tuple(ids[6 * k : 6 * k + 6])) for k in range(3)]
    return [Item(name, "hard", clue, options[2], options) for name, clue, options in shown]


@pytest.fixture
def cards(toy_deck):
    return {card.id: card for card in toy_deck}


def test_every_system_of_the_paper_has_its_row(members):
    seated = panels.systems(members, SWEEPS)
    table = panel_run.listed(seated).set_index("system")
    assert not table.loc[["MAD", "DMAD", "DMPL", "ChatEval", "DebUnc"], "sits"].any()
    assert table.loc[["panel", "confidence vote", "single: place"], "sits"].all()
    ablations = set(table.index[table["kind"] == "ablation"])
    assert ablations == {
        *("without uncertainty", "without dynamic weights", "without debate"),
        *("without claims", "without critics", "one agent"),
    }
    assert table.loc["beta 3", ["parameter", "value"]].tolist() == ["beta", 3.0]
    assert members.best().name == "place"


def test_a_run_has_the_columns_that_the_analysis_reads(members, items, cards):
    answers, seated = panel_run.answer(panels.company(members, SWEEPS), items, cards)
    sitting = [each.name for each in seated if each.decide]
    assert answers["system"].unique().tolist() == sitting
    assert answers.groupby("system").size().eq(len(items)).all()
    table = analysis.summary(answers, 0.3).set_index("system")
    assert table.loc["single: objects", ["calls", "encodings"]].tolist() == [1, 6]
    assert table.loc["without debate", ["calls", "rounds"]].tolist() == [4, 0]
    assert table.loc["without claims", "encodings"] < table.loc["panel", "encodings"]
    assert set(answers["right"]) <= {0.0, 1.0} and answers["uncertainty"].between(0, 1).all()
    debated = answers[answers["system"] == "panel"]
    assert (debated["calls"] == 4 + 7 * debated["rounds"]).all() and debated["rounds"].max() > 0


@pytest.mark.parametrize("name", ["panel", "majority vote", "without claims", "one agent"])
def test_a_system_is_charged_what_it_encodes(name, items, cards):
    eyes = all_eyes()
    (alone,) = [each for each in panels.systems(seat(eyes), {}) if each.name == name]
    (row,) = sitting.sit([alone], items[:1], cards)
    assert row["encodings"] == sum(each.taken for each in eyes) > 0


def test_a_setting_that_stands_in_several_tables_is_played_once(members, items, cards):
    seated = {each.name: each for each in panels.systems(members, {"beta": [0, 1.5], "alpha": [1]})}
    assert seated["beta 1.5"].decide == seated["panel"].decide
    assert seated["beta 0"].decide == seated["without dynamic weights"].decide
    assert len({seated[name].decide for name in ("panel", "beta 0", "alpha 1", "one agent")}) == 4
    asked = []

    def decide(question):
        asked.append(question)
        return seated["panel"].decide(question)

    twice = [sitting.System(name, "sweep", decide) for name in ("one", "other")]
    first, second = sitting.sit(twice, items[:1], cards)
    assert (first.pop("system"), second.pop("system")) == ("one", "other") and first == second
    assert len(asked) == 1


@pytest.mark.parametrize("put", [sitting.by_system, sitting.by_question])
def test_systems_that_were_sent_elsewhere_answer_the_same(members, items, cards, put):
    company = panels.company(members, ENDS)
    here = panel_run.answer(company, items[:1], cards)[0]
    sent = panel_run.answer(company, items[:1], cards, functools.partial(put, Elsewhere()))[0]
    pd.testing.assert_frame_equal(sent, here)


def test_a_panel_speaks_once_to_all_that_differ_in_when_they_end(members, items, cards):
    asked = []

    class Counted:
        """An expert that counts what it is asked."""

        def __init__(self, expert):
            self.name, self.expert = expert.name, expert

        def answer(self, question):
            asked.append("answer")
            return self.expert.answer(question)

        def argue(self, question, disputes, history):
            asked.append(len(history))
            return self.expert.argue(question, disputes, history)

    whole = members.panel()
    counted = gam.Panel((Counted(whole.experts[0]),), whole.critics, whole.judge)
    endless = {"theta_u": -1.0, "converged": -1.0, "stagnated": -1.0, "low": 1.01}
    ends = [members.settings(**endless, max_rounds=most) for most in (1, 3, 0)]
    led = [sitting.Led(counted, settings) for settings in ends]
    seated = [sitting.System(f"system {k}", "sweep", decide) for k, decide in enumerate(led)]
    put = functools.partial(sitting.by_question, None)
    rows = list(sitting.sit(seated, items[:1], cards, put))
    assert [each["rounds"] for each in rows] == [1, 3, 0]
    assert asked == ["answer", 1, 2, 3]  # alone: three answers, four arguments
    assert rows == list(sitting.sit(seated, items[:1], cards))


def test_self_consistency_takes_what_the_panel_took(members):
    taken = pd.DataFrame({"calls": [4, 11], "encodings": [90, 150], "options": [6, 6]})
    taken["system"] = "panel"
    calls, encodings = panels.matched(members, taken)
    assert (calls.value, encodings.value) == (8, 20)  # 7.5 calls; 120 looks at six cards
    assert calls.decide.keywords["expert"].name == "place"


def test_a_vote_is_as_unsure_as_its_shares(members, items, cards):
    (row,) = sitting.sit(
        [each for each in panels.systems(members, {}) if each.name == "majority vote"],
        items[:1],
        cards,
    )
    assert row["uncertainty"] == row["first_uncertainty"]
    assert row["right"] == row["first_right"] and row["ending"] == ""
    assert row["calls"] == 3


def test_the_same_run_gives_the_same_bytes(members, items, cards, tmp_path):
    seated = panels.systems(members, {})[:1]
    for name in ("one", "two"):
        answers = pd.DataFrame(sitting.sit(seated, items, cards))
        answers.astype(panel_run.NARROW).to_parquet(tmp_path / name, compression="zstd")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_debate_is_kept_whole_and_rounded(members, items, cards, tmp_path):
    question = Question.choosing(items[0].clue, [cards[name] for name in items[0].options])
    held = debate(question, members.panel(), members.settings())
    panel_run._write_debates(tmp_path / "debates.jsonl", [panel_run.record(items[0], held)])
    (line,) = (tmp_path / "debates.jsonl").read_text().splitlines()
    kept = json.loads(line)
    assert kept["options"] == dict(zip("ABCDEF", items[0].options, strict=True))
    assert len(kept["steps"]) == held.rounds + 1
    assert kept["steps"][0]["weights"] == [round(w, 6) for w in held.steps[0].weights]
    claim = held.steps[0].analyses[0].claims[0]
    assert kept["steps"][0]["analyses"][0]["claims"][0]["text"] == claim.text


def test_scales_survive_their_file(members):
    again = Scales.of_json(json.loads(json.dumps(members.scales.to_json())))
    assert again == members.scales


def test_a_sweep_of_what_is_no_parameter_is_refused(tmp_path):
    panel = {"run": "panel", "teller": "random", "opponent": "first", "sweeps": {"gamma": [1]}}
    given = {
        "name": "mine",
        "deck": {"folder": "data/cards"},
        "clues": "data/clues/bank.csv",
        "arena": {"tables": {}},
        "bench": {"run": "mine", "players": ["random"]},
        "panel": panel,
    }
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(given))
    with pytest.raises(ValueError, match="panel: sweeps is 'gamma', not one of beta"):
        params.read(tmp_path / "mine.yaml")
