"""What became of what was asked: calls, what went wrong in them, and how much was played.

A failed reply is never an answer. It stays in the count of what was asked, so a model that
answers only what it likes shows a low coverage beside its accuracy.
"""

from __future__ import annotations

import pandas as pd

STATUSES = ("ok", "unparsed", "refused", "empty", "truncated", "error")


def calls(replies: pd.DataFrame) -> pd.DataFrame:
    """Return what each model's calls took.

    Parameters
    ----------
    replies
        One row a reply, as `store.read_replies` gives them.

    Returns
    -------
    DataFrame
        model; calls; attempts (with those that were made again); tokens_in, tokens_out
        (sums of what was counted); uncounted (calls whose tokens nobody counted).
    """
    known = replies.assign(attempts=1 + _faults_of(replies), uncounted=replies["tokens_in"].isna())
    grouped = known.groupby("model", sort=False)
    sums = grouped[["attempts", "tokens_in", "tokens_out", "uncounted"]].sum().astype("int64")
    sums.insert(0, "calls", grouped.size())
    return sums.reset_index()


def faults(replies: pd.DataFrame) -> pd.DataFrame:
    """Return how many attempts failed and were made again, by model and kind of fault.

    Returns
    -------
    DataFrame
        model, fault, attempts; share of all of the model's attempts.
    """
    kinds = replies[["model", "faults"]].assign(fault=replies["faults"].str.split(";"))
    kinds = kinds.explode("fault").query("fault != ''")
    parts = kinds["fault"].str.rsplit(":", n=1, expand=True).reindex(columns=[0, 1])
    counted = kinds.assign(fault=parts[0], attempts=parts[1].astype("int64"))
    frame = counted.groupby(["model", "fault"])["attempts"].sum().reset_index()
    attempts = calls(replies).set_index("model")["attempts"].reindex(frame["model"])
    return frame.assign(share=frame["attempts"] / attempts.to_numpy())


def served(replies: pd.DataFrame) -> pd.DataFrame:
    """Return who served each model: model, served_by, served_model, replies, share."""
    named = replies.fillna({"served_by": "not said", "served_model": "not said"})
    frame = named.groupby(["model", "served_by", "served_model"]).size().rename("replies")
    frame = frame.reset_index()
    return frame.assign(share=frame["replies"] / frame.groupby("model")["replies"].transform("sum"))


def played(rounds: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Return how much of what was asked was answered, and what became of the rest.

    Parameters
    ----------
    rounds, answers
        As `store` gives them; a round is void if any of its moves failed.

    Returns
    -------
    DataFrame
        player (the storyteller of a round), asked_for (``arena`` or the method), asked, played
        (share with an answer), and the number of each status.
    """
    told = rounds[["storyteller", "status"]].set_axis(["player", "status"], axis="columns")
    both = [told.assign(asked_for="arena")]
    both.append(answers[["player", "status"]].assign(asked_for=answers["method"]))
    known = pd.concat(both, ignore_index=True)
    keys = ["player", "asked_for"]
    marks = {status: (known["status"] == status).astype("int64") for status in STATUSES}
    counts = known[keys].assign(**marks).groupby(keys, sort=False).sum()
    asked = counts.sum(axis="columns")
    counts.insert(0, "asked", asked)
    counts.insert(1, "played", counts["ok"] / asked)
    return counts.reset_index()


def _faults_of(replies: pd.DataFrame) -> pd.Series:
    """Return how many attempts failed before each reply."""
    numbers = replies["faults"].str.findall(r":(\d+)(?:;|$)")
    return numbers.map(lambda found: sum(map(int, found))).astype("int64")
