"""Players at the cases that people are shown: as listeners, and as simulated raters.

As listeners they vote among the same four cards, so that people and models are compared on
the same items. As simulated raters, local players fill in the whole questionnaire, so that
the analysis can be tried before anybody has rated; what they say is no finding about people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dixitlib import paths, store
from dixitlib.models.sentences import Encoder
from dixitlib.records import Card, Item, Player
from dixitlib.seeds import place
from dixitlib.store.people import Given, folder, write_simulated
from dixitlib.study import cases
from dixitlib.study.cases import Case
from dixitlib.study.params import PeopleParams
from dixitlib.study.players import Participant

PREFIX = "sim-"
NOISE = 0.8  # standard deviation of one score, in points of its scale from 1 to 5
LENIENCY = 0.4  # standard deviation of what a rater adds to all its scores
COLUMNS = ["case", "listener", "own_clue", "choice", "correct"]


def prepare(
    asked: PeopleParams,
    players: Sequence[Participant],
    deck: Sequence[Card],
    items: Sequence[Item],
    encoder: Encoder,
    seed: int,
) -> None:
    """Draw what people are shown, let players listen to it, and simulate raters.

    Raises
    ------
    ValueError
        If people have answered already and would now be shown something else.
    """
    rounds = cases.draw_rounds(store.iter_rounds(paths.data("runs", asked.run)), asked.cases, seed)
    cases.write(asked.study, rounds, cases.draw_items(items, asked.items, seed))
    cards = {card.id: card for card in deck}
    heard = listen(cases.round_table(rounds), cards, players, seed)
    heard.to_csv(folder(asked.study) / "models.csv", index=False, lineterminator="\n")
    if all(card.caption for card in deck):
        simulate(asked.study, players, cards, encoder, seed)
    else:
        print(f"{asked.study}: nobody is simulated, since the deck's cards have no captions")


def listen(
    told: pd.DataFrame, cards: Mapping[str, Card], listeners: Sequence[Player], seed: int
) -> pd.DataFrame:
    """Let every listener vote on every case, among all its cards.

    Parameters
    ----------
    told
        From `cases.round_table`.
    cards
        The deck by card id.
    listeners, seed
        Who votes, each on a chance and in an order of its own.

    Returns
    -------
    DataFrame
        case, listener, own_clue, choice, correct; the last two missing for a failed vote.
    """
    tellers = zip(cases.from_table(told), told["storyteller"], strict=True)
    rows = [
        (case.id, listener.name, listener.name == teller, choice, _hit(choice, case))
        for case, teller in tellers
        for listener in listeners
        for choice in [_choice(listener, case, cards, seed)]
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def simulate(
    study: str,
    players: Sequence[Participant],
    cards: Mapping[str, Card],
    encoder: Encoder,
    seed: int,
) -> None:
    """Answer a study in people's place, anew, one simulated rater for each player."""
    shown = cases.read(folder(study) / "cases.csv")
    items = cases.read(folder(study) / "items.csv")
    strange = _strangeness(shown, cards, encoder)
    for player in players:
        rater = Simulated(player, cards, strange, seed)
        write_simulated(study, rater.code, (*rater.ratings(shown), *rater.annotations(items)))


@dataclass(frozen=True)
class Simulated:
    """A rater that hears with a player's eyes and scores with noise.

    Clarity is how sure it was of the card it chose, creativity how far the clue is from the
    target's literal caption. An item coheres as far as it believes in the target, its
    distractors are as plausible as the likeliest of them, and it is the more difficult the
    less it believes in the target.

    Parameters
    ----------
    player
        Local: its moves carry probabilities and can't fail.
    cards
        The deck by card id.
    strange
        How far each case's clue is from its target, as a share of all cases from 0 to 1.
    seed
        Of all its chance.
    """

    player: Participant
    cards: Mapping[str, Card]
    strange: Mapping[str, float]
    seed: int

    @property
    def code(self) -> str:
        """What its file is called."""
        return PREFIX + self.player.name

    def ratings(self, told: Sequence[Case]) -> Iterator[Given]:
        """Yield a vote and a rating for each case."""
        for case in cases.in_order(told, self.code, self.seed):
            rng = place(self.seed, "rating", self.code, case.id)
            move = self.player.vote(case.clue, _looked(case, self.cards), rng)
            sure, choice = move.probabilities[move.choice], case.cards[move.choice]
            clarity, creativity = self._scores(rng, sure, self.strange[case.id])
            yield self._given(case, "vote", shown=case.cards, choice=choice)
            yield self._given(case, "rating", clarity=clarity, creativity=creativity)

    def annotations(self, items: Sequence[Case]) -> Iterator[Given]:
        """Yield an annotation for each item."""
        for case in cases.in_order(items, self.code, self.seed):
            rng = place(self.seed, "annotation", self.code, case.id)
            move = self.player.choose(case.clue, _looked(case, self.cards), rng)
            belief = dict(zip(case.cards, move.probabilities, strict=True))
            fit = belief.pop(case.target)
            scores = self._scores(rng, fit, max(belief.values()), 1 - fit)
            names = ("coherence", "plausibility", "difficulty")
            yield self._given(case, "annotation", **dict(zip(names, scores, strict=True)))

    def _given(self, case: Case, step: str, **answer: object) -> Given:
        return Given(self.code, case.id, step, "simulated", **answer)

    def _scores(self, rng: np.random.Generator, *shares: float) -> list[int]:
        """Return scores from 1 to 5 for shares from 0 to 1."""
        noisy = 1 + 4 * np.array(shares) + self._leniency + rng.normal(0, NOISE, len(shares))
        return np.clip(np.rint(noisy), 1, 5).astype(int).tolist()

    @cached_property
    def _leniency(self) -> float:
        return float(place(self.seed, "leniency", self.code).normal(0, LENIENCY))


def _choice(listener: Player, case: Case, cards: Mapping[str, Card], seed: int) -> str | None:
    turned = cases.turned(case, listener.name, seed)
    rng = place(seed, "listen", listener.name, case.id)
    move = listener.vote(turned.clue, _looked(turned, cards), rng)
    return None if move.choice is None else turned.cards[move.choice]


def _hit(choice: str | None, case: Case) -> bool | None:
    return None if choice is None else choice == case.target


def _looked(case: Case, cards: Mapping[str, Card]) -> list[Card]:
    return [cards[card] for card in case.cards]


def _strangeness(
    told: Sequence[Case], cards: Mapping[str, Card], encoder: Encoder
) -> dict[str, float]:
    """Return the share of cases whose clue is nearer to its target's caption, by case."""
    clues = encoder.encode([case.clue for case in told])
    captions = encoder.encode([cards[case.target].caption for case in told])
    likeness = np.round((clues * captions).sum(axis=1), 6)
    nearer = (likeness[:, None] < likeness[None, :]).mean(axis=1)
    return dict(zip((case.id for case in told), nearer.tolist(), strict=True))
