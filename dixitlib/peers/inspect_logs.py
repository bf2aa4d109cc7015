"""Runs as logs of Inspect: one file a player, which ``inspect view`` opens.

``python -m dixitlib.peers.inspect_logs RUN FOLDER`` writes what every player of a run of
the home answered to DixitBench when asked directly. A sample shows what was asked and what
was said: a model's last reply as it came, of a local player its choice in the same form.
Nothing is asked again and no time is made up: a run keeps none, so every log is of 1970.
"""

from __future__ import annotations

import argparse
import json
import uuid
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from inspect_ai.dataset import Sample
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score

from dixitlib import paths, store
from dixitlib.models import replies
from dixitlib.peers.exam import LETTERS, Exam, from_home
from dixitlib.peers.inspect_samples import samples
from dixitlib.records import Answer, Item

LONGEST = 192  # pixels; a log is looked at, and holds six pictures a sample
NO_TIME = "1970-01-01T00:00:00+00:00"
SCORER = "chosen_card"
_NAMESPACE = uuid.UUID("b1d6c0de-52f4-5d0b-8a53-6a6d5e0f7a11")  # drawn once; any would do


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m dixitlib.peers.inspect_logs")
    parser.add_argument("run", help="a run of the home")
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args(arguments)
    for path in write(paths.data("runs", asked.run), from_home(), asked.folder):
        print(path)


def write(run: Path, exam: Exam, folder: Path, longest: int = LONGEST) -> list[Path]:
    """Write a log for each player that sat the exam in a run.

    Parameters
    ----------
    run
        The run's folder.
    exam
        What was sat.
    folder
        Made if need be. Files are called ``PLAYER.eval``.
    longest
        Pixels of a picture's longer side.

    Raises
    ------
    ValueError
        If nobody sat it, or answers are to items that the exam lacks.
    """
    answers = _answers(run, exam)
    said = {kept.key: kept.reply.text or "" for kept in replies.read(run / "replies")}
    asked = {sample.id: sample for sample in samples(exam, longest)}
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for player, given in groupby(answers, key=lambda answer: answer.player):
        log = log_of(run.name, player, list(given), exam, asked, said)
        written.append(folder / f"{player}.eval")
        write_eval_log(log, str(written[-1]), format="eval")
    return written


def log_of(
    run: str,
    player: str,
    answers: Sequence[Answer],
    exam: Exam,
    asked: Mapping[str, Sample],
    said: Mapping[str, str],
) -> EvalLog:
    """Return the log of one player.

    Parameters
    ----------
    run, player, answers
        Who answered what, in which run.
    exam
        What was sat.
    asked
        The samples by item.
    said
        Texts of replies by key.
    """
    named = {item.id: item for item in exam.items}
    done = [_sample(player, a, named[a.item], asked[a.item], said) for a in answers]
    spec = EvalSpec(
        created=NO_TIME,
        eval_id=_id(run, player, "eval"),
        run_id=_id(run),
        task_id=_id(run, player),
        task="dixitbench",
        dataset=EvalDataset(name="dixitbench", samples=len(done), sample_ids=[s.id for s in done]),
        model=f"dixitlib/{player}",
        config=EvalConfig(),
        metadata={"run": run, "canary": exam.canary},
    )
    results = EvalResults(
        total_samples=len(done), completed_samples=len(done), scores=[_totals(answers)]
    )
    return EvalLog(eval=spec, status="success", results=results, samples=done)


def _answers(run: Path, exam: Exam) -> list[Answer]:
    """Return the direct answers to items as they are, player by player."""
    found = [a for a in store.iter_answers(run) if (a.method, a.control) == ("direct", "own")]
    if not found:
        raise ValueError(f"nobody sat DixitBench in {run}: play it first")
    if foreign := sorted({a.item for a in found} - {item.id for item in exam.items}):
        raise ValueError(f"{run} has answers to items of another benchmark: {', '.join(foreign)}")
    return sorted(found, key=lambda answer: answer.player)  # stable: items stay in order


def _sample(
    player: str, answer: Answer, item: Item, asked: Sample, said: Mapping[str, str]
) -> EvalSample:
    text = _text(answer, item, said)
    return EvalSample(
        id=item.id,
        epoch=1,
        uuid=_id(player, item.id),
        input=asked.input,
        choices=asked.choices,
        target=asked.target,
        messages=[*asked.input, ChatMessageAssistant(content=text)],
        output=ModelOutput.from_content(f"dixitlib/{player}", text),
        scores={SCORER: _score(answer, item)},
        metadata=dict(asked.metadata) | {"scores": list(answer.scores)},
    )


def _text(answer: Answer, item: Item, said: Mapping[str, str]) -> str:
    if answer.replies:
        return said.get(answer.replies[-1], "")
    return json.dumps({"choice": LETTERS[item.options.index(answer.choice)]})


def _score(answer: Answer, item: Item) -> Score:
    if answer.status != "ok":
        return Score(value=NOANSWER, explanation=answer.status)
    chosen = LETTERS[item.options.index(answer.choice)]
    return Score(value=CORRECT if answer.credit == 1 else INCORRECT, answer=chosen)


def _totals(answers: Sequence[Answer]) -> EvalScore:
    """Return the accuracy in all and by tier, in which no answer earns nothing."""
    by_tier: dict[str, list[Answer]] = {"accuracy": list(answers)}
    for answer in answers:
        by_tier.setdefault(answer.tier, []).append(answer)
    shares = {name: _share(part) for name, part in by_tier.items()}
    metrics = {name: EvalMetric(name=name, value=value) for name, value in shares.items()}
    return EvalScore(name=SCORER, scorer=SCORER, metrics=metrics)


def _share(answers: Sequence[Answer]) -> float:
    return round(sum(answer.credit or 0.0 for answer in answers) / len(answers), 6)


def _id(*names: str) -> str:
    """Return a name that Inspect can use, the same each time."""
    return uuid.uuid5(_NAMESPACE, "/".join(names)).hex[:22]


if __name__ == "__main__":
    main()
