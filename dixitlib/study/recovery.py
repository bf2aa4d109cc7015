"""What estimators make of a known bonus, skill, pull of a place, and alpha.

Players of known numbers play, and what went into them is set beside what comes out: with
clues that are all equally plain, where a logit is the model that made the votes, and with
clues that differ, which blur it. A storyteller's alpha is recovered from clues drawn, by
the model of `analysis.speaker`, from a real run's bank in a local model's eyes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import softmax

from dixitlib import store
from dixitlib.analysis import position, speaker
from dixitlib.analysis.inference import Interval
from dixitlib.analysis.skill import skill_and_clarity
from dixitlib.seeds import place
from dixitlib.study.simulator import SimulatedPlayer, play

REPEATS = 100
TRUE = (0.0, 0.5, 1.0)
SPREADS = (0.0, 1.0)
PARAMETERS = ("own_bonus", "skill", "place")
ALPHAS = (0.0, 1.0, 3.0)
MATCHES = np.repeat(range(6), 14)  # 84 rounds told in six matches
COLUMNS = ["parameter", "setting", "true", "studies", "estimate", "low", "high", "coverage"]
NAMES = "abcdef"


def recovered(
    parameter: str, spread: float, true: float, repeats: int = REPEATS, *, seed: int = 8
) -> pd.DataFrame:
    """Return what comes back of a number put into players, one row.

    Parameters
    ----------
    parameter
        ``own_bonus`` (of all), ``skill`` (of a above the others') or ``place`` (pull of the
        first, on all).
    spread
        Of the plainness of clues.
    true
        What is put in, in log-odds.
    repeats
        Tournaments.
    seed
        Of all chance.

    Returns
    -------
    DataFrame
        parameter, setting, true, studies; estimate (mean), low, high (within which 95% of
        the estimates lie) and coverage of the intervals; coverage is missing for skill,
        which is a difference here.
    """
    numbers = {"own_bonus": {"own_bonus": true}, "skill": {}, "place": {"position": (true,)}}
    player = replace(SimulatedPlayer(""), spread=spread, **numbers[parameter])
    players = [replace(player, name=name) for name in NAMES]
    if parameter == "skill":
        players[0] = replace(players[0], listening=players[0].listening + true)
    played = play(players, repeats, seed=seed)
    found = pd.DataFrame([_estimate(parameter, played.votes(k)) for k in range(repeats)])
    return _row(parameter, f"spread of clues {spread:g}", true, found)


def recovered_alpha(
    run: str | Path, goal: str, true: float, repeats: int = REPEATS, *, seed: int = 9
) -> pd.DataFrame:
    """Return what comes back of the alpha of storytellers with known eyes and goal, one row.

    Parameters
    ----------
    run
        Whose bank of clues, cards and eyes (the first in its fits) are used.
    goal
        One of `speaker.GOALS`; the noise of imagined listeners is known.
    true
        Alpha.
    repeats
        Storytellers, of 84 rounds each.
    seed
        Of all chance.
    """
    fits, rng = store.read_fits(run), place(seed, "alpha", goal, round(10 * true))
    eyes = next(iter(fits.views))
    worth = speaker.worths(fits, eyes, goal, [1.0])[0][:, : fits.bank]
    odds = softmax(true / speaker.TEMPERATURE * worth, axis=1)
    cards = rng.integers(len(fits.cards), size=repeats * len(MATCHES))
    clues = (odds.cumsum(axis=1)[cards] < rng.random((len(cards), 1))).sum(axis=1)
    rounds = pd.DataFrame(
        {
            "storyteller": np.repeat([f"player {k}" for k in range(repeats)], len(MATCHES)),
            "match": np.tile(MATCHES, repeats),
            "clue": np.array(fits.clues)[np.minimum(clues, fits.bank - 1)],
            "target": np.array(fits.cards)[cards],
        }
    )
    table = speaker.estimate(rounds, fits, eyes, goal, noises=[1.0])
    found = table.rename(columns={"alpha": "estimate"})[["estimate", "low", "high"]]
    return _row("alpha", f"{goal}, eyes {eyes}", true, found)


def _estimate(parameter: str, votes: pd.DataFrame) -> Interval:
    """Return the estimate of a bonus, of a's skill above the others', or of the first place."""
    if parameter == "place":
        # Places are set against the first, which has the pull: place 3 against it, reversed.
        last = position.preferences(votes).table.iloc[-1]
        return Interval(-last["estimate"], -last["high"], -last["low"])
    table = skill_and_clarity(votes).set_index("term")
    if parameter == "own_bonus":
        return Interval(*table.loc["own_clue", ["estimate", "low", "high"]])
    skill = table.loc["skill"].set_index("player")["estimate"]
    return Interval(float(skill["a"] - skill.drop("a").mean()), np.nan, np.nan)


def _row(parameter: str, setting: str, true: float, found: pd.DataFrame) -> pd.DataFrame:
    known = found.dropna(subset=["low", "high"])
    held = (known["low"] <= true) & (true <= known["high"])
    low, high = np.quantile(found["estimate"], [0.025, 0.975])
    coverage = held.mean() if len(known) else np.nan
    row = (parameter, setting, true, len(found), found["estimate"].mean(), low, high, coverage)
    return pd.DataFrame([row], columns=COLUMNS)
