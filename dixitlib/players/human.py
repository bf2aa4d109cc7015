"""A person's seat at the table, in a notebook.

A person can't be waited for: the kernel would be blocked and no button would answer. So a
seat is asked with a callback, which gets the move when the person has made it. Whoever
holds the round (see `study.seat`) goes on from there. This room knows no game: it is
shown cards and gives back moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets as widgets

from dixitlib.players.board import STYLE, Board, Words, button, field, hide
from dixitlib.records import Card, Move

Answer = Callable[[Move], None]
Press = Callable[[], None]

TELL = (
    "You are the storyteller. Choose one of your cards and write a clue for it: some of the "
    "three listeners should find the card, but not all."
)
SUBMIT = "The clue is told. Choose the card of yours that others may take for the storyteller's."
VOTE = "Which card is the storyteller's? Your own is not among these."
NO_CARD = "Choose a card first: press the button under it."
NO_CLUE = "Write a clue first: one word is enough."


class Human(widgets.VBox):
    """A seat for a person; show it as the last line of a cell.

    `tell`, `submit` and `vote` are those of `records.Player`, but the move goes to
    `answer` once it is made. Until then the seat keeps what was chosen and written,
    whatever was wrong with it.
    """

    def __init__(self) -> None:
        self._on_press: Press | None = None
        self._on_next: Press | None = None
        self._prompt, self._note, self._result = Words(), Words(), widgets.HTML()
        self._board = Board()
        self._code = field("Your code", "owl-7")
        self._clue = field("Your clue", "a few words")
        self._go_on = button("Go on", self._press)
        # A button of its own: a second press of the last vote must not leaf past the result.
        self._next = button("Next round", self._press_next)
        asked = (self._prompt, self._board, self._code, self._clue, self._note, self._go_on)
        super().__init__([widgets.HTML(STYLE), *asked, self._next, self._result])
        self.add_class("dixit-play")
        self._rest()

    def __repr__(self) -> str:
        return "A seat at the table: run this notebook in JupyterLab or Voila to take it."

    def greet(self, words: str, take: Callable[[str], None]) -> None:
        """Ask for the person's code, which goes to `take`."""
        self._rest()
        self._prompt.say(words)
        hide(self._code, False)
        self._offer("Take a seat", lambda: take(self._code.value.strip()))

    def tell(self, hand: Sequence[Card], answer: Answer) -> None:
        self._clue.value = ""
        self._ask(TELL, None, hand, "Tell this clue", answer)

    def submit(self, clue: str, hand: Sequence[Card], answer: Answer) -> None:
        self._ask(SUBMIT, clue, hand, "Lay the chosen card", answer)

    def vote(self, clue: str, candidates: Sequence[Card], answer: Answer) -> None:
        self._ask(VOTE, clue, candidates, "Vote for the chosen card", answer)

    def resolve(self, words: str, page: str, go_on: Press | None) -> None:
        """Show how a round ended, and call `go_on` when the person has seen enough.

        Parameters
        ----------
        words
            What is said of it.
        page
            HTML of the round, in which all that players said is escaped.
        go_on
            Plays the next round; None after the last.
        """
        self._rest()
        self._prompt.say(words)
        self._result.value = page
        self._on_next = go_on
        hide(self._next, go_on is None)
        self._next.focus()

    def wait(self, words: str) -> None:
        """Say what the person waits for."""
        self._note.say(words)

    def complain(self, words: str) -> None:
        """Say beside the button what went wrong."""
        self._note.complain(words)

    def _ask(
        self, words: str, clue: str | None, cards: Sequence[Card], label: str, answer: Answer
    ) -> None:
        self._rest()
        self._prompt.say(words, clue)
        self._board.show(cards)
        hide(self._clue, clue is not None)
        self._offer(label, lambda: self._move(answer, telling=clue is None))
        self._board.focus()

    def _offer(self, label: str, press: Press) -> None:
        self._go_on.description = label
        self._on_press = press
        hide(self._go_on, False)

    def _rest(self) -> None:
        """Ask nothing."""
        self._on_press = self._on_next = None
        self._note.clear()
        self._board.clear()
        self._result.value = ""
        for part in (self._code, self._clue, self._go_on, self._next):
            hide(part)

    def _press(self, _: widgets.Button) -> None:
        if self._on_press is not None:  # pressed twice in a row, what was asked is done already
            self._on_press()

    def _press_next(self, _: widgets.Button) -> None:
        if self._on_next is not None:
            self._on_next()

    def _move(self, answer: Answer, *, telling: bool) -> None:
        clue = self._clue.value.strip()
        if self._board.chosen is None:
            self._note.complain(NO_CARD)
        elif telling and not clue:
            self._note.complain(NO_CLUE)
        else:
            answer(Move(self._board.chosen, clue if telling else None))
