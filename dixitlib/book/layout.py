"""What the book is made of: notebooks, a gallery of the deck, matches, style and MathJax.

Everything is laid out in one folder, as Sphinx wants it. Notebooks go in without the state
of any widget, and each picture that a cell shows gets the heading above it for its words,
so that who can't see it knows what is there.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from importlib import resources
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from dixitlib import paths, store
from dixitlib.cards.deck import Deck
from dixitlib.records import Card, Round
from dixitlib.viewer import match_html

BOOK = paths.REPOSITORY / "book"
NOTEBOOKS = paths.REPOSITORY / "notebooks"
RUN = "offline"
MATCHES = (0, 5, 20)  # of the run: the smallest eyes alone, with the largest, the largest alone
LEFT_OUT = ("params", "solutions", ".ipynb_checkpoints")  # of the notebooks
PICTURES = ("image/png", "image/jpeg")

GALLERY = """\
# The cards

All {number} cards of the deck, each with its literal caption. Players see the pictures only.
Painted by this project; the drawings on them are by [OpenMoji](https://openmoji.org), CC BY-SA 4.0,
recoloured and redrawn in line.

::::{{container}} gallery
{figures}
::::
"""

FIGURE = """\
:::{{figure}} cards/{file}
:alt: {caption}
{caption}
:::"""

LEAFING = """\
# Matches to leaf through

One round at a time, chosen by how it ended and by who told. Each is a page of its own, with its
pictures inside.

{links}

How a panel debates its vote is told step by step in
[What happens in a debate](notebooks/11_one_debate.ipynb).

An instrument check: these players pick clues from a bank, and nothing here speaks for a large
model.
"""


def lay_out(source: Path) -> None:
    """Write everything that the book is made of into a folder, which must not exist yet."""
    shutil.copytree(BOOK, source, ignore=shutil.ignore_patterns("*.css", "__pycache__"))
    _static(source / "_static")
    shutil.copytree(NOTEBOOKS, source / "notebooks", ignore=shutil.ignore_patterns(*LEFT_OUT))
    for notebook in (source / "notebooks").rglob("*.ipynb"):
        nbformat.write(described(nbformat.read(notebook, as_version=4)), notebook)
    deck = Deck.load(paths.data("cards"))
    _lay_gallery(deck, source)
    _lay_matches(store.iter_rounds(paths.data("runs", RUN)), deck, source)


def _static(folder: Path) -> None:
    """Lay the style and one file of MathJax, which draws its letters without any font."""
    (folder / "mathjax").mkdir(parents=True)
    shutil.copy(BOOK / "book.css", folder)
    script = resources.files("mathjax") / "static/mathjax/es5/tex-svg.js"
    (folder / "mathjax" / "tex-svg.js").write_bytes(script.read_bytes())


def described(node: NotebookNode) -> NotebookNode:
    """Return a notebook without the state of widgets, its pictures named by their headings."""
    node.metadata.pop("widgets", None)
    heading = ""
    for cell in node.cells:
        if cell.cell_type == "markdown":
            heading = (re.findall(r"^#+ (.+)$", cell.source, re.M) or [heading])[-1]
        elif any(kind in output.get("data", {}) for output in cell.outputs for kind in PICTURES):
            cell.metadata["mystnb"] = {"image": {"alt": f"Picture: {heading}"}}
    return node


def _lay_gallery(deck: Iterable[Card], source: Path) -> None:
    shutil.copytree(paths.data("cards"), source / "cards", ignore=shutil.ignore_patterns("*.csv"))
    (source / "gallery.md").write_text(gallery(deck), encoding="utf-8")


def gallery(deck: Iterable[Card]) -> str:
    """Return the page of the gallery: every card, with its caption below and as its words."""
    figures = [FIGURE.format(file=f"{card.id}.webp", caption=card.caption) for card in deck]
    return GALLERY.format(number=len(figures), figures="\n".join(figures))


def _lay_matches(rounds: Iterable[Round], deck: Deck, source: Path) -> None:
    folder, links = source / "extra" / "matches", []
    folder.mkdir(parents=True)
    for match, played in groupby(rounds, key=attrgetter("match")):
        if match in MATCHES:
            told = list(played)
            (folder / f"{match}.html").write_text(match_html(told, deck), encoding="utf-8")
            who = " and ".join(dict.fromkeys(told[0].players))
            links.append(f'- <a href="matches/{match}.html">Match {match}: {who}</a>')
    (source / "matches.md").write_text(LEAFING.format(links="\n".join(links)), encoding="utf-8")
