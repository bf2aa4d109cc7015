"""Figures and tables as files that hold no date and no version: same data, same bytes."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from dixitlib import paths
from dixitlib.plots.style import STYLE

DPI = 200


def save(figure: Figure, name: str) -> None:
    """Write a figure to ``figures/NAME.pdf`` and ``figures/NAME.png``.

    The size is that of the figure: nothing is cropped, so a column stays a column.
    """
    pdf, png = paths.figures(f"{name}.pdf"), paths.figures(f"{name}.png")
    pdf.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context({"pdf.fonttype": STYLE["pdf.fonttype"]}):
        nothing = {"Creator": None, "Producer": None, "CreationDate": None}
        figure.savefig(pdf, metadata=nothing)
    figure.savefig(png, dpi=DPI, metadata={"Software": None})


def save_table(frame: pd.DataFrame, name: str, caption: str) -> None:
    """Write a table to ``figures/tables/NAME.csv`` and, with booktabs, to ``NAME.tex``.

    Decimals are rounded to four places in both. A missing value is empty in the CSV and
    a dash in LaTeX. Cells and column names are escaped, the caption is taken as LaTeX.
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
