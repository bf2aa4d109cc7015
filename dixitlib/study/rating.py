"""What raters fill in, in a notebook: a vote and a rating of each clue, or notes on an item.

Every answer is on disk before the next question is shown, so a rater can stop at any time
and goes on with the same code where it stopped, even in another kernel. Models, players and
outcomes are not shown, nor which card is meant until the vote is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import ipywidgets as widgets

from dixitlib.players.board import STYLE, Board, Words, button, field, hide
from dixitlib.records import Card
from dixitlib.store.people import AnswerBook, Given, Step, folder
from dixitlib.study import cases
from dixitlib.study.cases import Case

MEANT = "the one that was meant"
VOTE = "Which card does this clue mean?"
NO_CARD = "Choose a card first: press the button under it."
WELCOME = (
    "Choose a code for yourself, such as owl-7, and remember it: with it you go on where you "
    "stopped. It is all that is kept about you, beside your answers; no name, please."
)


@dataclass(frozen=True)
class Scale:
    """A question answered from 1 to 5; `name` is a field of `store.people.Given`."""

    name: str
    question: str
    least: str
    most: str

    @property
    def options(self) -> list[tuple[str, int]]:
        """What can be chosen, as a list that a press of 1 to 5 finds its way in."""
        ends = {1: f"1 – {self.least}", 5: f"5 – {self.most}"}
        return [(ends.get(score, str(score)), score) for score in range(1, 6)]


@dataclass(frozen=True)
class Task:
    """What is asked about each case.

    Parameters
    ----------
    table
        The study's table of cases, without its ending.
    step
        Under which the scores are kept.
    voting
        Whether a vote comes first, and the answer is hidden until then.
    asked
        What is said above the scales.
    scales
        What is scored.
    """

    table: str
    step: Step
    voting: bool
    asked: str
    scales: tuple[Scale, ...]


RATING = Task(
    "cases",
    "rating",
    voting=True,
    asked="The marked card was meant. How good is this clue for it?",
    scales=(
        Scale("clarity", "Clarity: how clearly does it point to the card?", "obscure", "clear"),
        Scale("creativity", "Creativity: how inventive is it?", "plain", "inventive"),
    ),
)
ANNOTATION = Task(
    "items",
    "annotation",
    voting=False,
    asked="A question of DixitBench, with its answer marked. What do you make of it?",
    scales=(
        Scale("coherence", "Coherence: does the clue fit the marked card?", "not at all", "well"),
        Scale(
            "plausibility",
            "Plausibility: could the other cards be taken for it?",
            "none of them",
            "all of them",
        ),
        Scale("difficulty", "Difficulty: how hard is the question?", "easy", "hard"),
    ),
)


class Questionnaire(widgets.VBox):
    """A rater's page; show it as the last line of a cell.

    Parameters
    ----------
    task
        `RATING` or `ANNOTATION`.
    study
        Whose cases are shown, and where answers go: ``data/human/STUDY/CODE.jsonl``.
    deck
        The cards.
    seed
        With the rater's code it gives the order of cases and of their cards.
    """

    def __init__(self, task: Task, study: str, deck: Sequence[Card], seed: int = 42) -> None:
        self._task, self._study, self._seed = task, study, seed
        self._cards: Mapping[str, Card] = {card.id: card for card in deck}
        self._cases = cases.read(folder(study) / f"{task.table}.csv")
        self._prompt, self._note = Words(), Words()
        self._code = field("Your code", "owl-7")
        self._begin = button("Begin", self._press_begin)
        self._board = Board()
        self._scales = {scale.name: _chooser(scale) for scale in task.scales}
        self._next = button("Keep this answer", self._press)
        parts = (self._code, self._begin, self._board, *self._scales.values(), self._note)
        super().__init__([widgets.HTML(STYLE), self._prompt, *parts, self._next])
        self.add_class("dixit-play")
        self._prompt.say(WELCOME)
        self._board.clear()
        for part in (*self._scales.values(), self._next):
            hide(part)

    def __repr__(self) -> str:
        return f"{len(self._cases)} questions: run this notebook in JupyterLab or Voila to answer."

    def _press_begin(self, _: widgets.Button) -> None:
        code = self._code.value.strip()
        try:
            self._book = AnswerBook(self._study, code)
        except ValueError as fault:
            self._note.complain(str(fault))
            return
        self._order = cases.in_order(self._cases, code, self._seed)
        hide(self._code)
        hide(self._begin)
        self._ask()

    def _ask(self) -> None:
        """Ask the first question that has no answer yet."""
        self._note.clear()
        left = [case for case in self._order if not self._has(case, self._task.step)]
        self._case = left[0] if left else None
        if self._case is None:
            self._finish()
            return
        self._board.show([self._cards[card] for card in self._case.cards])
        self._place = f"{len(self._order) - len(left) + 1} of {len(self._order)}"
        hide(self._next, False)
        voting = self._task.voting and not self._has(self._case, "vote")
        self._step = "vote" if voting else self._task.step
        self._ask_vote() if voting else self._ask_scores()

    def _ask_vote(self) -> None:
        self._prompt.say(f"{self._place}. {VOTE}", self._case.clue)
        self._next.description = "Vote for the chosen card"
        for chooser in self._scales.values():
            hide(chooser)
        self._board.focus()

    def _ask_scores(self) -> None:
        self._prompt.say(f"{self._place}. {self._task.asked}", self._case.clue)
        self._next.description = "Keep this answer"
        self._board.reveal(self._case.cards.index(self._case.target), MEANT)
        for chooser in self._scales.values():
            chooser.value = None
            hide(chooser, False)
        next(iter(self._scales.values())).focus()

    def _finish(self) -> None:
        self._board.clear()
        for part in (*self._scales.values(), self._next):
            hide(part)
        self._prompt.say(f"All {len(self._order)} are answered and kept. Thank you!")

    def _press(self, _: widgets.Button) -> None:
        if fault := self._missing():
            self._note.complain(fault)
            return
        try:
            self._book.write(self._given())
        except (OSError, ValueError) as fault:  # Jupyter would hide it, and the answer be lost
            self._note.complain(f"The answer could not be kept: {fault}")
            return
        self._ask()

    def _missing(self) -> str:
        """Return what is still to be answered, in words, or nothing."""
        if self._step == "vote":
            return NO_CARD if self._board.chosen is None else ""
        names = [name for name, chooser in self._scales.items() if chooser.value is None]
        return f"Choose a number for {' and '.join(names)} first." if names else ""

    def _given(self) -> Given:
        if self._step == "vote":
            shown = self._case.cards
            answer = {"shown": shown, "choice": shown[self._board.chosen]}
        else:
            answer = {name: chooser.value for name, chooser in self._scales.items()}
        return Given(self._book.rater, self._case.id, self._step, "person", **answer)

    def _has(self, case: Case, step: Step) -> bool:
        return (case.id, step) in self._book.given


def _chooser(scale: Scale) -> widgets.Dropdown:
    return widgets.Dropdown(
        description=scale.question,
        options=scale.options,
        value=None,
        style={"description_width": "initial"},
        layout={"width": "auto", "max_width": "40rem"},
    )
