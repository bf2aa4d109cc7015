"""The frameworks that GAM-Agent is compared with, each in its smallest faithful form.

Each is one function from a question and agents to a `Decision`, which holds every turn and
so what it took: all budgets are counted alike. `single`, `self_consistency` and
`confidence_vote` take experts, local ones too. The others exchange words, so they take
speakers, and without a model that writes they don't apply.
"""

from dixitlib.panel.baselines.duels import dmpl, mad
from dixitlib.panel.baselines.exchange import chateval, debunc, dmad, plain_debate
from dixitlib.panel.baselines.votes import confidence_vote, self_consistency, single

__all__ = [
    "chateval",
    "confidence_vote",
    "debunc",
    "dmad",
    "dmpl",
    "mad",
    "plain_debate",
    "self_consistency",
    "single",
]
