"""Words that a clue and its card's literal caption share: a clue that leaks names the card.

Content words stand in for nouns, since telling nouns takes a tagger: words of three letters
or more that are no function words, compared without the ending of a plural. So a verb that
a caption happens to use counts as well, a synonym does not.
"""

from __future__ import annotations

import re

from dixitlib.records import Card

WORD = re.compile(r"[^\W\d_]{3,}")
FUNCTION_WORDS = frozenset(
    WORD.findall("""
    about above across after again against all along also among and another any are around
    back been before behind being below beneath beside between both but can could did does down
    each ever every few for from had has have her here hers him his how into its itself just
    like many may might more most much must near never nor not off once one only onto other
    our out over own per same she should some such than that the their them then there these
    they this those through too toward towards two under until upon very was were what when
    where which while who whom whose why will with within without would yet you your
    """)
)


def words(text: str) -> set[str]:
    """Return a text's content words, lower case and without the ending of a plural."""
    found = (word.lower() for word in WORD.findall(text))
    return {_singular(word) for word in found if word not in FUNCTION_WORDS}


def names(card: Card) -> set[str]:
    """Return the words that name what a card shows: of its caption and its scene's aspects."""
    return words(" ".join([card.caption, *card.aspects.values()]))


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
