import pandas as pd

from dixitlib.game import arena, rules
from dixitlib.study import sensitivity


def test_the_first_preset_has_all_seeds_and_the_others_the_first_few():
    planned = sensitivity.tournaments(["CORRECTED", "PAPER", "OFFICIAL"], 42, seeds=3, paired=1)
    corrected = [("CORRECTED", seed) for seed in (43, 44, 45)]
    assert planned == [*corrected, ("PAPER", 43), ("OFFICIAL", 43)]


def test_votes_are_those_of_the_same_tournament_played_alone(toy_deck, scripted):
    players = [scripted("a"), scripted("b")]
    found = sensitivity.play(players, toy_deck, [("CORRECTED", 5), ("RELEASED_CODE", 5)])
    rounds = arena.round_robin(players, toy_deck, preset=rules.RELEASED_CODE, seed=5)
    hits = [vote == r.target for r in rounds for vote in r.votes if vote is not None]
    mine = found[found["preset"] == "RELEASED_CODE"]
    assert mine["correct"].tolist() == hits
    assert set(mine["n_candidates"]) == {4} and len(found) == 2 * len(mine) == 2 * 3 * 24 * 3


def test_the_same_seed_gives_the_same_bytes(toy_deck, scripted, tmp_path):
    for name in ("one", "two"):
        votes = sensitivity.play([scripted("a")], toy_deck, [("PAPER", 7)])
        votes.to_parquet(tmp_path / name, index=False, compression="zstd")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert isinstance(pd.read_parquet(tmp_path / "one")["storyteller"].dtype, pd.CategoricalDtype)
