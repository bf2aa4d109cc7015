"""A round to look at: cards, clue, who laid and voted what, points.

The page is one piece of HTML with its pictures inside, for a notebook's output or a file.
Players' words are data: everything is escaped, and no script is in it.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import jinja2
from markupsafe import Markup

from dixitlib.records import Card, Round

THUMBNAIL = (300, 450)  # pixels at most; twice the size on a screen of usual density
QUALITY = 80

ENDS = {
    "partial": "Partial: some listeners found it, not all",
    "all_correct": "All correct: the clue gave the card away",
    "all_wrong": "All wrong: nobody found the card",
}

STYLE = """\
.dixit-round { --ink: #2b2620; --paper: #fbf7ee; --line: #d8cdb8; --mark: #00795a;
  max-width: 60rem; margin: 1rem auto; padding: 1.2rem 1.4rem; border-radius: .8rem;
  border: 1px solid var(--line); background: var(--paper); color: var(--ink);
  font: 1rem/1.45 Georgia, "Times New Roman", serif; }
@media (prefers-color-scheme: dark) {
  .dixit-round { --ink: #efe8da; --paper: #25211c; --line: #4d463b; --mark: #4fc9a2; } }
.dixit-round header { display: flex; flex-wrap: wrap; justify-content: space-between;
  gap: .3rem 1rem; font-size: .85rem; }
.dixit-round .end { font-weight: bold; color: var(--mark); }
.dixit-round .void .end { color: inherit; text-decoration: underline dotted; }
.dixit-round blockquote { margin: .9rem 0 .1rem; padding: 0; border: 0; font-size: 1.5rem;
  font-style: italic; overflow-wrap: anywhere; color: inherit; }
.dixit-round p { margin: 0 0 1rem; font-size: .85rem; }
.dixit-round .cards { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
.dixit-round figure { margin: 0; font-size: .85rem; }
.dixit-round img { display: block; width: 100%; height: auto; border-radius: .5rem;
  margin: 0 0 .4rem; box-shadow: 0 1px 6px #0006; }
.dixit-round .target img { outline: .25rem solid var(--mark); outline-offset: .1rem; }
.dixit-round .target b { color: var(--mark); }
.dixit-round table { border-collapse: collapse; margin: 1.2rem 0 0; width: 100%;
  font-size: .85rem; background: none; color: inherit; }
.dixit-round th, .dixit-round td { text-align: left; padding: .25rem .6rem .25rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.dixit-round tbody tr { background: none; }
"""

ARTICLE = """\
<article class="dixit-round" data-end="{{ round.outcome or "void" }}"
 data-storyteller="{{ round.players[round.storyteller] }}">
<header {%- if not round.outcome %} class="void"{% endif %}>
<span>Match {{ round.match }}, phase {{ round.phase }}, round {{ round.round }}</span>
<span class="end">{{ end }}</span>
</header>
<blockquote>
{%- if round.clue is none %}No clue was told.{% else %}“{{ round.clue }}”{% endif -%}
</blockquote>
<p>told by {{ seats[round.storyteller].name }}</p>
<div class="cards">
{% for card in cards %}
<figure {%- if card.target %} class="target"{% endif %}>
<img src="data:image/webp;base64,{{ card.picture }}" alt="{{ card.alt }}">
<figcaption>
{%- if card.target %}<b>the storyteller's card</b>{% else %}laid by {{ card.by }}{% endif -%}
<br>{{ card.voters | join(", ") or "no vote" }}</figcaption>
</figure>
{% endfor %}
</div>
<table>
<thead><tr><th>player</th><th>role</th><th>vote</th><th>points</th></tr></thead>
<tbody>
{% for seat in seats %}
<tr><td>{{ seat.name }}</td><td>{{ seat.role }}</td><td>{{ seat.vote }}</td>
<td>{{ seat.points }}</td></tr>
{% endfor %}
</tbody>
</table>
{% for transcript in transcripts %}
<details><summary>How a panel debated its vote</summary>
{{ transcript }}</details>
{% endfor %}
</article>
"""

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.DictLoader({"article": ARTICLE}),  # compiled when first asked for, and kept
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def round_html(round: Round, deck: Iterable[Card]) -> str:
    """Return a round as self-contained HTML.

    Parameters
    ----------
    round
        What was played. A void round shows what came before it failed, and says so.
    deck
        Holds the cards that were laid.

    Raises
    ------
    ValueError
        If a card was laid that the deck lacks; each is named.
    """
    cards = {card.id: card for card in deck}
    check([round], cards)
    return f'<meta charset="utf-8">\n<style>\n{STYLE}</style>\n{article(round, cards)}\n'


def check(rounds: Iterable[Round], cards: Mapping[str, Card]) -> None:
    """Raise one ValueError that names every laid card which the deck lacks."""
    laid = {card for round in rounds for card in round.submissions if card is not None}
    if missing := sorted(laid - cards.keys()):
        raise ValueError(f"the round shows cards that the deck lacks: {', '.join(missing)}")


def article(round: Round, cards: Mapping[str, Card], transcripts: Sequence[Markup] = ()) -> Markup:
    """Return a round as an element of a page that has `STYLE`, with debates folded below it."""
    text = ENVIRONMENT.get_template("article").render(
        round=round,
        end=_end(round),
        cards=[_card(round, seat, cards) for seat in _laying_seats(round)],
        seats=[_seat(round, seat) for seat in range(len(round.players))],
        transcripts=transcripts,
    )
    return Markup(text)  # the template has escaped whatever players said


def _end(round: Round) -> str:
    if round.outcome:
        return ENDS[round.outcome]
    who = ", ".join(_name(round, seat) for seat in round.failed)
    return f"Void: a move of {who} failed ({round.status})"


def _laying_seats(round: Round) -> list[int]:
    """Return the seats that laid a card, the storyteller first."""
    seats = [seat for seat, card in enumerate(round.submissions) if card is not None]
    return sorted(seats, key=lambda seat: (seat != round.storyteller, seat))


def _card(round: Round, seat: int, cards: Mapping[str, Card]) -> dict[str, Any]:
    card = cards[round.submissions[seat]]
    voters = [_name(round, voter) for voter, vote in enumerate(round.votes) if vote == card.id]
    return {
        "picture": picture(card),
        "alt": card.caption or "a card without a description",
        "target": seat == round.storyteller,
        "by": _name(round, seat),
        "voters": [f"voted for by {voters[0]}", *voters[1:]] if voters else [],
    }


def _seat(round: Round, seat: int) -> dict[str, Any]:
    teller, vote = seat == round.storyteller, round.votes[seat]
    found = "" if vote is None else "found the card" if vote == round.target else "missed it"
    return {
        "name": _name(round, seat),
        "role": "storyteller" if teller else "listener",
        "vote": "move failed" if seat in round.failed else found,
        "points": round.points[seat] if round.outcome else "",
    }


def _name(round: Round, seat: int) -> str:
    """Return who sits there; the seat tells two of one name apart."""
    return f"{round.players[seat]}\u00a0(P{seat + 1})"


def picture(card: Card) -> str:
    """Return a card as a small WebP picture in base64, for a page that needs no other file."""
    return _encoded(_Look(card.sha256, card)) if card.sha256 else _encode(card)


@dataclass(frozen=True)
class _Look:
    """A card told apart by its pixels alone: one that lies in many rounds is encoded once."""

    sha256: str
    card: Card = field(compare=False)


@lru_cache(maxsize=128)
def _encoded(look: _Look) -> str:
    return _encode(look.card)


def _encode(card: Card) -> str:
    image = card.image().copy()  # a deck may hand out one picture again and again
    image.thumbnail(THUMBNAIL)
    file = io.BytesIO()
    image.save(file, "WEBP", quality=QUALITY)
    return base64.b64encode(file.getvalue()).decode("ascii")
