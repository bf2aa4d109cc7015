"""Tournaments by players whose every skill is known, for asking what an estimator finds.

A simulated player is a handful of numbers: how well it listens, how plain its clues are
and how much they differ, what it gains on clues of its own, which place on the table it
prefers. It sits the same round robin as a real one: matches, phases, seats, streams of
cards and storytelling order are those of `game.arena`, and outcomes and points follow the
preset's rules. Each listener picks the candidate of highest utility,

    utility = place's pull + Gumbel noise, and for the target also
              listening + bonus on an own clue + plainness of the clue + plainness of the card,

so its vote is a conditional logit. A clue's plainness is shared by the three who hear it,
which is what makes their votes alike. Tournaments are played many at a time, as arrays,
and come out as the frames of `store.read_rounds` and `store.read_votes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from dixitlib.game import rules
from dixitlib.game.rules import CORRECTED, Preset
from dixitlib.seeds import place
from dixitlib.study.robin import Schedule, Tournaments, at

Policy = Literal["literal", "informative", "partial"]
CANDIDATES = 3
"""Cards that an unbiased listener, as storytellers imagine it, chooses from."""


@dataclass(frozen=True, slots=True)
class SimulatedPlayer:
    """A player of known skill. All numbers but alpha are in log-odds of a conditional logit.

    Parameters
    ----------
    name
        Name in the frames.
    listening
        What it adds to the target when it listens.
    clarity, spread
        Mean and standard deviation of the plainness of the clues that come to its mind. At
        a sum of listening and clarity of 0 a listener guesses; at 0.69 it is right half the
        time among three cards. The spread correlates the votes of a round.
    own_bonus
        What it adds when the clue comes from the same player.
    position
        Pull of the first, second, ... place on the table; left out places pull with 0.
    policy, alpha
        How it picks one of several clues (see `Setting.clues`): with probability
        proportional to exp(alpha * score), the score being the clue's plainness
        (``literal``), the log-probability that an unbiased listener finds the target
        (``informative``), or that some but not all of three do (``partial``).
    """

    name: str
    listening: float = 0.5
    clarity: float = 0.5
    spread: float = 0.8
    own_bonus: float = 0.0
    position: tuple[float, ...] = ()
    policy: Policy = "literal"
    alpha: float = 0.0


@dataclass(frozen=True, slots=True)
class Setting:
    """What all players of a tournament share.

    Parameters
    ----------
    preset
        Rules in force.
    cards
        Size of the deck.
    card_spread
        Standard deviation of the plainness of cards, drawn anew for each tournament.
    clues
        How many clues come to a storyteller's mind, from which its policy picks one.
    """

    preset: Preset = CORRECTED
    cards: int = 84
    card_spread: float = 0.0
    clues: int = 1


class Draws(NamedTuple):
    """The chances of one tournament, or of many where they are stacked."""

    deal: np.ndarray  # (matches, 2, cards), sorting it shuffles the deck
    picks: np.ndarray  # (rounds, 4), which card of the hand each seat lays
    order: np.ndarray  # (rounds, 3, candidates), sorting it lays the table
    noise: np.ndarray  # (rounds, 3, candidates)
    clues: np.ndarray  # (rounds, clues)
    taste: np.ndarray  # (rounds, clues)
    cards: np.ndarray  # (cards,)


def play(
    players: Sequence[SimulatedPlayer],
    tournaments: int = 1,
    *,
    seed: int = 42,
    first: int = 0,
    setting: Setting | None = None,
    pairs: Sequence[tuple[int, int]] | None = None,
) -> Tournaments:
    """Play full round robins, or the matches that are asked for.

    Parameters
    ----------
    players
        Who plays; six give 21 matches and 504 rounds.
    tournaments
        How many. A thousand at once take about half a gigabyte.
    seed, first
        Seed of all chance, and number of the first tournament: tournament 7 is the same
        whether played alone or among a hundred.
    setting
        What all players share.
    pairs
        Who plays whom, as numbers of players; None for everybody and itself.

    Raises
    ------
    ValueError
        If the deck is too small or names repeat.
    """
    players, setting = tuple(players), setting or Setting()
    _check(players, setting)
    plan = Schedule(len(players), setting.preset, pairs)
    numbers = range(first, first + tournaments)
    each = [_draw(place(seed, "simulated", number), plan, setting) for number in numbers]
    draws = Draws(*map(np.stack, zip(*each, strict=True)))
    laid = _lay(plan, setting, draws)
    plainness = _tell(players, plan, draws)
    shown = _shown(plan, setting.preset, draws.order)
    targets = at(laid, plan.teller)
    cards = setting.card_spread * np.take_along_axis(draws.cards, targets, axis=1)
    appeal = (plainness + cards)[..., None] + _listening(players, plan)
    target = shown == plan.teller[:, None, None]
    pull = _positions(players, shown.shape[-1])[plan.listeners]
    choice = (pull + draws.noise + target * appeal[..., None]).argmax(axis=-1)
    names = tuple(player.name for player in players)
    ids = tuple(f"{card:03d}" for card in range(1, setting.cards + 1))
    return Tournaments(names, setting.preset, plan, ids, laid, shown, choice)


def _check(players: Sequence[SimulatedPlayer], setting: Setting) -> None:
    names = [player.name for player in players]
    if len(set(names)) < len(names):
        raise ValueError(f"players need different names, but there are: {', '.join(names)}")
    if setting.cards < (needed := rules.cards_needed(setting.preset)):
        raise ValueError(f"{setting.preset.name} needs {needed} cards, not {setting.cards}")


def _draw(rng: np.random.Generator, plan: Schedule, setting: Setting) -> Draws:
    """Draw all chances of one tournament."""
    preset, rounds = setting.preset, len(plan.match)
    table = (rounds, 3, 4 if preset.own_votable else 3)
    clues = (rounds, setting.clues)
    return Draws(
        deal=rng.random((plan.matches, len(rules.PHASES), setting.cards)),
        picks=rng.integers(preset.hand, size=(rounds, len(rules.SEATS))),
        order=rng.random(table),
        noise=rng.gumbel(size=table),
        clues=rng.standard_normal(clues),
        taste=rng.gumbel(size=clues),
        cards=rng.standard_normal(setting.cards),
    )


def _lay(plan: Schedule, setting: Setting, draws: Draws) -> np.ndarray:
    """Deal streams, let every seat lay cards of its hand, and return what was laid.

    Seats pick at random, so a drawn card may take the place of the laid one.
    """
    preset, tournaments = setting.preset, len(draws.deal)
    decks = draws.deal.argsort(axis=-1)[..., : rules.cards_needed(preset)]
    streams = decks.reshape(tournaments, plan.matches, 2, len(rules.SEATS), -1)
    if preset.phase_two == "swap":
        streams[:, :, 1] = streams[:, :, 0]
    owners = plan.streams.reshape(plan.matches, 2, rules.ROUNDS, -1)[:, :, 0]
    piles = np.take_along_axis(streams, owners[None, ..., None], axis=3)
    picks = draws.picks.reshape(tournaments, plan.matches, 2, rules.ROUNDS, -1)
    hands, laid = piles[..., : preset.hand].copy(), []
    for turn in range(rules.ROUNDS):
        spot = picks[..., turn, :, None]
        laid.append(np.take_along_axis(hands, spot, axis=-1)[..., 0])
        if preset.refill and turn < rules.ROUNDS - 1:
            drawn = preset.hand + turn
            np.put_along_axis(hands, spot, piles[..., drawn : drawn + 1], axis=-1)
    return np.stack(laid, axis=3).reshape(tournaments, len(plan.match), -1)


def _tell(players: Sequence[SimulatedPlayer], plan: Schedule, draws: Draws) -> np.ndarray:
    """Return the plainness of the clue that each storyteller picks."""
    clarity, spread, alpha = (
        np.array([getattr(player, name) for player in players])[plan.storyteller, None]
        for name in ("clarity", "spread", "alpha")
    )
    clues = clarity + spread * draws.clues
    policies, scores = np.array([player.policy for player in players]), np.empty_like(clues)
    for policy in get_args(Policy):
        theirs = policies[plan.storyteller] == policy
        scores[:, theirs] = policy_score(policy, clues[:, theirs])
    return at(clues, (alpha * scores + draws.taste).argmax(axis=-1))


def policy_score(policy: Policy, plainness: np.ndarray) -> np.ndarray:
    """Return how much a policy likes clues of a given plainness (see `SimulatedPlayer`)."""
    if policy == "literal":
        return plainness
    found = 1 / (1 + (CANDIDATES - 1) * np.exp(-plainness))
    return np.log(found) if policy == "informative" else 1 - found**3 - (1 - found) ** 3


def _listening(players: Sequence[SimulatedPlayer], plan: Schedule) -> np.ndarray:
    """Return what the three listeners of each round add to the target, (rounds, 3)."""
    listening = np.array([player.listening for player in players])
    bonus = np.array([player.own_bonus for player in players])
    return listening[plan.listeners] + bonus[plan.listeners] * plan.own_clue


def _positions(players: Sequence[SimulatedPlayer], places: int) -> np.ndarray:
    """Return the pull of each place on each player, (players, places)."""
    rows = [(*player.position, *[0.0] * places)[:places] for player in players]
    return np.array(rows)


def _shown(plan: Schedule, preset: Preset, order: np.ndarray) -> np.ndarray:
    """Return the seats whose cards each listener sees, in its own order."""
    seats = tuple(rules.SEATS)
    sight = np.array([rules.votable(preset, seats, seat) for seat in seats])
    return np.take_along_axis(sight[plan.listener_seats][None], order.argsort(axis=-1), axis=-1)
