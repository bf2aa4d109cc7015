import json
import shutil

import pytest

from dixitlib import paths, store
from dixitlib.cards.deck import write_cards
from dixitlib.paths import REPOSITORY
from dixitlib.study import params, players
from dixitlib.study.__main__ import run

MINE = """
name: mine
deck: {folder: data/cards}
clues: data/clues/bank.csv
arena:
  preset: PAPER
  tables: {mine: [random, caption-oracle]}
bench:
  run: mine
  players: [caption-oracle, first]
  methods: [direct, entailment]
counterfactual:
  run: mine
  storytellers: [random, literal-caption]
  listeners: [literal-caption, first]
  tables: 10
sensitivity: {run: mine, seeds: 2, paired: 1, presets: [CORRECTED, PAPER]}
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory, toy_deck):
    """A home with a toy deck of 60 cards and our clues, played once."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIXITWORLD_HOME", str(folder))
        write_cards(paths.data("cards"), toy_deck[:60], "none", "nobody")
        paths.data("clues").mkdir()
        shutil.copy(REPOSITORY / "data/clues/bank.csv", paths.data("clues"))
        (folder / "mine.yaml").write_text(MINE)
        run(params.read(folder / "mine.yaml"))
    return folder


@pytest.fixture
def home(played, tmp_path, monkeypatch):
    """A copy of the played home, to do with as one likes."""
    folder = shutil.copytree(played, tmp_path / "home")
    monkeypatch.setenv("DIXITWORLD_HOME", str(folder))
    return folder


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_params_file_is_played_whole_and_played_again_changes_nothing(home):
    asked = params.read(home / "mine.yaml")
    before = contents(home)
    rounds, answers = store.read_rounds("data/runs/mine"), store.read_answers("data/runs/mine")
    # Two players: a match between them and two against themselves, of 24 rounds each.
    assert len(rounds) == 3 * 24
    assert set(rounds["storyteller"]) == {"random", "caption-oracle"}
    assert rounds["similarity"].notna().all()
    # 60 cards: three tiers and ten blocks of six; direct under three controls, and ratings.
    assert len(answers) == 2 * 4 * (3 * 60 + 60)
    run(asked)
    assert contents(home) == before


def test_counterfactual_votes_are_kept_as_a_frame(home):
    votes = store.read_counterfactual("data/runs/mine")
    assert len(votes) == 10 * 2 * 2 and (votes["status"] == "ok").all()
    plain = votes[votes["own_clue"]]
    assert set(plain["listener"]) == {"literal-caption"} and plain["correct"].all()
    first = votes[votes["listener"] == "first"]
    assert (first["choice_position"] == 1).all()
    assert (first["choice"] == first["target"]).tolist() == first["correct"].tolist()
    assert votes["similarity"].between(-1, 1).all() and set(votes["n_candidates"]) == {4}


def test_tournaments_of_other_seeds_and_presets_are_kept_as_a_frame(home):
    votes = store.read_sensitivity("data/runs/mine")
    counts = votes.groupby(["preset", "seed"]).size()
    # Three matches of 24 rounds with three votes each; seed 42 is the run's own.
    assert counts.to_dict() == dict.fromkeys(
        [("CORRECTED", 43), ("CORRECTED", 44), ("PAPER", 43)], 3 * 24 * 3
    )
    assert votes["correct"].dtype == "boolean" and votes["own_clue"].any()


def test_a_stopped_run_goes_on_to_the_same_bytes(home):
    asked = params.read(home / "mine.yaml")
    whole = contents(home)
    for name in ("rounds.jsonl", "answers.jsonl"):
        path = paths.data("runs", "mine", name)
        path.write_bytes(path.read_bytes()[:-3000])
    run(asked)
    assert contents(home) == whole


def test_a_run_is_refused_once_its_deck_is_another(home, toy_deck):
    asked = params.read(home / "mine.yaml")
    shutil.rmtree(paths.data("cards"))
    write_cards(paths.data("cards"), toy_deck[1:61], "none", "nobody")
    with pytest.raises(ValueError, match=r"inputs\.deck was"):
        run(asked)


def test_the_manifest_says_what_was_played(home):
    manifest = json.loads(paths.data("runs", "mine", "manifest.json").read_text())
    assert manifest["parameters"]["preset"] == "PAPER"
    assert manifest["parameters"]["table"] == ["random", "caption-oracle"]
    assert {"deck", "data/clues/bank.csv"} <= set(manifest["inputs"])
    assert {"python", "packages", "sources"} == set(manifest["provenance"])


def test_an_unknown_player_is_named_with_those_there_are():
    with pytest.raises(ValueError, match=r"nobody.*s-literal, .*literal-caption"):
        players.make(["random", "nobody"], players.Setting((), None))
