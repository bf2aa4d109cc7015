"""DixitBench as a task of Inspect.

From an environment with the extra `inspect`, any model that Inspect knows sits it::

    inspect eval dixitlib/peers/inspect_task.py --model openai/gpt-4o -T tier=blocks

A reply is read as everywhere in this project (`parse`). One that can't be read is told
what was wrong and asked for again, as often as `reasks` says; then it is no answer, which
earns nothing, and its status says why.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from inspect_ai import Task, task
from inspect_ai.model import ChatMessageUser, ModelOutput
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Score,
    Scorer,
    Target,
    accuracy,
    grouped,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from dixitlib import parse
from dixitlib.parse import PROBLEMS, Parsed
from dixitlib.peers.exam import LETTERS, LONGEST, Exam, from_home
from dixitlib.peers.inspect_samples import WORDING, samples
from dixitlib.players import phrases

FINISHES = {"max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}
"""Inspect's words for why a reply ended, in those that `parse` knows."""
_choice = partial(parse.choice, options=tuple(LETTERS))


@task
def dixitbench(
    tier: str | None = None, clue: bool = True, longest: int = LONGEST, reasks: int = 2
) -> Task:
    """Put DixitBench of the home to a model.

    Parameters
    ----------
    tier
        ``hard``, ``medium``, ``easy`` or ``blocks``; by default all.
    clue
        Whether the clue is told; without it, what the options alone give away.
    longest
        Pixels of a picture's longer side.
    reasks
        How often a model is told what was wrong with a reply.
    """
    return task_of(part(from_home(), tier), longest=longest, clue=clue, reasks=reasks)


def task_of(exam: Exam, *, longest: int = LONGEST, clue: bool = True, reasks: int = 2) -> Task:
    """Return the task of any exam; the parameters are those of `dixitbench`."""
    return Task(
        name="dixitbench",
        dataset=samples(exam, longest, clue=clue),
        solver=ask(reasks),
        scorer=chosen_card(),
    )


def part(exam: Exam, tier: str | None) -> Exam:
    """Return the items of a tier; all without one.

    Raises
    ------
    ValueError
        If there is no such tier.
    """
    tiers = dict.fromkeys(item.tier for item in exam.items)
    if tier not in (None, *tiers):
        raise ValueError(f"no tier is called {tier!r}; there are {', '.join(tiers)}")
    return replace(exam, items=tuple(item for item in exam.items if tier in (None, item.tier)))


@solver
def ask(reasks: int = 2) -> Solver:
    """Ask, and say what was wrong where a reply can't be read."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        for _ in range(reasks):
            parsed = read(state.output)
            if parsed.status == "ok":
                break
            if not state.output.completion.strip():
                state.messages.pop()  # endpoints refuse messages that say nothing
            state.messages.append(ChatMessageUser(content=_complaint(parsed, state)))
            state = await generate(state)
        return state

    return solve


@scorer(metrics=[grouped(accuracy(), "tier"), stderr(cluster="card")])
def chosen_card() -> Scorer:
    """Score the card that a reply names: right, wrong or no answer."""

    async def score(state: TaskState, target: Target) -> Score:
        return scored(read(state.output), target.text)

    return score


def scored(parsed: Parsed[str], target: str) -> Score:
    """Return the score of what was read."""
    if parsed.status != "ok":
        return Score(value=NOANSWER, explanation=f"{parsed.status}: {parsed.problem}")
    right = parsed.value == target
    return Score(value=CORRECT if right else INCORRECT, answer=parsed.value)


def read(output: ModelOutput) -> Parsed[str]:
    """Read the letter of a reply, and why there is none."""
    if output.error:
        return Parsed(None, "error", PROBLEMS["error"])
    return _choice(output.completion, finish=FINISHES.get(output.stop_reason, "stop"))


def _complaint(parsed: Parsed[str], state: TaskState) -> str:
    again = phrases.AGAIN[WORDING.paraphrase]
    return again.format(problem=parsed.problem, form=state.metadata["form"])
