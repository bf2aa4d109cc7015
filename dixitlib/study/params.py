"""What a params file may say.

A params file is YAML with the fields of `Params`; `notebooks/params/offline.yaml` shows
what is played, `notebooks/params/openrouter.yaml` how models are named. What it may not
say stands in `checks`: unknown and missing names are refused, since a misspelt setting
that is silently ignored would be believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from dixitlib.game.rules import PRESETS
from dixitlib.panel.uncertainty import OFFSET, K, Scale
from dixitlib.study import checks
from dixitlib.study.checks import ParamsError


@dataclass(frozen=True)
class DeckParams:
    """Which cards: a folder of the home, and how many to paint into it if it has none."""

    folder: str
    painted: int = 0


@dataclass(frozen=True)
class ArenaParams:
    """Which round robins: the preset, and for each run the players at its tables."""

    tables: Mapping[str, tuple[str, ...]]
    preset: str = "CORRECTED"


@dataclass(frozen=True)
class BenchParams:
    """Who sits DixitBench, how they are asked, and in which run the answers stand.

    `per_tier` asks only the first so many items of each tier, for a look before a long run.
    """

    run: str
    players: tuple[str, ...]
    basis: str = "clue"
    methods: tuple[str, ...] = ("direct",)
    controls: tuple[str, ...] = checks.CONTROLS
    per_tier: int | None = None


@dataclass(frozen=True)
class EndpointParams:
    """Where models are asked, and what is allowed there; see `models.endpoint.Endpoint`.

    `key_env` names the environment variable that holds the key. `tries`, `wait` and
    `patience` are those of `models.limits.Backoff`, in seconds.
    """

    url: str
    key_env: str | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int = 16
    timeout: float = 120.0
    max_bytes: int = 20_000_000
    tries: int = 6
    wait: float = 1.0
    patience: float = 120.0


@dataclass(frozen=True)
class PicturesParams:
    """How cards are sent; see `models.pictures.Pictures`."""

    longest: int = 768
    encoding: Literal["jpeg", "png"] = "jpeg"
    quality: int = 90


@dataclass(frozen=True)
class WordingParams:
    """How questions are put; see `players.prompts.Wording`."""

    paraphrase: int = 0
    alphabet: Literal["letters", "numbers"] = "letters"


@dataclass(frozen=True)
class ModelParams:
    """One model that plays.

    Parameters
    ----------
    endpoint
        One of the file's endpoints.
    id
        What the endpoint calls it, and the price table; by default its name in the file.
    parameters
        What is requested besides words and pictures, such as ``temperature``.
    provider
        The one provider that shall serve it at OpenRouter.
    reasks
        How often it is told what was wrong with a reply.
    """

    endpoint: str
    id: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    provider: str | None = None
    reasks: int = 2
    pictures: PicturesParams = PicturesParams()
    wording: WordingParams = WordingParams()


@dataclass(frozen=True)
class CounterfactualParams:
    """Who votes on whose clues over the same tables, and in which run's folder that stands.

    Every card is the target of one table; `tables` takes only the first so many.
    """

    run: str
    storytellers: tuple[str, ...]
    listeners: tuple[str, ...]
    tables: int | None = None


@dataclass(frozen=True)
class SensitivityParams:
    """How often a run's table plays again, to see what seeds and presets do to a result.

    The first preset is played with `seeds` other seeds, each of the others with the first
    `paired` of them. All players must be local: models would have to be paid for each.
    """

    run: str
    seeds: int = 20
    paired: int = 4
    presets: tuple[str, ...] = tuple(PRESETS)


@dataclass(frozen=True)
class PeopleParams:
    """What people are shown: a study's cases from a run, and items of DixitBench.

    `players`, all local, listen to the same cases, and simulate the raters of whom the
    analysis is tried before there are people.
    """

    study: str
    run: str
    players: tuple[str, ...]
    cases: int = 120
    items: int = 20


@dataclass(frozen=True)
class PanelParams:
    """How the panel of local experts is set, and what it is compared with; see `panels`.

    `trigger` is the share of calibration items whose debate the thresholds are set for. In
    one match the panel listens to `opponent`, while `teller` tells and lays in its place.
    `sweeps` are the values that the controller's parameters take, one at a time.
    """

    run: str
    teller: str
    opponent: str
    trigger: float = 0.7
    sweeps: Mapping[str, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class ModelPanelParams:
    """A panel of one model in several roles, and what it is compared with; see `model_panel`.

    Parameters
    ----------
    run, model
        Where it goes, and which of the file's models speaks.
    teller, opponent
        Local players of the match in which it listens, as in `PanelParams`.
    per_tier
        Asks only the first so many items of each tier.
    settings
        Of the controller, where they are not the paper's; see `panel.gam.Settings`.
    sweeps
        As in `PanelParams`; each value is paid for.
    alternatives, k, offset
        How uncertainty is read from tokens, and from words where none are told; a run
        writes the k and offset that would have fitted it into its scales.
    """

    run: str
    model: str
    teller: str
    opponent: str
    per_tier: int | None = None
    settings: Mapping[str, float] = field(default_factory=dict)
    sweeps: Mapping[str, Sequence[float]] = field(default_factory=dict)
    alternatives: int = 5
    k: float = K
    offset: float = OFFSET

    @property
    def scale(self) -> Scale:
        """How uncertainty is measured."""
        return Scale(alternatives=self.alternatives, k=self.k, offset=self.offset)


@dataclass(frozen=True)
class Params:
    """One params file.

    Parameters
    ----------
    endpoints, models
        Models to be asked, by the names under which they play.
    captions_by, clues_by
        The model that writes each card's literal caption, and the one that writes the
        abstract caption which is its clue in DixitBench. Without them captions are the
        deck's own, and clues are assigned from the bank by the text encoder.
    prices
        The price table, in the home.
    max_usd
        What all runs of the file may cost together.
    eyes
        For each run whose storytellers are to be studied, the local eyes (s, m, l) in which
        the clues that they told, and passed over, are measured; see `fits`.
    workers
        Threads, or processes of a cluster that is started here; of models, calls at a time.
    executor, scheduler
        ``threads``, or ``dask`` for a cluster: that of the scheduler's address, or one on
        this machine; see `away`.
    also
        Names of params files beside this one that are played after it.
    """

    name: str
    deck: DeckParams
    clues: str
    arena: ArenaParams
    bench: BenchParams
    endpoints: Mapping[str, EndpointParams] = field(default_factory=dict)
    models: Mapping[str, ModelParams] = field(default_factory=dict)
    captions_by: str | None = None
    clues_by: str | None = None
    prices: str = "data/prices.yaml"
    max_usd: float | None = None
    counterfactual: CounterfactualParams | None = None
    eyes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    people: PeopleParams | None = None
    sensitivity: SensitivityParams | None = None
    panel: PanelParams | None = None
    model_panel: ModelPanelParams | None = None
    seed: int = 42
    workers: int = 1
    executor: Literal["threads", "dask"] = "threads"
    scheduler: str | None = None
    also: tuple[str, ...] = ()
    notebooks: Mapping[str, Any] = field(default_factory=dict)

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs that the file plays, in order."""
        more = (self.counterfactual.run,) if self.counterfactual else ()
        return tuple(dict.fromkeys((*self.arena.tables, self.bench.run, *more)))

    def seated(self, run: str) -> tuple[str, ...]:
        """Return who plays in a run: in the arena, at the benchmark, over the same tables."""
        bench = self.bench.players if run == self.bench.run else ()
        crossed = self.crossed(run)
        more = (*crossed.storytellers, *crossed.listeners) if crossed else ()
        return tuple(dict.fromkeys((*self.arena.tables.get(run, ()), *bench, *more)))

    def crossed(self, run: str) -> CounterfactualParams | None:
        """Return what a run's counterfactual tables are, if it has any."""
        asked = self.counterfactual
        return asked if asked and asked.run == run else None

    @property
    def bench_name(self) -> str:
        """Folder of data/bench and data/clues; none for the committed deck and its clues."""
        own = self.captions_by or self.clues_by or self.deck.folder != "data/cards"
        return self.name if own else ""


PARTS = {
    "deck": DeckParams,
    "arena": ArenaParams,
    "bench": BenchParams,
    "counterfactual": CounterfactualParams,
    "people": PeopleParams,
    "sensitivity": SensitivityParams,
    "panel": PanelParams,
    "model_panel": ModelPanelParams,
}
NAMED = {"endpoints": EndpointParams, "models": ModelParams}
INNER = {"pictures": PicturesParams, "wording": WordingParams}


def read(path: Path) -> Params:
    """Read a params file.

    Raises
    ------
    ParamsError
        If it is no YAML file, a name is unknown or missing, a choice is none of those
        offered, or a key stands where the name of its environment variable should; every
        fault is named.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ParamsError(f"{path} can't be read as a params file: {error}") from error
    faults = checks.of_shape(content, Params, PARTS, NAMED, INNER)
    if not faults:
        params = _made(content)
        faults = checks.of_choices(params, path.stem)
    if faults:
        raise ParamsError(f"{path.name} can't be played: " + "; ".join(faults))
    return params


def with_others(path: Path) -> list[Params]:
    """Read a params file and those that it names to be played after it.

    Raises
    ------
    ParamsError
        If one of them is wrong, or missing.
    """
    first = read(path)
    return [first, *(read(path.with_name(f"{name}.yaml")) for name in first.also)]


def _made(content: Mapping[str, Any]) -> Params:
    given = {part: shape for part, shape in PARTS.items() if part in content}
    parts = {part: shape(**_frozen(content[part])) for part, shape in given.items()}
    for section, shape in NAMED.items():
        entries = content.get(section, {})
        parts[section] = {name: shape(**_frozen(each)) for name, each in entries.items()}
    return Params(**(_frozen(content) | parts))


def _frozen(content: Mapping[str, Any]) -> dict[str, Any]:
    inner = {name: INNER[name](**content[name]) for name in INNER if name in content}
    return {k: tuple(v) if isinstance(v, list) else v for k, v in content.items()} | inner
