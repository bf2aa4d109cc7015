"""Figures and tables as files that hold no date and no version: same data, same bytes.

Beside each stands what it was made from: ``NAME.json`` with the run and what that run was asked
for, the caller's own parameters, and the hash of this library's sources.
"""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from dixitlib import paths, store
from dixitlib.plots.style import STYLE

DPI = 200


def save(figure: Figure, name: str, run: str | None = None, **parameters: object) -> None:
    """Write a figure to ``figures/NAME.pdf`` and ``figures/NAME.png``, and ``NAME.json`` beside.

    The size is that of the figure: nothing is cropped, so a column stays a column.

    Parameters
    ----------
    figure, name
        What to write, and under which name.
    run
        The folder of ``data/runs`` that it shows, if it shows one.
    parameters
        Whatever else it depends on, as JSON can say it.
    """
    pdf, png = paths.figures(f"{name}.pdf"), paths.figures(f"{name}.png")
    pdf.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context({"pdf.fonttype": STYLE["pdf.fonttype"]}):
        nothing = {"Creator": None, "Producer": None, "CreationDate": None}
        figure.savefig(pdf, metadata=nothing)
    figure.savefig(png, dpi=DPI, metadata={"Software": None})
    _say_from_what(pdf, run, parameters)


def save_table(
    frame: pd.DataFrame, name: str, caption: str, run: str | None = None, **parameters: object
) -> None:
    """Write a table to ``figures/tables/NAME.csv`` and, with booktabs, to ``NAME.tex``.

    Decimals are rounded to four places in both. A missing value is empty in the CSV and
    a dash in LaTeX. Cells and column names are escaped, the caption is taken as LaTeX.
    `run` and `parameters` are those of `save`, for ``NAME.json``.
    """
    csv, tex = paths.figures("tables", f"{name}.csv"), paths.figures("tables", f"{name}.tex")
    csv.parent.mkdir(parents=True, exist_ok=True)
    floats = frame.select_dtypes("float").columns
    rounded = frame.assign(**{column: frame[column].round(4) + 0.0 for column in floats})
    rounded.to_csv(csv, index=False, float_format="%.4f", lineterminator="\n")
    printed = rounded.style.hide(axis="index").format(precision=4, na_rep="--", escape="latex")
    printed = printed.format_index(escape="latex", axis="columns")
    text = printed.to_latex(
        hrules=True, caption=caption, label=f"tab:{name}", position="t", position_float="centering"
    )
    tex.write_text(text, encoding="utf-8")
    _say_from_what(csv, run, parameters)


def _say_from_what(file: Path, run: str | None, parameters: dict[str, object]) -> None:
    asked = store.read_manifest(f"data/runs/{run}")["parameters"] if run else None
    facts = {"run": run, "asked": asked, "parameters": parameters, "sources": store.sources()}
    text = json.dumps(facts, ensure_ascii=False, indent=1, sort_keys=True)
    file.with_suffix(".json").write_text(f"{text}\n", encoding="utf-8")
