"""Two sides and a judge: MAD, in which one must disagree, and DMPL, in which each is assigned.

DMPL needs two answers to defend; of more options, one call names the two likeliest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dixitlib.panel.agents import Speaker
from dixitlib.panel.baselines import words
from dixitlib.panel.baselines.votes import status
from dixitlib.panel.claims import confidence, last
from dixitlib.panel.debate import Decision
from dixitlib.panel.prompts import asked, shown
from dixitlib.panel.reading import chosen
from dixitlib.panel.said import Question, Turn


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a judge who only heard the debate chose, and how sure it says it is."""

    turn: Turn
    confidence: float


def mad(
    question: Question, sides: tuple[Speaker, Speaker], judge: Speaker, rounds: int = 3
) -> Decision:
    """Let one side answer and the other disagree, until the judge decides (MAD).

    After each round the judge may decide; after the last it must.

    Parameters
    ----------
    question
        What is asked.
    sides
        Who answers first, and who must disagree.
    judge
        Who moderates and decides.
    rounds
        Most rounds.
    """
    turns: list[Turn] = []
    for number in range(rounds):
        first, second = (words.FIRST, words.DISAGREE) if number == 0 else (words.REPLY,) * 2
        turns.append(_speak(sides[0], question, turns, first))
        turns.append(_speak(sides[1], question, turns, second))
        turns.append(_moderate(judge, question, turns))
        if turns[-1].choice is not None:
            return _decided("MAD", turns, number)
    turns.append(_speak(judge, question, turns, words.LAST_WORD))
    return _decided("MAD", turns, rounds - 1)


def dmpl(
    question: Question,
    nominator: Speaker,
    debaters: tuple[Speaker, Speaker],
    judge: Speaker,
    rounds: int = 3,
) -> Decision:
    """Let two debaters each defend one answer before a judge who sees no picture (DMPL).

    The debate is held twice, the second time with positions swapped. Where the judge is not
    of one mind, the decision of which it was more confident stands, and at equal confidence
    the likelier nomination.

    Parameters
    ----------
    question
        What is asked.
    nominator
        Who names the two answers to be defended.
    debaters
        Who defends the first and the second; both speak at once in each round.
    judge
        Who decides by the debate alone.
    rounds
        Rounds of each debate.
    """
    nominated, turns = _nominated(question, nominator)
    if not nominated:
        return Decision("DMPL", None, status(None, turns), (), tuple(turns))
    judged = []
    for pair in (nominated, nominated[::-1]):
        debate = _debate(question, pair, debaters, rounds)
        judged.append(_judge(question, pair, judge, debate))
        turns += [*debate, judged[-1].turn]
    return _agreed(question, nominated, judged, turns, rounds)


def _speak(speaker: Speaker, question: Question, turns: Sequence[Turn], task: str) -> Turn:
    if not turns:
        return speaker.choose(words.opening(question, task), question)
    return speaker.choose(words.following(question, words.transcript(turns), task), question)


def _moderate(judge: Speaker, question: Question, turns: Sequence[Turn]) -> Turn:
    """Ask the judge whether the debate is decided; only then its turn has a choice."""
    parts = (*shown(question), words.transcript(turns), words.MODERATE)
    reply, turn = judge.ask(parts, repeat=question.repeat)
    if turn.status == "ok" and last(reply.text or "", "decided", bool):
        return chosen(reply, turn, question)
    return turn


def _decided(framework: str, turns: Sequence[Turn], rounds: int) -> Decision:
    choice = turns[-1].choice
    return Decision(framework, choice, status(choice, turns[-1:]), (), tuple(turns), rounds)


def _nominated(question: Question, nominator: Speaker) -> tuple[tuple[str, str] | None, list[Turn]]:
    """Return the two answers to be defended, asking for them if there are more."""
    if len(question.labels) == 2:
        return (question.labels[0], question.labels[1]), []
    reply, turn = nominator.ask((*shown(question), words.NOMINATE), repeat=question.repeat)
    named = last(reply.text or "", "candidates", list) or []
    pair = tuple(dict.fromkeys(each for each in named if each in question.labels))
    if len(pair) != 2:
        return None, [replace(turn, status="unparsed") if turn.status == "ok" else turn]
    return pair, [turn]


def _debate(
    question: Question, pair: tuple[str, str], debaters: tuple[Speaker, Speaker], rounds: int
) -> list[Turn]:
    """Return the turns of a debate; in a round neither hears what the other is just saying."""
    turns: list[Turn] = []
    for _ in range(rounds):
        heard = words.transcript(turns)
        for debater, (label, other) in zip(debaters, (pair, pair[::-1]), strict=True):
            task = words.DEFEND.format(label=label, other=other)
            parts = (*shown(question), heard, task)
            _, turn = debater.ask(parts, repeat=question.repeat)
            turns.append(replace(turn, choice=label))
    return turns


def _judge(
    question: Question, pair: tuple[str, str], judge: Speaker, debate: Sequence[Turn]
) -> _Judged:
    first, second = (words.named(question, label) for label in pair)
    task = words.JUDGE_DEBATE.format(asked=asked(question), first=first, second=second)
    parts = (task, words.transcript(debate), words.JUDGED)
    reply, turn = judge.ask(parts, repeat=question.repeat)
    two = replace(question, options={label: question.options[label] for label in pair})
    return _Judged(chosen(reply, turn, two), _confidence(reply.text or ""))


def _confidence(text: str) -> float:
    """Return the confidence that a judge states, or the least that a choice of two can have."""
    stated = last(text, "confidence", object)
    try:
        return confidence(stated)
    except ValueError:
        return 0.5


def _agreed(
    question: Question,
    nominated: tuple[str, str],
    judged: Sequence[_Judged],
    turns: Sequence[Turn],
    rounds: int,
) -> Decision:
    """Return the answer that the judge gave with more confidence over both debates."""
    trust = dict.fromkeys(nominated, 0.0)
    for each in judged:
        if each.turn.choice is not None:
            trust[each.turn.choice] += each.confidence
    cast = sum(trust.values())
    choice = max(trust, key=trust.__getitem__) if cast else None
    shares = tuple(trust.get(label, 0.0) / cast for label in question.labels) if cast else ()
    said = status(choice, [each.turn for each in judged])
    return Decision("DMPL", choice, said, shares, tuple(turns), rounds)
