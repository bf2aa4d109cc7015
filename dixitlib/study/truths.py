"""What every reported statistic should come out as, given the players' numbers.

All follow from `expected`, exactly, under the names of `reported`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import logsumexp

from dixitlib.analysis import crossed
from dixitlib.records import OUTCOMES
from dixitlib.study import expected
from dixitlib.study.reported import strengths_of
from dixitlib.study.simulator import Setting, SimulatedPlayer

Truths = Mapping[tuple[str, str], float]
SLOPES = (
    "failures-change-with-size",
    "stronger-lead-overall",
    "stronger-opponents-lower-scores",
    "listening-grows-with-strength",
    "telling-does-not-grow-with-strength",
)
AGREEMENT = ("Cohen's kappa", "Fleiss' kappa", "Krippendorff's alpha, nominal")


def truths(players: Sequence[SimulatedPlayer], setting: Setting) -> Truths:
    """Return the true value of every statistic that has one, by statistic and whom it is about.

    Those of the logit models are what these find in infinitely many tournaments: clues of varying
    plainness blur logits, and what the models estimate is the blurred ones.
    """
    names = [player.name for player in players]
    heard = expected.hearing(players, setting)
    return {
        **_simple(names, heard, setting),
        **_compared(names, heard),
        **_claims(heard, alike=_equal(players)),
        **_crossed(names, heard, expected.turns_of(len(names))),
        **_places(players, setting),
        **{("rating, Bradley-Terry", name): 0.0 for name in names if _equal(players)},
        **{("rating, Davidson", name): 0.0 for name in names if _equal(players)},
        **{(name, "all"): 0.0 for name in ("phase", "seat")},
        **({("hand correlation", "all"): 0.0} if setting.card_spread == 0 else {}),
    }


def truths_of_tables(players: Sequence[SimulatedPlayer], setting: Setting) -> Truths:
    """Return the true values of what `reported_tables` reports.

    Effects are a linear function of hits, and so what they come to where every vote is its
    own probability.
    """
    names = [player.name for player in players]
    heard = expected.hearing(players, setting)
    mean = np.einsum("sln,sn->sl", heard.found, heard.weight)
    cells = [
        {"target": card, "storyteller": s, "listener": h, "own_clue": s == h, "correct": mean[i, k]}
        for card in range(2)
        for i, s in enumerate(names)
        for k, h in enumerate(names)
    ]
    effects = crossed.effects(pd.DataFrame(cells)).itertuples()
    whom = [(f"{h} of {s}", mean[i, k]) for i, s in enumerate(names) for k, h in enumerate(names)]
    return {
        **{(f"effect, {row.effect}", row.name): row.estimate for row in effects},
        **{("accuracy of a pair", pair): value for pair, value in whom},
        **{("accuracy, by card", name): mean[:, k].mean() for k, name in enumerate(names)},
        **_crossed(names, heard, np.ones_like(mean)),
        ("stronger-clues-are-clearer", "all"): _slope(mean),
    }


def truths_of_one(players: Sequence[SimulatedPlayer], setting: Setting) -> Truths:
    """Return those of `truths` that are about single players and take no model to be fitted."""
    names = [player.name for player in players]
    return _simple(names, expected.hearing(players, setting), setting)


def _slope(mean: np.ndarray) -> float:
    """Return the slope of hits on the storyteller's strength, listener and own clues held fixed."""
    steps = np.array(list(strengths_of(pd.Series(range(len(mean)))).values()), dtype=float)
    teller, listener = np.indices(mean.shape).reshape(2, -1)
    x = np.column_stack([steps[teller], teller == listener, np.eye(len(mean))[listener]])
    return float(np.linalg.lstsq(x, mean.ravel())[0][0])


def _by_listener(mean: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return how much more of others' clues each hears than the first, storytellers held fixed."""
    teller, listener = np.nonzero(~np.eye(len(mean), dtype=bool))
    who, root = np.eye(len(mean))[:, 1:], np.sqrt(turns[teller, listener])
    x = np.column_stack([np.ones(len(teller)), who[listener], who[teller]])
    found = np.linalg.lstsq(x * root[:, None], mean[teller, listener] * root)[0]
    return np.append(0.0, found[1 : len(mean)])


def _claims(heard: expected.Hearing, *, alike: bool) -> Truths:
    """Return the truths of the plan's claims; slopes are known where players are alike."""
    partial = expected.shares(heard).query("outcome == 'partial'")["share"].mean()
    pairs = expected.independence(heard)
    found = {
        "most-rounds-score-nothing": 1 - partial - 1 / 3,
        "listeners-err-together": pairs["excess"].mean(),
    }
    if alike:
        found |= dict.fromkeys(SLOPES, 0.0)
        # Raters alike: every coefficient of agreement is the correlation of their hits.
        found |= dict.fromkeys(AGREEMENT, pairs["correlation"].mean())
    return {(name, "all"): value for name, value in found.items()}


def _simple(names: Sequence[str], heard: expected.Hearing, setting: Setting) -> Truths:
    """Return the truths about single players."""
    ended = expected.shares(heard)["share"].to_numpy().reshape(len(names), -1)
    frames = {
        "share {}": pd.DataFrame(ended, columns=list(OUTCOMES)),
        "accuracy, {} clues": expected.accuracies(heard).drop(columns="listener"),
        "score, {}": expected.scores(heard, setting).drop(columns="player"),
    }
    found = {
        (pattern.format(column), name): value
        for pattern, frame in frames.items()
        for column in frame
        for name, value in zip(names, frame[column], strict=True)
    }
    pairs = expected.independence(heard)
    change = expected.alone(heard)["change"]
    columns = {
        "independence excess": pairs["excess"],
        "vote correlation": pairs["correlation"],
        "advantage within streams": expected.advantages(heard)["difference"],
        "one listener less, by match": change,
        "one listener less, by card": change,
    }
    more = {(s, n): v for s, column in columns.items() for n, v in zip(names, column, strict=True)}
    every = {("one listener less, by " + by, "all"): change.mean() for by in ("match", "card")}
    return found | more | every


def _compared(names: Sequence[str], heard: expected.Hearing) -> Truths:
    """Return the truths about differences."""
    partial = expected.shares(heard).query("outcome == 'partial'")["share"].to_numpy()
    accuracy = expected.accuracies(heard)
    others, every = (accuracy[kind].to_numpy() for kind in ("others", "all"))
    mean = np.einsum("sln,sn->sl", heard.found, heard.weight)
    better = _by_listener(mean, expected.turns_of(len(names)))
    found = {("bootstrap by card, accuracy", "all"): every.mean()}
    found["intraclass correlation", "all"] = expected.independence(heard)["correlation"].mean()
    for k, name in enumerate(names):
        found["CR2 linear, partial by storyteller", f"storyteller[T.{name}]"] = (
            partial[k] - partial[0]
        )
        found["two-way, accuracy by listener", f"listener[T.{name}]"] = better[k]
    for (i, a), (j, b) in pairwise(enumerate(names)):
        found["difference of partial shares", f"{a} - {b}"] = partial[i] - partial[j]
        found["difference of accuracies", f"{a} - {b}"] = others[i] - others[j]
    return found


def _crossed(names: Sequence[str], heard: expected.Hearing, turns: np.ndarray) -> Truths:
    """Return what a crossed model finds in infinitely many votes, by who hears whom how often."""
    players = len(names)
    mean = np.einsum("sln,sn->sl", heard.found, heard.weight)
    teller, listener = np.divmod(np.arange(players**2), players)
    who = np.eye(players)[:, :-1]  # the last one's follow, since both sum to 0
    x = np.column_stack([np.ones(players**2), teller == listener, who[listener], who[teller]])
    weight, share = turns.ravel() / turns.sum(), mean.ravel()

    def loss(b: np.ndarray) -> float:
        return float(weight @ (np.logaddexp(0, x @ b) - share * (x @ b)))

    fit = minimize(loss, np.zeros(x.shape[1]), tol=1e-10).x
    skill, clarity = (np.append(part, 0.0) for part in np.split(fit[2:], 2))
    found = {("rating, own_clue", "all"): float(fit[1])}
    found["CR2 logistic, own clue", "own"] = float(fit[1])
    for term, values in (("skill", skill), ("clarity", clarity)):
        centred = (values - values.mean()).tolist()
        found |= {(f"rating, {term}", n): v for n, v in zip(names, centred, strict=True)}
    return found


def _places(players: Sequence[SimulatedPlayer], setting: Setting) -> Truths:
    """Return what a conditional logit of target and places finds in infinitely many votes."""
    chosen = expected.choices(players, setting)
    places = len(chosen)

    def loss(b: np.ndarray) -> float:
        utilities = b[0] * np.eye(places) + np.append(0.0, b[1:])
        return float((chosen * (logsumexp(utilities, axis=1, keepdims=True) - utilities)).sum())

    found = minimize(loss, np.zeros(places), tol=1e-10).x[1:]
    return {(f"position, place {k + 2}", "all"): float(pull) for k, pull in enumerate(found)}


def _equal(players: Sequence[SimulatedPlayer]) -> bool:
    return len({(p.listening, p.clarity, p.spread, p.own_bonus) for p in players}) == 1
