"""Parameters that an endpoint rejects: what to send in their place.

Endpoints differ in what they take. A rejected parameter goes down a ladder of milder forms,
one step a rejection, and stays where it is for the rest of the run. What was done is kept
for the manifest; what was requested stays part of a reply's key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dixitlib.models.base import Schema
from dixitlib.models.faults import Fault

DROPPED = "dropped"
LADDERS: Mapping[str, tuple[str, ...]] = {
    "max_tokens": ("max_completion_tokens", DROPPED),
    "response_format": ("json_object", DROPPED),
    **dict.fromkeys(
        (
            "temperature",
            "top_p",
            "top_k",
            "seed",
            "logprobs",
            "top_logprobs",
            "stop",
            "presence_penalty",
            "frequency_penalty",
            "reasoning_effort",
            "usage",
        ),
        (DROPPED,),
    ),
}
TOGETHER = {"logprobs": "top_logprobs"}
"""A parameter that makes no sense without another one."""

SCHEMA_WORDS = re.compile(
    r"response.?format|json.?schema|structured.?output|json.?object|json.?mode|grammar|guided|"
    r"requested parameters",
    re.IGNORECASE,
)
TOO_MUCH = re.compile(r"too (?:large|long|high|many)|at most|exceed|context length", re.IGNORECASE)


def sent(
    requested: Mapping[str, object], schema: Schema | None, steps: Mapping[str, str]
) -> dict[str, object]:
    """Return the parameters to send, given the steps taken so far."""
    parameters = {
        steps.get(name, name): value
        for name, value in requested.items()
        if steps.get(name) != DROPPED
    }
    step = steps.get("response_format")
    if schema and step != DROPPED:
        parameters["response_format"] = {"type": step} if step else _strict(schema)
    return parameters


def milder(
    fault: Fault, parameters: Mapping[str, object], steps: Mapping[str, str]
) -> Mapping[str, str] | None:
    """Return the steps after a rejection, or None if no parameter can be blamed for it.

    Parameters
    ----------
    fault
        What the endpoint said.
    parameters
        What was sent.
    steps
        The steps that had been taken when it was sent.
    """
    if fault.retry or fault.lasting or TOO_MUCH.search(fault.message):
        return None
    for name, ladder in LADDERS.items():
        step = steps.get(name)
        taken = ladder.index(step) + 1 if step else 0
        spelled = step if step in parameters else name
        if spelled in parameters and taken < len(ladder) and _blamed(spelled, fault):
            also = TOGETHER.get(name)
            together = {also: DROPPED} if also in parameters else {}
            return {**steps, name: ladder[taken], **together}
    return None


def _blamed(name: str, fault: Fault) -> bool:
    if name == "response_format":
        return bool(SCHEMA_WORDS.search(f"{fault.parameter} {fault.message}"))
    if fault.parameter in LADDERS:
        return fault.parameter == name
    return bool(re.search(rf"(?<![\w]){name}(?![\w])", fault.message))


def _strict(schema: Schema) -> dict[str, object]:
    body = {"name": schema.name, "strict": True, "schema": schema.body}
    return {"type": "json_schema", "json_schema": body}
