"""The calls that playing takes, for estimates: what is asked how often, and how long replies are.

Loads no client and no model: a notebook can ask what a match would cost.
"""

from __future__ import annotations

from collections.abc import Iterator

from dixitlib.cards.deck import Deck
from dixitlib.game import rules
from dixitlib.game.rules import Preset
from dixitlib.models.prices import Plan
from dixitlib.players import prompts
from dixitlib.players.prompts import Ask, Rules, Wording

CLUE = "a clue of five words"
TOKENS_OUT = {"clue": 25, "literal": 40, "abstract": 25}
"""Tokens of an answer by its kind; others are a label or a number."""
SHORT = 12


def of_match(model: str, deck: Deck, preset: Preset = rules.CORRECTED) -> list[Plan]:
    """Return the calls of one of two models in a match.

    Parameters
    ----------
    model
        Its id, as in the price table.
    deck, preset
        With which they play.
    """
    return [planned(model, *call) for call in seated(rules.ROUNDS, preset, deck, Wording())]


def planned(model: str, calls: int, ask: Ask) -> Plan:
    """Return so many calls as a line of an estimate, with the tokens that a reply may have."""
    return Plan(model, ask.kind, calls, ask.messages, TOKENS_OUT.get(ask.kind, SHORT))


def seated(told: int, preset: Preset, deck: Deck, wording: Wording) -> Iterator[tuple[int, Ask]]:
    """Yield the calls of a player that tells so many rounds, and hears three times as many.

    Parameters
    ----------
    told
        Rounds that it tells.
    preset, deck, wording
        What is played with which cards, and how it is asked.
    """
    stated, hand = stated_rules(preset), deck[: preset.hand]
    votable = hand[: len(rules.SEATS) - (not preset.own_votable)]
    heard = told * (len(rules.SEATS) - 1)
    yield told, prompts.target(hand, stated, wording)
    yield told, prompts.clue(deck[0], stated, wording)
    yield heard, prompts.submission(CLUE, hand, stated, wording)
    yield heard, prompts.vote(CLUE, votable, stated, wording)


def stated_rules(preset: Preset) -> Rules:
    """Return what players are told of a preset."""
    return Rules(
        hand=preset.hand,
        found=rules.FOUND,
        all_correct=preset.all_correct,
        consolation=rules.CONSOLATION,
        decoy_bonus=preset.decoy_bonus,
        own_votable=preset.own_votable,
    )
