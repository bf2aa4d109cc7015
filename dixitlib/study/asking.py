"""From a params file to the models that it names, and to players who ask them.

Imported only where a file names models: the client library takes a second to load, which
local runs and their tests need not wait for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass

from dixitlib import paths
from dixitlib.game import rules
from dixitlib.models import prices
from dixitlib.models.endpoint import Endpoint
from dixitlib.models.limits import Backoff
from dixitlib.models.loopback import Loopback
from dixitlib.models.openai_api import OpenAIModel
from dixitlib.models.pictures import Pictures
from dixitlib.models.prices import Budget, Price
from dixitlib.models.replies import Recorded, ReplyLog
from dixitlib.players.prompts import Wording
from dixitlib.players.vlm import VLM
from dixitlib.study import scripts
from dixitlib.study.calls import stated_rules
from dixitlib.study.params import EndpointParams, ModelParams, Params

LOOPBACK = "loopback:"


@dataclass(frozen=True)
class Asking:
    """What all runs of a params file share in asking models.

    Parameters
    ----------
    params
        Who is asked and how their questions are put.
    models
        The models by their names in the file.
    prices
        The price table.
    budget
        What all runs may spend together.
    """

    params: Params
    models: Mapping[str, OpenAIModel]
    prices: Mapping[str, Price]
    budget: Budget

    def player(self, name: str, log: ReplyLog) -> VLM:
        """Return the player of a name, whose replies are kept in a run's log."""
        asked, model = self.params.models[name], self.models[name]
        recorded = Recorded(model, log, self.budget, self.price(name), name)
        stated = stated_rules(rules.PRESETS[self.params.arena.preset])
        return VLM(recorded, stated, Wording(**asdict(asked.wording)), asked.reasks, name)

    def price(self, name: str) -> Price | None:
        """Return what the price table says of a model; None if it says nothing."""
        return self.prices.get(self.models[name].name)

    def describe(self, name: str) -> dict[str, object]:
        """Return what a manifest says of a model: all that decides its replies, and no secret."""
        asked = self.params.models[name]
        wording = {"wording": asdict(asked.wording), "reasks": asked.reasks}
        return {**self.models[name].identity, **wording}

    def share(self, among: int) -> None:
        """Share what endpoints allow out among so many workers, before players travel.

        Raises
        ------
        ValueError
            If there is less than a call for each; all such endpoints are named.
        """
        endpoints = {id(model.endpoint): model.endpoint for model in self.models.values()}.values()
        if small := [f"{e.address} allows {e.most:g}" for e in endpoints if e.most < among]:
            raise ValueError(
                f"{among} workers can't share so few calls: {', '.join(small)}; take fewer "
                "workers, or raise concurrency and requests_per_minute if the endpoint lets you"
            )
        for endpoint in endpoints:
            endpoint.among = among

    def adapt(self, found: Mapping[str, Mapping[str, str]]) -> None:
        """Take over what models have adapted to elsewhere."""
        for name, steps in found.items():
            if steps:
                self.models[name].adapted = steps

    def account(self, log: ReplyLog, names: tuple[str, ...]) -> dict[str, object]:
        """Return what became of a run's calls: money, adapted parameters, who served."""
        log.catch_up()
        return {
            "possibly_paid_twice": log.unanswered,
            "models": {name: self._account(log, name) for name in names},
        }

    def _account(self, log: ReplyLog, name: str) -> dict[str, object]:
        model, said = self.models[name], log.of(name)
        costs = [prices.cost(reply, self.prices.get(model.name)) for reply in said]
        known = [usd for usd in costs if usd is not None]
        served = Counter(f"{r.served_by or 'not said'}: {r.served_model}" for r in said if r.text)
        return {
            "usd": round(sum(known), 6),
            "calls": len(said),
            "calls_of_unknown_cost": len(costs) - len(known),
            "adapted": dict(model.adapted),
            "served_by": dict(sorted(served.items())),
        }


@contextmanager
def opened(params: Params, adapted: Mapping[str, Mapping[str, str]]) -> Iterator[Asking]:
    """Make the models of a params file; connections are closed at the end of the block.

    Parameters
    ----------
    params
        The file.
    adapted
        By model, the parameters that its endpoint was found to reject in an earlier run.
    """
    with ExitStack() as stack:
        endpoints = {name: _endpoint(e, stack) for name, e in params.endpoints.items()}
        pictures = {m.pictures: Pictures(**asdict(m.pictures)) for m in params.models.values()}
        models = {
            name: OpenAIModel(
                asked.id or name,
                endpoints[asked.endpoint],
                requested(asked),
                pictures[asked.pictures],
                adapted.get(name, {}),
            )
            for name, asked in params.models.items()
        }
        table = prices.load(paths.home() / params.prices)
        yield Asking(params, models, table, Budget(params.max_usd))


def requested(asked: ModelParams) -> dict[str, object]:
    """Return the parameters of a model's requests, its provider pinned if one is named."""
    if asked.provider is None:
        return dict(asked.parameters)
    pinned = {"order": [asked.provider], "allow_fallbacks": False}
    return {**asked.parameters, "provider": {**asked.parameters.get("provider", {}), **pinned}}


def _endpoint(asked: EndpointParams, stack: ExitStack) -> Endpoint:
    url, known_as = asked.url, ""
    if url.startswith(LOOPBACK):
        answer = scripts.make(url.removeprefix(LOOPBACK))
        url, known_as = stack.enter_context(Loopback(answer)).url, asked.url
    endpoint = Endpoint(
        url,
        asked.key_env,
        asked.requests_per_minute,
        asked.tokens_per_minute,
        asked.concurrency,
        asked.timeout,
        asked.max_bytes,
        Backoff(asked.tries, asked.wait, patience=asked.patience),
        known_as,
    )
    stack.callback(endpoint.close)
    return endpoint
