"""A match to leaf through: one round at a time, all of them without a script.

The page is one file with its pictures, its style and its only script inside. Its content
security policy lets that script run and nothing else, and no request leaves the machine.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from dixitlib.records import OUTCOMES, Card, Round
from dixitlib.viewer.debates import STYLE as DEBATE_STYLE
from dixitlib.viewer.debates import transcript
from dixitlib.viewer.rounds import STYLE, article, check

if TYPE_CHECKING:
    from dixitlib.panel.debate import Debate

Place = tuple[int, int]

ENDS = {
    "partial": "partial: some found the card",
    "all_correct": "all correct: everybody did",
    "all_wrong": "all wrong: nobody did",
    "void": "void: a move failed",
}

PAGE_STYLE = """\
body { margin: 0; padding: 1rem; background: #efe9dc; color: #2b2620;
  font: 1rem/1.45 Georgia, "Times New Roman", serif; }
body > header { max-width: 60rem; margin: 0 auto; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; }
form div { white-space: nowrap; }
form[hidden], article[hidden] { display: none; }
details { margin: 1rem 0 0; }
summary { cursor: pointer; font-size: .85rem; }
select, button { font: inherit; padding: .3rem .7rem; max-width: 100%; }
:focus-visible { outline: .2rem solid #00795a; outline-offset: .1rem; }
@media (prefers-color-scheme: dark) { body { background: #171410; color: #efe8da; } }
"""

SCRIPT = """
const rounds = [...document.querySelectorAll("article.dixit-round")];
const form = document.querySelector("form");
const {end, storyteller, previous, next, place} = form.elements;
let shown = rounds, at = 0;
function turn(to) {
  at = Math.max(0, Math.min(to, shown.length - 1));
  for (const round of rounds) round.hidden = round !== shown[at];
  place.value = shown.length ? `${at + 1} of ${shown.length} rounds` : "no such round";
  previous.disabled = at === 0;
  next.disabled = at >= shown.length - 1;
}
function fits(round) {
  return (!end.value || round.dataset.end === end.value) &&
    (!storyteller.value || round.dataset.storyteller === storyteller.value);
}
form.hidden = false;
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("change", () => { shown = rounds.filter(fits); turn(0); });
previous.addEventListener("click", () => turn(at - 1));
next.addEventListener("click", () => turn(at + 1));
document.addEventListener("keydown", event => {
  if (event.target.tagName === "SELECT" || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") turn(at - 1);
  if (event.key === "ArrowRight") turn(at + 1);
});
turn(0);
"""

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
style-src 'unsafe-inline'; script-src '{{ digest }}'; form-action 'none'; base-uri 'none'">
<link rel="icon" href="data:,">
<title>{{ title }}</title>
<style>
{{ style }}</style>
</head>
<body>
<header>
<h1>{{ title }}</h1>
<p>{{ totals | join("; ") }}. Leaf with the buttons or the left and right arrow keys.</p>
<form hidden>
<label>How it ended <select name="end"><option value="">any</option>
{% for value, words in ends %}
<option value="{{ value }}">{{ words }}</option>
{% endfor %}
</select></label>
<label>Told by <select name="storyteller"><option value="">anybody</option>
{% for name in storytellers %}
<option value="{{ name }}">{{ name }}</option>
{% endfor %}
</select></label>
<div>
<button type="button" name="previous">Previous</button>
<output name="place"></output>
<button type="button" name="next">Next</button>
</div>
</form>
</header>
<main>
{% for article in articles %}
{{ article }}
{% endfor %}
</main>
<script>{{ script }}</script>
</body>
</html>
"""

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.DictLoader({"page": PAGE}),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def match_html(
    rounds: Sequence[Round],
    deck: Iterable[Card],
    debates: Mapping[Place, Sequence[Debate]] = MappingProxyType({}),
) -> str:
    """Return a match as a self-contained page to leaf through.

    Rounds can be chosen by how they ended and by who told.

    Parameters
    ----------
    rounds
        Of one match, in order; void ones are shown as far as they went.
    deck
        Holds the cards that were laid.
    debates
        What panels at the table said before they voted, by (phase, round); each is folded below
        its round.

    Raises
    ------
    ValueError
        If there is no round, rounds are of several matches, or a card was laid that the
        deck lacks; each is named.
    """
    matches = sorted({round.match for round in rounds})
    if len(matches) != 1:
        raise ValueError(f"a page shows one match, but there are {matches or 'no rounds'}")
    cards = {card.id: card for card in deck}
    check(rounds, cards)
    return ENVIRONMENT.get_template("page").render(
        title=_title(rounds[0]),
        totals=_totals(rounds),
        ends=[(end, ENDS[end]) for end in _ends(rounds)],
        storytellers=dict.fromkeys(round.players[round.storyteller] for round in rounds),
        articles=[
            article(
                round, cards, list(map(transcript, debates.get((round.phase, round.round), ())))
            )
            for round in rounds
        ],
        digest=_digest(SCRIPT),
        # Ours, and not what a player said: quotation marks in it must stay as they are.
        style=Markup(STYLE + DEBATE_STYLE + PAGE_STYLE),
        script=Markup(SCRIPT),
    )


def _title(round: Round) -> str:
    return f"Match {round.match}: {' and '.join(dict.fromkeys(round.players))}"


def _totals(rounds: Sequence[Round]) -> list[str]:
    """Return what each player won in the match, in words; self-play is summed."""
    points: Counter[str] = Counter()
    for round in rounds:
        for name, won in zip(round.players, round.points, strict=True):
            points[name] += won
    return [f"{name} won {won} points" for name, won in points.items()]


def _ends(rounds: Sequence[Round]) -> list[str]:
    """Return the ways in which rounds of the match ended, in the usual order."""
    found = {round.outcome or "void" for round in rounds}
    return [end for end in (*OUTCOMES, "void") if end in found]


def _digest(script: str) -> str:
    """Return a script's hash as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
