"""Compare what was made anew with what is committed, and say what differs and by how much.

Three verdicts: the same; rounding (one unit in the last printed digit of a decimal, or
pixels whose difference nobody could see), which is reported and passes; different.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import pypdfium2
from PIL import Image

INVISIBLE = 3  # of 255, the largest difference of a pixel's channel that passes as rounding
FAINT, RARE = 32, 1e-4  # a larger one passes up to here, in so small a share of the pixels
"""A mark whose place changes by rounding may cover some pixels at its edge a bit more or less."""
DECIMAL = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")
TEXT = {".csv", ".tex", ".json", ".jsonl", ".html", ".txt", ".yaml", ".md"}
PICTURES = {".png", ".webp", ".jpg"}
RECORDED = {"provenance", "sources"}
"""What manifests and the facts beside figures say of versions and of our code: not compared."""
NOT_MADE = {".ipynb_checkpoints", "params", "course"}  # folders beside what is made

Verdict = Literal["rounding", "different"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One file (or one place of a notebook) that is not the same as the committed one."""

    where: str
    verdict: Verdict
    what: str

    def __str__(self) -> str:
        return f"{self.verdict:>9}  {self.where}: {self.what}"


def trees(made: Path, committed: Path, parts: tuple[str, ...]) -> list[Difference]:
    """Compare the named files and folders of two homes.

    Parameters
    ----------
    made, committed
        The two homes.
    parts
        Paths relative to both, files or folders.
    """
    new, old = _files(made, parts), _files(committed, parts)
    lone = [Difference(p, "different", "made, but not committed") for p in sorted(new - old)]
    lone += [Difference(p, "different", "committed, but not made") for p in sorted(old - new)]
    shared = (d for p in sorted(new & old) for d in files(made / p, committed / p, p))
    return lone + list(shared)


def _files(home: Path, parts: tuple[str, ...]) -> set[str]:
    found = {p for part in parts for p in _below(home / part)}
    return {p.relative_to(home).as_posix() for p in found}


def _below(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    yield from (p for p in path.rglob("*") if p.is_file() and not NOT_MADE & set(p.parts))


def files(made: Path, committed: Path, where: str) -> Iterator[Difference]:
    """Compare two files by what they mean: pixels, tables, text, cells."""
    new, old = made.read_bytes(), committed.read_bytes()
    if new == old:
        return
    if made.suffix == ".ipynb":
        yield from _notebooks(json.loads(new), json.loads(old), where)
    elif made.suffix == ".json":
        yield from _text(_compared(new), _compared(old), where)
    elif made.parent.name == "replies":
        yield from _text(_as_a_set(new), _as_a_set(old), where)
    elif made.suffix in TEXT:
        yield from _text(new.decode(), old.decode(), where)
    elif made.suffix in PICTURES:
        yield from _pixels(_picture(new), _picture(old), where)
    elif made.suffix == ".pdf":
        yield from _pixels(_page(new), _page(old), where)
    elif made.suffix == ".parquet":
        yield from _tables(made, committed, where)
    else:
        yield Difference(where, "different", "the bytes differ")


def _compared(facts: bytes) -> str:
    content = {k: v for k, v in json.loads(facts).items() if k not in RECORDED}
    return json.dumps(content, indent=1, sort_keys=True)


def _as_a_set(lines: bytes) -> str:
    # Replies stand in the order in which they came.
    return "\n".join(sorted(lines.decode().splitlines()))


def _picture(content: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGBA"), dtype=int)


def _page(content: bytes) -> np.ndarray:
    page = pypdfium2.PdfDocument(content)[0]
    return np.asarray(page.render(scale=2).to_pil().convert("RGBA"), dtype=int)


def _pixels(new: np.ndarray, old: np.ndarray, where: str) -> Iterator[Difference]:
    if new.shape != old.shape:
        yield Difference(where, "different", f"size {new.shape[:2]}, committed {old.shape[:2]}")
        return
    gap = np.abs(new - old).max(axis=-1)
    share = (gap > INVISIBLE).mean()
    verdict: Verdict = "rounding" if share <= RARE and gap.max() <= FAINT else "different"
    yield Difference(where, verdict, f"pixels by at most {gap.max()}/255, {share:.2%} visibly")


def _text(new: str, old: str, where: str) -> Iterator[Difference]:
    if DECIMAL.sub("#", new) != DECIMAL.sub("#", old):
        yield Difference(where, "different", _first_line(new, old))
        return
    pairs = list(zip(DECIMAL.findall(new), DECIMAL.findall(old), strict=True))
    unlike = [(a, b) for a, b in pairs if a != b]
    beyond = [(a, b) for a, b in unlike if not _one_unit(a, b)]
    if beyond:
        a, b = max(beyond, key=lambda pair: abs(float(pair[0]) - float(pair[1])))
        yield Difference(where, "different", f"{len(beyond)} numbers, the farthest {b} -> {a}")
    elif unlike:
        yield Difference(where, "rounding", f"{len(unlike)} numbers by one last digit")


def _one_unit(a: str, b: str) -> bool:
    digits = max(_decimals(a), _decimals(b))
    return abs(float(a) - float(b)) <= 1.01 * 10.0**-digits


def _decimals(number: str) -> int:
    mantissa, _, exponent = number.partition("e")
    return len(mantissa.partition(".")[2]) - int(exponent or 0)


def _first_line(new: str, old: str) -> str:
    a, b = new.splitlines(), old.splitlines()
    for number, (x, y) in enumerate(zip(a, b, strict=False), 1):
        if DECIMAL.sub("#", x) != DECIMAL.sub("#", y):
            return f"line {number}: {y.strip()[:80]!r} -> {x.strip()[:80]!r}"
    return f"{len(b)} lines -> {len(a)}"


def _tables(made: Path, committed: Path, where: str) -> Iterator[Difference]:
    new, old = pd.read_parquet(made), pd.read_parquet(committed)
    if list(new.dtypes.items()) != list(old.dtypes.items()):
        yield Difference(where, "different", "the columns or their types differ")
    elif not new.equals(old):
        yield from _text(new.to_csv(index=False), old.to_csv(index=False), where)


def _notebooks(new: dict, old: dict, where: str) -> Iterator[Difference]:
    if len(new["cells"]) != len(old["cells"]):
        counts = f"{len(old['cells'])} -> {len(new['cells'])} cells"
        yield Difference(where, "different", counts)
        return
    for number, (a, b) in enumerate(zip(new["cells"], old["cells"], strict=True), 1):
        yield from _cells(a, b, f"{where}, cell {number}")


def _cells(new: dict, old: dict, where: str) -> Iterator[Difference]:
    # A picture more or less shows up in the words; here are those that both have.
    for a, b in zip(_png(new), _png(old), strict=False):
        if a != b:
            pixels = (_picture(base64.b64decode(text)) for text in (a, b))
            yield from _pixels(*pixels, where)
    yield from _text(_words(new), _words(old), where)


def _png(cell: dict) -> list[str]:
    return [o["data"]["image/png"] for o in cell.get("outputs", []) if "image/png" in _data(o)]


def _data(output: dict) -> dict:
    return output.get("data", {})


def _words(cell: dict) -> str:
    """Return a cell as indented JSON, its pictures replaced by the fact that they are there."""

    def seen(output: dict) -> dict:
        data = {k: True if k == "image/png" else v for k, v in _data(output).items()}
        return {**output, "data": data}

    return json.dumps({**cell, "outputs": [seen(o) for o in cell.get("outputs", [])]}, indent=1)
