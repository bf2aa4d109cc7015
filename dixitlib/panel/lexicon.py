"""Words of doubt in three tiers, written for this project, for `uncertainty.from_wording`.

A marker counts only as a whole word or phrase. Words that doubt in one sentence and merely
join in the next ("or", "about", "may") are no markers, and neither are those of a doubt
that is being denied ("doubt", as in "no doubt").
"""

from __future__ import annotations

from collections.abc import Mapping

LEXICON: Mapping[str, float] = {
    **dict.fromkeys(
        (
            *("not sure", "not entirely sure", "not quite sure", "not certain", "unsure"),
            *("uncertain", "unclear", "not clear", "no idea", "don't know", "do not know"),
            *("can't tell", "cannot tell", "can't say", "cannot say", "hard to tell"),
            *("hard to say", "difficult to tell", "difficult to say", "impossible to tell"),
            *("impossible to say", "cannot be determined", "can't be determined", "a guess"),
            *("i guess", "i'm guessing", "i am guessing", "my guess", "at random"),
            *("ambiguous", "undecided", "torn between", "doubtful", "questionable"),
        ),
        3.0,
    ),
    **dict.fromkeys(
        (
            *("maybe", "perhaps", "possibly", "conceivably", "might", "could be", "may be"),
            *("could also", "may also", "might also", "seemingly", "apparently", "supposedly"),
            *("not obvious", "not obviously", "blurry", "hardly visible", "barely visible"),
            *("speculative", "tentative", "tentatively", "debatable", "arguably", "vague"),
            *("vaguely", "hesitant", "i suppose", "if anything", "low confidence"),
        ),
        2.0,
    ),
    **dict.fromkeys(
        (
            *("probably", "likely", "presumably", "seems", "seem", "appears to", "appear to"),
            *("suggests", "suggest", "looks like", "look like", "somewhat", "fairly", "roughly"),
            *("more or less", "to some extent", "i think", "i believe", "in part", "partly"),
            *("loosely", "indirectly", "plausible", "plausibly", "reasonably", "mostly"),
        ),
        1.0,
    ),
}
"""Weight of each marker."""
