"""What is true of simulated players: the values that estimators are to find.

Accuracies, outcomes, points and correlations follow from the players' numbers by summing
over the plainness of clues and cards: by Gauss-Hermite quadrature where a storyteller has
one clue to give, over a sample of 2,000 thoughts where its policy picks among several. No
tournament is played, so the simulator and these values check one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from dixitlib.game import rules
from dixitlib.records import OUTCOMES
from dixitlib.seeds import place
from dixitlib.study.simulator import Setting, SimulatedPlayer, policy_score

NODES = 20
THOUGHTS = 2000


class Hearing(NamedTuple):
    """How well everybody hears everybody, by the plainness of clue and card.

    `found` has the probability that a listener finds the target, (storyteller, listener,
    node); `weight` the probability of each node, (storyteller, node).
    """

    found: np.ndarray
    weight: np.ndarray


class Table(NamedTuple):
    """Rounds of a tournament that have the same storyteller and listeners."""

    storyteller: int
    listeners: tuple[int, int, int]
    rounds: int


def hearing(players: Sequence[SimulatedPlayer], setting: Setting) -> Hearing:
    """Return how well everybody hears everybody, wherever the target stands."""
    found, weight = _by_place(players, setting)
    return Hearing(found.mean(axis=-1), weight)


def choices(players: Sequence[SimulatedPlayer], setting: Setting) -> np.ndarray:
    """Return the chance that the target stands at a place and a vote goes to a place.

    Shape (places, places), summing to 1 over all votes of a tournament.
    """
    found, weight = _by_place(players, setting)
    turns = turns_of(len(players))
    chosen = np.zeros((found.shape[-1], found.shape[-1]))
    for listener, player in enumerate(players):
        pull = _pull(player, setting)
        heard = np.einsum("snt,sn,s->t", found[:, listener], weight, turns[:, listener])
        missed = turns[:, listener].sum() - heard
        others = pull * (1 - np.eye(len(pull)))
        chosen += np.diag(heard) + missed[:, None] * others / others.sum(axis=1, keepdims=True)
    return chosen / chosen.sum()


def turns_of(players: int) -> np.ndarray:
    """Return how often each hears each in a tournament, (storyteller, listener)."""
    turns = np.zeros((players, players))
    for table in tables(players):
        np.add.at(turns[table.storyteller], list(table.listeners), table.rounds)
    return turns


def tables(players: int) -> Iterator[Table]:
    """Yield the tables of a round robin: 12 rounds told in a cross match, 24 in self-play."""
    rounds = len(rules.PHASES) * rules.ROUNDS
    for teller in range(players):
        for other in range(players):
            share = 1 if other == teller else 2
            yield Table(teller, (teller, other, other), rounds // share)


def shares(heard: Hearing) -> pd.DataFrame:
    """Return the probability of each outcome: player, outcome, share."""
    chances = np.array([_outcomes(heard, table) for table in tables(len(heard.found))])
    means = _by_storyteller(heard, chances)
    rows = [(k, o, means[k, i]) for k in range(len(means)) for i, o in enumerate(OUTCOMES)]
    return pd.DataFrame(rows, columns=["player", "outcome", "share"])


def accuracies(heard: Hearing) -> pd.DataFrame:
    """Return vote accuracy in a tournament: listener, all, own, others."""
    players = len(heard.found)
    mean = np.einsum("sln,sn->sl", heard.found, heard.weight)
    turns = turns_of(players)
    own = np.eye(players, dtype=bool)
    kinds = {"all": own | ~own, "own": own, "others": ~own}
    columns = {
        kind: np.average(mean, axis=0, weights=turns * which) for kind, which in kinds.items()
    }
    return pd.DataFrame({"listener": range(players), **columns})


def independence(heard: Hearing) -> pd.DataFrame:
    """Return what `outcomes.independence` estimates: partial, expected, excess, correlation."""
    mean = np.einsum("sln,sn->sl", heard.found, heard.weight)
    rows = []
    for table in tables(len(mean)):
        p = mean[table.storyteller, list(table.listeners)]
        alone = 1 - p.prod() - (1 - p).prod()
        rows.append((_outcomes(heard, table)[0], alone, *_pairs(heard, table, p)))
    partial, alone, together, apart = _by_storyteller(heard, np.array(rows)).T
    return pd.DataFrame(
        {
            "storyteller": range(len(mean)),
            "partial": partial,
            "expected": alone,
            "excess": partial - alone,
            "correlation": together / apart,
        }
    )


def alone(heard: Hearing) -> pd.DataFrame:
    """Return what leaving out a named listener does to storytellers: listener, change.

    That is -3 times the probability that its vote stands alone, right or wrong.
    """
    players = len(heard.found)
    turns, change = np.zeros(players), np.zeros(players)
    for table in tables(players):
        found, weight = _chances(heard, table)
        for k, listener in enumerate(table.listeners):
            one, other = np.delete(found, k, axis=0)
            pivotal = found[k] * (1 - one) * (1 - other) + (1 - found[k]) * one * other
            change[listener] -= table.rounds * rules.FOUND * (weight @ pivotal)
            turns[listener] += table.rounds
    return pd.DataFrame({"listener": range(players), "change": change / turns})


def advantages(heard: Hearing) -> pd.DataFrame:
    """Return by how many points a round each player tells better than those it meets."""
    players = len(heard.found)
    partial = np.zeros((players, players))  # (storyteller, the other player of the match)
    for table in tables(players):
        partial[table.storyteller, table.listeners[1]] = _outcomes(heard, table)[0]
    ahead = rules.FOUND * (partial - partial.T).sum(axis=1) / (players - 1)
    return pd.DataFrame({"player": range(players), "difference": ahead})


def scores(heard: Hearing, setting: Setting) -> pd.DataFrame:
    """Return points won of those possible: player, storyteller, listener, overall."""
    players = len(heard.found)
    told, won, heard_turns = (np.zeros(players) for _ in range(3))
    for table in tables(players):
        told[table.storyteller] += table.rounds * rules.FOUND * _outcomes(heard, table)[0]
        for listener, points in zip(table.listeners, _points(heard, table, setting), strict=True):
            won[listener] += table.rounds * points
            heard_turns[listener] += table.rounds
    told_most = heard_turns / 3 * rules.STORYTELLER_MAXIMUM
    heard_most = heard_turns * rules.LISTENER_MAXIMUM
    return pd.DataFrame(
        {
            "player": range(players),
            "storyteller": told / told_most,
            "listener": won / heard_most,
            "overall": (told + won) / (told_most + heard_most),
        }
    )


def _normal(spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of a normal distribution about 0."""
    if spread == 0:
        return np.zeros(1), np.ones(1)
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return spread * nodes, weights / weights.sum()


def _plainness(player: SimulatedPlayer, setting: Setting) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of the plainness of a storyteller's clue and card together."""
    if setting.clues == 1:
        nodes, weights = _normal(np.hypot(player.spread, setting.card_spread))
        return player.clarity + nodes, weights
    thoughts = place(0, "thoughts").standard_normal((THOUGHTS, setting.clues))
    clues = player.clarity + player.spread * thoughts
    odds = np.exp(player.alpha * policy_score(player.policy, clues))
    picked = odds / odds.sum(axis=1, keepdims=True) / THOUGHTS
    cards, weights = _normal(setting.card_spread)
    return np.add.outer(clues, cards).ravel(), np.multiply.outer(picked, weights).ravel()


def added(players: Sequence[SimulatedPlayer]) -> np.ndarray:
    """Return what a listener adds to the target, (storyteller, listener)."""
    listening = np.array([player.listening for player in players])
    return listening + np.diag([player.own_bonus for player in players])


def _by_place(players: Sequence[SimulatedPlayer], setting: Setting) -> Hearing:
    """Return how well everybody hears everybody, `found` by the target's place as well."""
    plainness, weight = zip(*(_plainness(player, setting) for player in players), strict=True)
    appeal = np.stack(plainness)[:, None] + added(players)[..., None]
    found = []
    for listener, player in enumerate(players):
        pull = _pull(player, setting)
        target = pull * np.exp(appeal[:, listener])[..., None]
        found.append(target / (target + pull.sum() - pull))
    return Hearing(np.stack(found, axis=1), np.stack(weight))


def _pull(player: SimulatedPlayer, setting: Setting) -> np.ndarray:
    places = 4 if setting.preset.own_votable else 3
    return np.exp([*player.position, *[0.0] * places][:places])


def _chances(heard: Hearing, table: Table) -> tuple[np.ndarray, np.ndarray]:
    return heard.found[table.storyteller, list(table.listeners)], heard.weight[table.storyteller]


def _outcomes(heard: Hearing, table: Table) -> np.ndarray:
    """Return the probabilities of partial, all correct and all wrong."""
    found, weight = _chances(heard, table)
    all_correct, all_wrong = weight @ found.prod(axis=0), weight @ (1 - found).prod(axis=0)
    return np.array([1 - all_correct - all_wrong, all_correct, all_wrong])


def _pairs(heard: Hearing, table: Table, p: np.ndarray) -> tuple[float, float]:
    """Return covariances and products of standard deviations, summed over pairs of votes."""
    found, weight = _chances(heard, table)
    deviation, spread = np.sqrt(p * (1 - p)), found - p[:, None]
    pairs = list(combinations(range(len(p)), 2))
    together = sum(weight @ (spread[i] * spread[j]) for i, j in pairs)
    return together, sum(deviation[i] * deviation[j] for i, j in pairs)


def _points(heard: Hearing, table: Table, setting: Setting) -> np.ndarray:
    """Return the points that each listener expects; a wrong vote may hit any distractor."""
    preset, (found, weight) = setting.preset, _chances(heard, table)
    _, all_correct, all_wrong = _outcomes(heard, table)
    right = found @ weight
    base = rules.FOUND * (right - all_correct) + preset.all_correct * all_correct
    wrong = (1 - right) / (3 if preset.own_votable else 2)
    return base + rules.CONSOLATION * all_wrong + preset.decoy_bonus * (wrong.sum() - wrong)


def _by_storyteller(heard: Hearing, values: np.ndarray) -> np.ndarray:
    """Return the mean of values a table over the rounds that each storyteller tells."""
    rounds = np.array([table.rounds for table in tables(len(heard.found))], dtype=float)
    shape = (len(heard.found), -1)
    weighted = (values * rounds[:, None]).reshape(*shape, values.shape[1]).sum(axis=1)
    return weighted / rounds.reshape(shape).sum(axis=1, keepdims=True)
