"""Any model behind an OpenAI-compatible endpoint: OpenRouter, OpenAI, vLLM, Ollama, LM Studio.

One call is one or more attempts: there is one layer of retries, here, and the client's own
is switched off. Whatever happens, a call ends in a `Reply` that says what became of it, or,
if no call to this endpoint can succeed, in an `EndpointUnusable` that says what to mend.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from dixitlib.models import adapting, faults, wire
from dixitlib.models.base import Message, Schema
from dixitlib.models.connection import NoResponse, Response, TooLate
from dixitlib.models.endpoint import Endpoint
from dixitlib.models.faults import EndpointUnusable, Fault, PayloadTooLarge
from dixitlib.models.pictures import Pictures
from dixitlib.records import Reply


class UnpinnedProvider(UserWarning):
    """OpenRouter may serve the same model from different providers in one run."""


@dataclass
class OpenAIModel:
    """One model behind an endpoint.

    Parameters
    ----------
    name
        The model's id at the endpoint.
    endpoint
        Where it is asked.
    parameters
        What to request besides messages and schema: ``temperature``, ``max_tokens``,
        ``seed``, ``logprobs``, or for OpenRouter ``provider`` with ``order``,
        ``allow_fallbacks`` and ``require_parameters``.
    pictures
        How cards are encoded; models that share it encode each card once together.
    adapted
        Parameters known to be rejected, as an earlier run's `adapted` tells.
    """

    name: str
    endpoint: Endpoint
    parameters: Mapping[str, object] = field(default_factory=dict)
    pictures: Pictures = field(default_factory=Pictures)
    adapted: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        if self.endpoint.is_openrouter and not _pinned(self.parameters.get("provider")):
            warnings.warn(
                f"{self.name}: no provider is pinned, so that answers may come from differently "
                "quantised copies of the model; set provider.order and allow_fallbacks: false",
                UnpinnedProvider,
                stacklevel=3,
            )

    def __reduce__(self) -> tuple[object, ...]:
        return OpenAIModel, tuple(getattr(self, each.name) for each in fields(self))

    @property
    def identity(self) -> Mapping[str, object]:
        """What decides a reply besides messages and schema; holds no secret."""
        return {
            "model": self.name,
            "endpoint": self.endpoint.address,
            "parameters": dict(self.parameters),
            "pictures": self.pictures.identity,
        }

    def ask(
        self, messages: Sequence[Message], schema: Schema | None = None, repeat: int = 0
    ) -> Reply:
        """Ask until there is a reply, a fault that will not pass, or no try left.

        Raises
        ------
        EndpointUnusable
            If no call can succeed: no key, no money, no such model.
        PayloadTooLarge
            If the request is larger than the endpoint takes; nothing is sent then.
        """
        met: list[str] = []
        while True:
            steps = self.adapted
            parameters = adapting.sent(self._requested(), schema, steps)
            outcome = self._attempt(messages, parameters)
            if isinstance(outcome, Reply):
                return replace(outcome, faults=tuple(met))
            if self._adapt(outcome, parameters, steps):
                continue
            met.append(outcome.kind)
            if failure := self._failure(outcome, met):
                return failure
            self._back_off(outcome, len(met))

    def _requested(self) -> dict[str, object]:
        usage = {"usage": {"include": True}} if self.endpoint.is_openrouter else {}
        return {**self.parameters, **usage}

    def _check_size(self, size: int) -> None:
        limit = self.endpoint.max_bytes
        if size > limit:
            raise PayloadTooLarge(
                f"a request to {self.name} holds {size:,} bytes, more than the {limit:,} that "
                f"{self.endpoint.address} takes: lower the pictures' longest side (now "
                f"{self.pictures.longest}), send jpeg instead of png, or raise max_bytes"
            )

    def _attempt(
        self, messages: Sequence[Message], parameters: Mapping[str, object]
    ) -> Reply | Fault:
        request = wire.body(self.name, messages, self.pictures, parameters)
        self._check_size(len(request))
        tokens = wire.rough_tokens(messages, self.pictures)
        with self.endpoint.limits.slot(tokens), self.endpoint.connection() as connection:
            try:
                response = connection.post(request)
            except NoResponse as error:
                kind = "timeout" if isinstance(error, TooLate) else "connection"
                return Fault(kind, str(error), retry=True)
        outcome = _read(response)
        if isinstance(outcome, Reply) and outcome.tokens_in is not None:
            spent = outcome.tokens_in + (outcome.tokens_out or 0)
            self.endpoint.limits.correct(spent - tokens)
        return outcome

    def _adapt(
        self, fault: Fault, parameters: Mapping[str, object], steps: Mapping[str, str]
    ) -> bool:
        """Take a step if a parameter was rejected; tell whether to ask again at once."""
        milder = adapting.milder(fault, parameters, steps)
        with self._lock:
            if milder and self.adapted == steps:  # else another call has taken a step meanwhile
                self.adapted = milder
        return milder is not None

    def _failure(self, fault: Fault, met: Sequence[str]) -> Reply | None:
        """Return the reply that tells of a failed call, or None if it is worth another try."""
        problem, backoff = self.endpoint.redacted(fault.message), self.endpoint.backoff
        if fault.lasting:
            raise EndpointUnusable(f"{self.endpoint.address}, {self.name}: {fault.kind}, {problem}")
        if fault.retry and (fault.after or 0.0) > backoff.patience:
            problem = f"told to wait {fault.after:.0f} s, over {backoff.patience:.0f}; {problem}"
        elif fault.retry and len(met) < backoff.tries:
            return None
        return Reply(None, fault.status, faults=tuple(met), problem=problem)

    def _back_off(self, fault: Fault, failures: int) -> None:
        if fault.after:
            self.endpoint.limits.hold(fault.after)
        self.endpoint.limits.sleep(self.endpoint.backoff.wait(failures, fault.after))


def _pinned(provider: object) -> bool:
    if not isinstance(provider, Mapping):
        return False
    only, order = provider.get("only") or (), provider.get("order") or ()
    return len(only) == 1 or (len(order) == 1 and provider.get("allow_fallbacks") is False)


def _read(response: Response) -> Reply | Fault:
    """Return what a response holds: a reply, or what went wrong."""
    text = response.content.decode("utf-8", "replace")
    if not 200 <= response.status < 300:
        return faults.of_status(response.status, text, response.headers)
    body = faults.body_of(text)
    return faults.of_body(body) or wire.reply(body)
