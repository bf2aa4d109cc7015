"""The data card: what the data set is, how it was made, and what it can't tell."""

from __future__ import annotations

from collections import Counter

from jinja2 import Environment, StrictUndefined

from dixitlib.peers.exam import Exam

LICENCE = "CC-BY-SA-4.0"
ATTRIBUTION = "Cards painted by dixitlib with drawings by OpenMoji (openmoji.org), changed."
ABOUT = (
    "Six painted cards and one figurative clue: which card does the clue mean? Tiers hard, "
    "medium and easy differ in how near the other five are; in the tier blocks no rule that "
    "ignores the clue is right more often than one time in six."
)
LIMITS = (
    "One painted domain, English clues chosen by a text encoder and written by no person for "
    "its card, so a clue can fit a distractor as well. No human accuracy has been measured. "
    "The tiers hard, medium and easy can partly be answered without the clue: compare with "
    "accuracy without a clue."
)
BIASES = (
    "Scenes come from one grammar and one painter; subjects and objects are those of OpenMoji. "
    "What is near is what one text encoder finds near. Clues follow English idiom."
)
USES = (
    "Comparing vision-language models on figurative reference, beside chance, accuracy "
    "without a clue and an interval. Not for training, and not a measure of people."
)

_TEMPLATE = """\
---
license: cc-by-sa-4.0
language: [en]
pretty_name: DixitBench, painted deck
task_categories: [visual-question-answering, multiple-choice]
size_categories: [{{ size }}]
configs:
- config_name: default
  data_files:
  - split: test
    path: {{ file }}
---

# DixitBench, painted deck

{{ about }}

`{{ canary }}`

| tier | items |
|---|---|
{% for tier, count in tiers.items() -%}
| {{ tier }} | {{ count }} |
{% endfor %}
Chance is 1/6 in every tier.

## Columns

`item`, `tier`, `clue`, `target` (card), `option_1` to `option_6` (cards, in the order shown),
`answer` (1 to 6), `images` (the six cards as shown) and `canary`. Card ids must not reach a
model.

## How it was made

Scenes were drawn from a grammar by seed and painted; no photograph and nothing of a real person
went in. Each card's clue is the figurative clue of a bank written for this project that a text
encoder assigns to its literal caption. Distractors come from windows of ranks by nearness.
`croissant.json` says the same for machines.

## What it can't tell

{{ limits }}

{{ biases }}

## Uses

{{ uses }}

The canary above stands in every row. Where a model continues it, its result is worth nothing:
paint a fresh deck (`make deck SEED=...`), whose canary is another.

## Licence

{{ licence }}. {{ attribution }}
"""


def card(exam: Exam, file: str) -> str:
    """Return the README of the data set whose rows stand in `file`."""
    template = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    return template.from_string(_TEMPLATE).render(
        file=file,
        size="n<1K" if len(exam.items) < 1000 else "1K<n<10K",
        about=ABOUT,
        canary=exam.canary,
        tiers=Counter(item.tier for item in exam.items),
        limits=LIMITS,
        biases=BIASES,
        uses=USES,
        licence=LICENCE,
        attribution=ATTRIBUTION,
    )
