"""A debate as a transcript: who claimed what and where, what critics said, how weights moved.

The cards stand on top with the places that claims point to drawn on them, each under the
number of its claim. Then come the steps: what each expert chose, claimed and weighed, what
was in dispute, what critics found, and what the judge made of it. Like a round's page it is
one piece of HTML; words of agents are data, everything is escaped, and no script is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from dixitlib.records import Card, Claim, Region
from dixitlib.viewer.rounds import picture

if TYPE_CHECKING:
    from dixitlib.panel.debate import Debate, Step

Number = Mapping[tuple[str, Claim], int]

ENDS = {
    "untriggered": "No debate: the first answers were sure enough and close enough",
    "converged": "Converged: the panel became sure",
    "stagnated": "Stagnated: uncertainty hardly moved",
    "limit": "Limit: the last round was over",
    "undisputed": "Undisputed: nothing was left to debate",
    "unanswered": "Unanswered: no expert had an answer",
}

STYLE = """\
.dixit-debate { --ink: #2b2620; --paper: #fbf7ee; --line: #d8cdb8; --mark: #00795a;
  --place: #d55e00; max-width: 60rem; margin: 1rem auto; padding: 1.2rem 1.4rem;
  border-radius: .8rem; border: 1px solid var(--line); background: var(--paper);
  color: var(--ink); font: 1rem/1.45 Georgia, "Times New Roman", serif; }
@media (prefers-color-scheme: dark) {
  .dixit-debate { --ink: #efe8da; --paper: #25211c; --line: #4d463b; --mark: #4fc9a2; } }
.dixit-debate blockquote { margin: .4rem 0 .9rem; padding: 0; border: 0; font-size: 1.5rem;
  font-style: italic; overflow-wrap: anywhere; color: inherit; }
.dixit-debate .end { font-weight: bold; color: var(--mark); }
.dixit-debate .options { display: grid; gap: .8rem;
  grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); }
.dixit-debate figure { margin: 0; font-size: .85rem; }
.dixit-debate .card { position: relative; }
.dixit-debate img { display: block; width: 100%; height: auto; margin: 0; border-radius: .4rem; }
.dixit-debate .chosen .card { outline: .25rem solid var(--mark); outline-offset: .1rem; }
.dixit-debate .place { position: absolute; box-sizing: border-box; color: #fff;
  border: 2px solid var(--place); font: bold .7rem/1 sans-serif; text-shadow: 0 0 3px #000; }
.dixit-debate table { border-collapse: collapse; width: 100%; margin: .4rem 0;
  font-size: .85rem; background: none; color: inherit; }
.dixit-debate th, .dixit-debate td { text-align: left; padding: .25rem .6rem .25rem 0;
  vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.dixit-debate tbody tr { background: none; }
.dixit-debate h3 { margin: 1.2rem 0 .2rem; font-size: 1rem; }
.dixit-debate ul { margin: .2rem 0; padding-left: 1.2rem; font-size: .85rem; }
"""

ARTICLE = """\
<article class="dixit-debate" data-ending="{{ debate.ending }}">
<span class="end">{{ end }}</span>
<blockquote>
{%- if debate.question.text is none %}No clue was shown.{% else %}“{{ debate.question.text }}”
{%- endif -%}
</blockquote>
<div class="options">
{% for option in options %}
<figure {%- if option.label == debate.choice %} class="chosen"{% endif %}>
{% if option.picture %}
<div class="card"><img src="data:image/webp;base64,{{ option.picture }}" alt="{{ option.alt }}">
{% for place in option.places %}
<span class="place" style="left:{{ place.left }}%;top:{{ place.top }}%;
width:{{ place.width }}%;height:{{ place.height }}%">{{ place.number }}</span>
{% endfor %}
</div>
{% endif %}
<figcaption>{{ option.label }}{% if option.words %}: {{ option.words }}{% endif %}
{% if option.label == debate.choice %} (chosen){% endif %}</figcaption>
</figure>
{% endfor %}
</div>
{% for step in steps %}
<section>
<h3>{{ step.title }}</h3>
{% if step.disputes %}
<ul>
{% for dispute in step.disputes %}
<li>In dispute: {{ dispute }}</li>
{% endfor %}
</ul>
{% endif %}
<table>
<thead><tr><th>expert</th><th>choice</th><th>claims</th><th>uncertainty</th><th>weight</th></tr>
</thead>
<tbody>
{% for expert in step.experts %}
<tr><td>{{ expert.name }}</td><td>{{ expert.choice }}</td><td>
{% for claim in expert.claims %}{{ claim }}<br>{% endfor %}
</td><td>{{ expert.uncertainty }}</td><td>{{ expert.weight }}</td></tr>
{% endfor %}
</tbody>
</table>
{% if step.critics %}
<ul>
{% for said in step.critics %}
<li>{{ said }}</li>
{% endfor %}
</ul>
{% endif %}
<p>{{ step.verdict }}</p>
</section>
{% endfor %}
</article>
"""

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.DictLoader({"debate": ARTICLE}),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def debate_html(debate: Debate) -> str:
    """Return a debate as self-contained HTML.

    Parameters
    ----------
    debate
        What was asked and said. Its question holds the cards, so no deck is needed.
    """
    return f'<meta charset="utf-8">\n<style>\n{STYLE}</style>\n{transcript(debate)}\n'


def transcript(debate: Debate) -> Markup:
    """Return a debate as an element of a page that has `STYLE`."""
    numbers = {claim: number for number, claim in enumerate(_claims(debate), 1)}
    text = ENVIRONMENT.get_template("debate").render(
        debate=debate,
        end=ENDS[debate.ending],
        options=[_option(debate, label, numbers) for label in debate.question.labels],
        steps=[_step(step, numbers) for step in debate.steps],
    )
    return Markup(text)  # the template has escaped whatever agents said


def _claims(debate: Debate) -> Iterator[tuple[str, Claim]]:
    """Yield what each agent claimed, each claim once, in the order in which they came."""
    made = (
        (analysis.agent, claim)
        for step in debate.steps
        for analysis in step.analyses
        for claim in analysis.claims
    )
    yield from dict.fromkeys(made)


def _option(debate: Debate, label: str, numbers: Number) -> dict[str, Any]:
    option = debate.question.options[label]
    of_card = isinstance(option, Card)
    return {
        "label": label,
        "words": "" if of_card else option,
        "picture": picture(option) if of_card else "",
        "alt": (option.caption or "a card without a description") if of_card else "",
        "places": [
            {"number": number, **_place(claim.region)}
            for (_, claim), number in numbers.items()
            if claim.option == label and claim.region
        ],
    }


def _place(region: Region) -> dict[str, float]:
    """Return a region in percent of the card, as a style says it."""
    left, top, right, bottom = (round(100 * edge, 2) for edge in region)
    return {
        "left": left,
        "top": top,
        "width": round(right - left, 2),
        "height": round(bottom - top, 2),
    }


def _step(step: Step, numbers: Number) -> dict[str, Any]:
    weights = step.weights or (0.0,) * len(step.analyses)
    return {
        "title": f"Round {step.round}" if step.round else "First answers",
        "disputes": [
            f"{each.agent}: {each.claim.text} ({each.reason}{_against(each.against)})"
            for each in step.disputes
        ],
        "experts": [
            {
                "name": each.agent,
                "choice": each.turn.choice or f"none ({each.turn.status})",
                "claims": [_claim(each.agent, claim, numbers) for claim in each.claims],
                "uncertainty": "" if each.uncertainty is None else f"{each.uncertainty:.2f}",
                "weight": f"{weight:.2f}",
            }
            for each, weight in zip(step.analyses, weights, strict=True)
        ],
        "critics": list(_criticism(step)),
        "verdict": _verdict(step),
    }


def _against(agents: tuple[str, ...]) -> str:
    return f" by {', '.join(agents)}" if agents else ""


def _claim(agent: str, claim: Claim, numbers: Number) -> str:
    return f"{numbers[agent, claim]}. {claim.text} ({claim.confidence:.2f})"


def _criticism(step: Step) -> Iterator[str]:
    for critique in step.critiques:
        for each in critique.assessments:
            why = f": {each.reason}" if each.reason else ""
            yield f"{critique.turn.speaker} on {each.agent}, “{each.claim}”: {each.verdict}{why}"


def _verdict(step: Step) -> str:
    if step.verdict is None:
        return "Nobody answered, so there was nothing to judge."
    choice = step.verdict.turn.choice or f"none ({step.verdict.turn.status})"
    judged = f"{step.verdict.turn.speaker}: {choice}."
    return f"{judged} U_sys {step.system_uncertainty:.2f}, conflict {step.conflict:.2f}."
