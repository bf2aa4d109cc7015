"""The arena as a PettingZoo environment, for agents that learn (the extra ``pettingzoo``).

Four agents, ``seat_0`` to ``seat_3``, play one phase of twelve rounds: the very rounds of
the arena, by the same generator. An action is a number. The first numbers name a card of
the hand, the next a candidate, the rest a clue of the bank:

==================================  ==========================================
asked to                            legal actions
==================================  ==========================================
``tell``, the storyteller           0, 1, ... a card of its hand
``word``, the storyteller again     hand + candidates + k: the bank's clue k
``submit``, a listener              0, 1, ... a card of its hand
``vote``, a listener                hand + k: the k-th candidate shown to it
==================================  ==========================================

Listeners are asked one after another, but none sees what another did in the same step.
An observation holds the ``action_mask`` and, in ``observation``, numbers from -1 to 1: what
is asked (one of five, the last being nothing), which card the storyteller picked, the clue,
and the cards shown in their order, absent ones zero. The reward is the seat's points, paid
to all at the end of each round.

A policy that does anything legal:

>>> from dixitlib import paths
>>> from dixitlib.cards.deck import Deck
>>> env = DixitEnv(Deck.load(paths.data("cards")), ["a door ajar", "after the rain"])
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     seen, reward, over, cut, info = env.last()
...     legal = seen["action_mask"]
...     env.step(None if over or cut else env.action_space(agent).sample(legal))
>>> len(env.rounds)
12
>>> env.rounds[0].outcome in ("partial", "all_correct", "all_wrong")
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from dixitlib.game import rules
from dixitlib.game.rules import CORRECTED, Preset
from dixitlib.game.table import Request, Table, open_phase, play_round
from dixitlib.records import Card, Move, Round

ASKED = ("tell", "word", "submit", "vote", "nothing")
THUMBNAIL = (8, 12)  # pixels across and down

Observation = Mapping[str, np.ndarray]


class DixitEnv(AECEnv[str, Observation, int]):
    """One phase of the game for four agents that act in turn.

    Parameters
    ----------
    deck
        Cards with different ids.
    clues
        The bank that storytellers choose from.
    preset
        Rules in force.
    card_vectors
        What agents see of each card, values from -1 to 1, shape (cards, d); by default
        its pixels at 8 x 12.
    clue_vectors
        What they hear of each clue, values from -1 to 1, shape (clues, e); by default
        which clue of the bank it is.
    seed
        Of all deals and orders until `reset` is given another. Each reset without a seed
        deals the next match.
    render_mode
        ``ansi`` makes `render` say in words what is going on.

    Attributes
    ----------
    rounds
        The rounds played since the last reset, as the arena would record them.

    Raises
    ------
    ValueError
        If there is no clue, the deck is too small, or vectors don't fit it.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "dixitworld_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        deck: Sequence[Card],
        clues: Sequence[str],
        *,
        preset: Preset = CORRECTED,
        card_vectors: np.ndarray | None = None,
        clue_vectors: np.ndarray | None = None,
        seed: int = 42,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        if not clues:
            raise ValueError("a storyteller needs clues to choose from: give one or more")
        self.possible_agents = [f"seat_{seat}" for seat in rules.SEATS]
        self.render_mode = render_mode
        self.rounds: list[Round] = []
        self._deck, self._clues, self._preset = deck, tuple(clues), preset
        self._places = {card.id: place for place, card in enumerate(deck)}
        shown = _thumbnails(deck) if card_vectors is None else card_vectors
        self._seen = _checked(shown, len(deck), "card")
        heard = np.eye(len(clues)) if clue_vectors is None else clue_vectors
        self._heard = _checked(heard, len(clues), "clue")
        self._candidates = len(rules.SEATS) - (not preset.own_votable)
        self._seed, self._match = seed, -1
        self._observation_space, self._action_spaces = self._spaces()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, the same for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return an agent's space of actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal the cards and ask the first storyteller; `options` are not used."""
        if seed is not None:
            self._seed, self._match = seed, -1
        self._match += 1
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.rounds = []
        dealt = {"preset": self._preset, "seed": self._seed, "match": self._match}
        self._open(open_phase(tuple(self.agents), self._deck, **dealt))

    def step(self, action: int | None) -> None:
        """Take the action of the agent whose turn it is.

        Raises
        ------
        ValueError
            If the action is not legal; wrap the environment in PettingZoo's
            ``TerminateIllegalWrapper`` to punish it instead.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._refuse_illegal(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._take(int(action))
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees of what it is asked, and what it may do."""
        request = self._request_to(agent)
        asked, chosen = np.zeros(len(ASKED)), np.zeros(self._preset.hand)
        asked[ASKED.index(self._asked(request))] = 1
        clue, cards = np.zeros(self._heard.shape[1]), np.zeros((self._widest, self._seen.shape[1]))
        if request is not None:
            cards[: len(request.cards)] = self._seen[[self._places[c.id] for c in request.cards]]
        if request is not None and request.clue is not None:
            clue = self._heard[self._clues.index(request.clue)]
        if self._asked(request) == "word":
            chosen[self._picked] = 1
        seen = np.concatenate([asked, chosen, clue, cards.ravel()]).astype(np.float32)
        return {"observation": seen, "action_mask": self._mask(agent)}

    def render(self) -> str | None:
        """Return one line that says whose turn it is, or None without a render mode."""
        if self.render_mode is None:
            return None
        request = self._request_to(self.agent_selection)
        heard = f", having heard {request.clue!r}" if request and request.clue else ""
        told = f"round {self._table.round} of {rules.ROUNDS}"
        return f"{told}: {self.agent_selection} is asked to {self._asked(request)}{heard}"

    def close(self) -> None:
        """Release nothing: there is nothing to release."""

    def _spaces(self) -> tuple[spaces.Dict, dict[str, spaces.Discrete]]:
        actions = self._preset.hand + self._candidates + len(self._clues)
        self._widest = max(self._preset.hand, self._candidates)
        cards = self._widest * self._seen.shape[1]
        length = len(ASKED) + self._preset.hand + self._heard.shape[1] + cards
        seen = spaces.Dict(
            {
                "observation": spaces.Box(-1, 1, (length,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        return seen, {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def _open(self, table: Table) -> None:
        self._table, self._play = table, play_round(table)
        self._ask(next(self._play))

    def _ask(self, requests: Sequence[Request]) -> None:
        self._requests, self._moves, self._picked = requests, [], None
        self._turn()

    def _turn(self) -> None:
        seat = self._requests[len(self._moves)].seat
        self.agent_selection = self.possible_agents[seat]

    def _take(self, action: int) -> None:
        """Note an action, and go on once all who are asked together have acted."""
        request = self._requests[len(self._moves)]
        if self._asked(request) == "tell":
            self._picked = action  # the same seat is asked for its clue next
            return
        self._moves.append(self._move(request, action))
        if len(self._moves) < len(self._requests):
            self._turn()
            return
        try:
            self._ask(self._play.send(self._moves))
        except StopIteration as over:
            self._end(over.value)

    def _move(self, request: Request, action: int) -> Move:
        if request.step == "submit":
            return Move(choice=action)
        if request.step == "vote":
            return Move(choice=action - self._preset.hand)
        clue = self._clues[action - self._preset.hand - self._candidates]
        return Move(choice=self._picked, clue=clue)

    def _end(self, played: Round) -> None:
        """Pay the points of a round, and open the next or let the agents go."""
        self.rounds.append(played)
        points = map(float, played.points)
        self.rewards = dict(zip(self.agents, points, strict=True))
        if played.round < rules.ROUNDS:
            self._open(self._table.after(played))
            return
        self._requests = ()
        self.terminations = dict.fromkeys(self.agents, True)

    def _request_to(self, agent: str) -> Request | None:
        """Return what an agent is asked and has not answered yet."""
        seat = self.possible_agents.index(agent)
        waiting = self._requests[len(self._moves) :]
        return next((request for request in waiting if request.seat == seat), None)

    def _asked(self, request: Request | None) -> str:
        if request is None:
            return "nothing"
        return "word" if request.step == "tell" and self._picked is not None else request.step

    def _mask(self, agent: str) -> np.ndarray:
        request = self._request_to(agent)
        mask = np.zeros(self._action_spaces[agent].n, dtype=np.int8)
        first = {"vote": self._preset.hand, "word": self._preset.hand + self._candidates}
        asked = self._asked(request)
        if request is not None:
            start = first.get(asked, 0)
            mask[start : start + (len(self._clues) if asked == "word" else len(request.cards))] = 1
        return mask

    def _refuse_illegal(self, agent: str, action: int | None) -> None:
        legal = np.flatnonzero(self._mask(agent))
        if action not in legal:
            asked = self._asked(self._request_to(agent))
            raise ValueError(
                f"{agent}, asked to {asked}, did {action!r}: "
                f"{legal[0]} to {legal[-1]} are legal, as the action mask says"
            )


def _thumbnails(deck: Sequence[Card]) -> np.ndarray:
    """Return the pixels of small copies, 0 to 1, shape (cards, 288)."""
    small = [np.asarray(card.image().resize(THUMBNAIL)).ravel() for card in deck]
    return np.array(small) / 255


def _checked(vectors: np.ndarray, count: int, what: str) -> np.ndarray:
    if vectors.ndim != 2 or len(vectors) != count or not (np.abs(vectors) <= 1).all():
        raise ValueError(
            f"{what} vectors are of shape ({count}, d) with values from -1 to 1; "
            f"given: shape {vectors.shape}, largest {np.abs(vectors).max(initial=0):g}"
        )
    return vectors
