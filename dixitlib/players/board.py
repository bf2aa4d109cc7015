"""What a person sees and presses in a notebook: cards under letters, fields, words beside them.

Cards are called "card A" and nothing else: a description would give the answer away to
whoever listens to the page. The parts of a board stay and change what they show, so that
the keyboard's focus is not lost from one question to the next. Everything is reached with
Tab and pressed with Enter or Space.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Callable, Sequence

import ipywidgets as widgets
import traitlets

from dixitlib.records import Card

LETTERS = "ABCDEF"
SIZE = (480, 720)  # pixels at most; a card is shown half as large on a dense screen
QUALITY = 82

# The margins bring a card, and the clue above it, into view with the button that gets the focus.
STYLE = """<style>
.dixit-play { overflow: visible; }
.dixit-play .dixit-cards { display: grid; gap: 1rem; overflow: visible; max-width: 72rem;
  grid-template-columns: repeat(auto-fit, minmax(min(10rem, 42%), 1fr)); }
.dixit-play .dixit-card { overflow: visible; max-width: 17rem; }
.dixit-play .dixit-card img { display: block; width: 100%; height: auto; border-radius: .5rem;
  box-shadow: 0 1px 6px #0006; }
.dixit-play .dixit-marked img { outline: .25rem solid #00795a; outline-offset: .1rem; }
.dixit-play .widget-html-content { line-height: 1.45; white-space: normal; height: auto; }
.dixit-play blockquote { margin: .4rem 0; padding: 0; border: 0; font-size: 1.5rem;
  font-style: italic; overflow-wrap: anywhere; color: inherit; background: none; }
.dixit-play button { height: auto; min-height: 2.2rem; line-height: 1.3; white-space: normal; }
.dixit-play > button { scroll-margin-top: 8rem; align-self: flex-start; min-width: 14rem; }
.dixit-play .dixit-card button { scroll-margin-top: 34rem; }
.dixit-play .widget-label { width: auto; min-width: 7rem; max-width: 40rem; height: auto;
  white-space: normal; text-align: left; overflow: visible; line-height: 1.45; }
.dixit-play :focus-visible { outline: .2rem solid #0072b2 !important; outline-offset: .1rem; }
.dixit-play [role="alert"] { color: #a33a00; font-weight: bold; }
</style>"""


class Board(widgets.Box):
    """Up to six cards side by side, each with the button that chooses it.

    `chosen` is the index of the chosen card, or None.
    """

    chosen = traitlets.Int(default_value=None, allow_none=True)

    def __init__(self) -> None:
        self._places = [_Place(letter) for letter in LETTERS]
        for index, place in enumerate(self._places):
            place.button.on_click(lambda _, index=index: self.set_trait("chosen", index))
        super().__init__(self._places)
        self.add_class("dixit-cards")

    def show(self, cards: Sequence[Card]) -> None:
        """Show cards to choose from, none of them chosen."""
        for index, place in enumerate(self._places):
            place.show(cards[index] if index < len(cards) else None)
        self.chosen = None

    def clear(self) -> None:
        """Show no card."""
        self.show(())

    def reveal(self, index: int, words: str) -> None:
        """Mark a card and say what it is; no card can be chosen any more."""
        for each, place in enumerate(self._places):
            place.reveal(words if each == index else None)

    def focus(self) -> None:
        """Bring the keyboard to the first card."""
        self._places[0].button.focus()

    @traitlets.observe("chosen")
    def _mark(self, change: dict) -> None:
        for index, place in enumerate(self._places):
            place.mark(index == change["new"])


class _Place(widgets.VBox):
    """A card and its button."""

    def __init__(self, letter: str) -> None:
        self._name = f"card {letter}"
        self._picture = widgets.HTML()
        self.button = widgets.Button(layout={"width": "auto"})
        super().__init__([self._picture, self.button])
        self.add_class("dixit-card")

    def show(self, card: Card | None) -> None:
        self.layout.display = "none" if card is None else None
        self._picture.value = "" if card is None else _image(card, self._name)
        self.button.disabled = False
        self.mark(False)

    def mark(self, chosen: bool) -> None:
        self.button.description = f"✓ {self._name} chosen" if chosen else f"Choose {self._name}"
        _classed(self, "dixit-marked", chosen)

    def reveal(self, words: str | None) -> None:
        self.button.disabled = True
        self.button.description = self._name if words is None else f"{self._name}: {words}"
        _classed(self, "dixit-marked", words is not None)


class Words(widgets.HTML):
    """A line of text that screen readers hear when it changes; everything is escaped."""

    def say(self, words: str, clue: str | None = None) -> None:
        """Say what is going on, with a clue below it."""
        quoted = "" if clue is None else f"<blockquote>“{html.escape(clue)}”</blockquote>"
        self.value = f'<div role="status">{html.escape(words)}{quoted}</div>'

    def complain(self, words: str) -> None:
        """Say what is wrong and how to mend it."""
        self.value = f'<span role="alert">{html.escape(words)}</span>'

    def clear(self) -> None:
        """Say nothing."""
        self.value = ""


def field(label: str, hint: str) -> widgets.Text:
    """Return a field to write in, under a label of any length.

    What is written is sent on leaving the field: sent letter by letter, the echo of an early
    one can undo the later ones while the kernel is busy.
    """
    return widgets.Text(
        continuous_update=False,
        description=label,
        placeholder=hint,
        style={"description_width": "initial"},
        layout={"width": "auto", "max_width": "40rem"},
    )


def button(label: str, press: Callable[[widgets.Button], None]) -> widgets.Button:
    """Return the button that goes on."""
    made = widgets.Button(description=label, button_style="primary", layout={"width": "auto"})
    made.on_click(press)
    return made


def hide(part: widgets.DOMWidget, hidden: bool = True) -> None:
    """Take a part off the page, or put it back."""
    part.layout.display = "none" if hidden else None


def _classed(part: widgets.DOMWidget, name: str, wanted: bool) -> None:
    part.add_class(name) if wanted else part.remove_class(name)


def _image(card: Card, name: str) -> str:
    picture = card.image().copy()  # a deck may hand out one picture again and again
    picture.thumbnail(SIZE)
    file = io.BytesIO()
    picture.save(file, "WEBP", quality=QUALITY)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return f'<img alt="{name}" src="data:image/webp;base64,{data}">'
