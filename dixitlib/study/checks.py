"""What a params file may not say, in clear words. Every fault is named, not only the first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from dixitlib.game.rules import PRESETS

if TYPE_CHECKING:
    from dixitlib.study.params import Params

METHODS = ("direct", "entailment", "circular", "rate_together", "choose_alone")
CONTROLS = ("own", "none", "permuted")
BASES = ("clue", "literal", "image")
SIZES = ("s", "m", "l")
SWEPT = ("beta", "theta_u", "theta_c", "alpha", "max_rounds", "converged")
SET = ("beta", "theta_u", "theta_c", "converged", "stagnated", "max_rounds", "low")
ENCODINGS = ("jpeg", "png")
PARAPHRASES = (0, 1, 2)
ALPHABETS = ("letters", "numbers")
EXECUTORS = ("threads", "dask")
TWO_BLOCKS = 12  # items: each of a block takes the clue of one of the other
NUMBERS = {"int": (int, "a whole number"), "float": (int | float, "a number")}
ABOVE_ZERO = {
    "concurrency", "longest", "max_bytes", "quality", "requests_per_minute", "timeout",
    "tokens_per_minute", "tries",
}  # fmt: skip

SECRET_NAME = re.compile(
    r"(?:extra_)?headers?|(?:.*[-_.])?(?:api[-_.]?key|key|authorization|secret|password)", re.I
)
SECRET_VALUE = re.compile(r"(?:sk-|Bearer\s)", re.I)
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
NO_KEY_HERE = (
    "a key never stands in a file: put it into an environment variable and its name into key_env"
)


class ParamsError(ValueError):
    """A params file can't be played; the message names every reason."""


def of_shape(
    content: object,
    shape: type,
    parts: Mapping[str, type],
    named: Mapping[str, type],
    inner: Mapping[str, type],
) -> list[str]:
    """Return what is unknown, missing or no number, in the file and each of its sections.

    Parameters
    ----------
    content
        The file as YAML gives it.
    shape
        The dataclass of the whole file.
    parts, named, inner
        The dataclasses of sections, of entries in sections of names, and of what is inside
        such an entry.
    """
    faults = _names(content, shape, "")
    if not isinstance(content, Mapping):
        return faults
    for part in parts.keys() & content.keys():
        faults += _names(content[part], parts[part], f"{part}: ")
    for section in named.keys() & content.keys():
        faults += _entries(content[section], named[section], section, inner)
    return sorted(faults)


def of_choices(params: Params, stem: str) -> list[str]:
    """Return every choice that is not on offer, and every key that stands in the file."""
    models = params.models.values()
    again, spoken = params.sensitivity, params.model_panel
    offered = [
        ("arena: preset", (params.arena.preset,), PRESETS),
        ("bench: basis", (params.bench.basis,), BASES),
        ("bench: methods", params.bench.methods, METHODS),
        ("bench: controls", params.bench.controls, CONTROLS),
        ("people: run", [params.people.run] if params.people else (), params.arena.tables),
        ("sensitivity: run", [again.run] if again else (), params.arena.tables),
        ("sensitivity: presets", again.presets if again else (), PRESETS),
        ("panel: sweeps", params.panel.sweeps if params.panel else (), SWEPT),
        ("model_panel: model", [spoken.model] if spoken else (), params.models),
        ("model_panel: settings", spoken.settings if spoken else (), SET),
        ("model_panel: sweeps", spoken.sweeps if spoken else (), ("alpha", *SET)),
        ("name", (params.name,), (stem,)),
        ("executor", (params.executor,), EXECUTORS),
        ("captions_by", filter(None, [params.captions_by]), params.models),
        ("clues_by", filter(None, [params.clues_by]), params.models),
        ("eyes", params.eyes, params.arena.tables),
        ("eyes: size", [size for sizes in params.eyes.values() for size in sizes], SIZES),
        ("models: endpoint", [model.endpoint for model in models], params.endpoints),
        ("pictures: encoding", [model.pictures.encoding for model in models], ENCODINGS),
        ("wording: paraphrase", [model.wording.paraphrase for model in models], PARAPHRASES),
        ("wording: alphabet", [model.wording.alphabet for model in models], ALPHABETS),
    ]
    faults = [
        f"{where} is {value!r}, not one of {', '.join(map(str, options))}"
        for where, values, options in offered
        for value in values
        if value not in options
    ]
    more = (*_too_few(params), *_paid_again(params), *_elsewhere(params), *_keys(params))
    return [*faults, *more]


def _elsewhere(params: Params) -> Iterator[str]:
    if params.scheduler and params.executor != "dask":
        yield "scheduler: is of no use without executor: dask"


def _entries(
    content: object, shape: type, section: str, inner: Mapping[str, type]
) -> Iterator[str]:
    # What stands here is not repeated in a message: it might be a key.
    if not isinstance(content, Mapping):
        yield f"{section}: expected names, each with settings below it"
        return
    for name, entry in content.items():
        where = f"{section}: {name}: "
        if not isinstance(entry, Mapping):
            yield f"{where}expected settings below it"
            continue
        yield from _names(entry, shape, where)
        for part in inner.keys() & entry.keys() & {each.name for each in fields(shape)}:
            yield from _names(entry[part], inner[part], f"{where}{part}: ")


def _names(content: object, shape: type, where: str) -> list[str]:
    if not isinstance(content, Mapping):
        return [f"{where}expected names with values, found {content!r}"]
    known = {f.name: f for f in fields(shape)}
    unknown = [f"{where}{_unknown(n, list(known))}" for n in content if n not in known]
    needed = [n for n, f in known.items() if f.default is MISSING and f.default_factory is MISSING]
    missing = [f"{where}{n!r} is missing" for n in needed if n not in content]
    wrong = [
        f"{where}{n} is {content[n]!r}, it should be {expected}"
        for n, f in known.items()
        if n in content and (expected := _expected(content[n], f))
    ]
    return unknown + missing + wrong


def _unknown(name: object, known: list[str]) -> str:
    if SECRET_NAME.fullmatch(str(name)):
        return f"unknown {name!r}: {NO_KEY_HERE}"
    return f"unknown {name!r} (known: {', '.join(known)})"


def _expected(value: object, field: Field) -> str:
    """Return in words what a number should be, unless it is that."""
    kind = str(field.type).split(" ")[0]
    if kind not in NUMBERS or (value is None and "None" in str(field.type)):
        return ""
    type_, words = NUMBERS[kind]
    if not isinstance(value, type_) or isinstance(value, bool):
        return words
    lowest = "above 0" if field.name in ABOVE_ZERO else "0 or more"
    return "" if value > 0 or (value == 0 and lowest == "0 or more") else lowest


def _too_few(params: Params) -> Iterator[str]:
    bench = params.bench
    permuted = "permuted" in bench.controls and "direct" in bench.methods
    if permuted and bench.per_tier is not None and bench.per_tier < TWO_BLOCKS:
        yield (
            f"bench: per_tier is {bench.per_tier}, which leaves no other card's clue to show "
            f"under the control permuted: take {TWO_BLOCKS} or more, or controls: [own, none]"
        )


def _paid_again(params: Params) -> Iterator[str]:
    again = params.sensitivity
    for name in params.arena.tables.get(again.run, ()) if again else ():
        if name in params.models:
            yield f"sensitivity: {name} is a model, to be paid anew for every tournament"


def _keys(params: Params) -> Iterator[str]:
    for name, endpoint in params.endpoints.items():
        if endpoint.key_env is not None and not VARIABLE.fullmatch(str(endpoint.key_env)):
            yield f"endpoints: {name}: key_env is not the name of a variable; {NO_KEY_HERE}"
        address = urlsplit(str(endpoint.url))
        if address.password or any(SECRET_NAME.fullmatch(n) for n, _ in parse_qsl(address.query)):
            yield f"endpoints: {name}: the url holds a key; {NO_KEY_HERE}"
    for name, model in params.models.items():
        for place in _secrets(model.parameters, "parameters"):
            yield f"models: {name}: {place} looks like a key; {NO_KEY_HERE}"


def _secrets(value: object, place: str) -> Iterator[str]:
    if isinstance(value, str) and SECRET_VALUE.match(value):
        yield place
    inner = value.items() if isinstance(value, Mapping) else ()
    inner = enumerate(value) if isinstance(value, list | tuple) else inner
    for name, each in inner:
        if SECRET_NAME.fullmatch(str(name)):
            yield f"{place}.{name}"
        else:
            yield from _secrets(each, f"{place}.{name}")
