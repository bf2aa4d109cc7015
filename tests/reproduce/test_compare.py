import base64
import io
import json

import matplotlib.figure
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from dixitlib.reproduce import compare


def verdicts(tmp_path, name, new, old):
    made, committed = tmp_path / "made", tmp_path / "committed"
    for home, content in ((made, new), (committed, old)):
        home.mkdir(exist_ok=True)
        if content is not None:
            (home / name).write_bytes(content)
    return [d.verdict for d in compare.trees(made, committed, (".",))]


def png(array):
    buffer = io.BytesIO()
    Image.fromarray(array.astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        (b"a,0.1235\n", b"a,0.1235\n", []),
        (b"a,0.1235\n", b"a,0.1234\n", ["rounding"]),
        (b"a,0.1236\n", b"a,0.1234\n", ["different"]),
        # Whole numbers are counts or names: one more round is a result, not rounding.
        (b"a,12\n", b"a,13\n", ["different"]),
        (b"b,0.1234\n", b"a,0.1234\n", ["different"]),
        (b"a,0.1234\nb,1\n", b"a,0.1234\n", ["different"]),
        (b"a,1.0e-05\n", b"a,1.1e-05\n", ["rounding"]),
        (b"a,0.1234,0.9\n", b"a,0.1235,0.5\n", ["different"]),
    ],
)
def test_a_table_may_differ_by_one_last_digit_and_no_more(tmp_path, new, old, expected):
    assert verdicts(tmp_path, "table.csv", new, old) == expected


@pytest.mark.parametrize(("gap", "expected"), [(0, []), (3, ["rounding"]), (4, ["different"])])
def test_pictures_are_compared_by_what_can_be_seen(tmp_path, gap, expected):
    grey = np.full((4, 6, 3), 100)
    other = grey.copy()
    other[1, 2, 0] += gap
    assert verdicts(tmp_path, "figure.png", png(other), png(grey)) == expected


@pytest.mark.parametrize(
    ("pixels", "gap", "expected"), [(2, 32, "rounding"), (2, 33, "different"), (3, 32, "different")]
)
def test_very_few_pixels_may_differ_faintly(tmp_path, pixels, gap, expected):
    grey = np.full((100, 200, 3), 100)
    other = grey.copy()
    other[:pixels, 7] += gap
    assert verdicts(tmp_path, "figure.png", png(other), png(grey)) == [expected]


def test_a_picture_of_another_size_differs(tmp_path):
    assert verdicts(tmp_path, "f.png", png(np.zeros((2, 2))), png(np.zeros((2, 3)))) == [
        "different"
    ]


def pdf(text, title):
    figure = matplotlib.figure.Figure()
    figure.text(0.5, 0.5, text)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="pdf", metadata={"Title": title, "CreationDate": None})
    return buffer.getvalue()


def test_a_pdf_is_compared_as_a_page(tmp_path):
    assert verdicts(tmp_path, "f.pdf", pdf("one", "a"), pdf("one", "b")) == ["rounding"]
    assert verdicts(tmp_path, "f.pdf", pdf("two", "a"), pdf("one", "a")) == ["different"]


def parquet(frame):
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    return buffer.getvalue()


def test_parquet_is_compared_as_a_table(tmp_path):
    old = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    assert verdicts(tmp_path, "t.parquet", parquet(old), parquet(old)) == []
    changed = parquet(old.assign(a=[1, 3]))
    assert verdicts(tmp_path, "t.parquet", changed, parquet(old)) == ["different"]
    retyped = parquet(old.assign(a=[1.0, 2.0]))
    assert verdicts(tmp_path, "t.parquet", retyped, parquet(old)) == ["different"]


def test_files_that_only_one_side_has_are_named(tmp_path):
    assert verdicts(tmp_path, "new.csv", b"a", None) == ["different"]
    assert verdicts(tmp_path, "old.csv", None, b"a") == ["different", "different"]


def test_provenance_of_a_manifest_is_not_compared(tmp_path):
    def manifest(seed, python):
        content = {"parameters": {"seed": seed}, "provenance": {"python": python}}
        return json.dumps(content).encode()

    assert verdicts(tmp_path, "manifest.json", manifest(1, "3.11"), manifest(1, "3.12")) == []
    assert verdicts(tmp_path, "manifest.json", manifest(2, "3.11"), manifest(1, "3.11")) == [
        "different"
    ]


def test_the_sources_that_drew_a_figure_are_not_compared_but_its_run_is(tmp_path):
    def facts(run, sources):
        return json.dumps({"run": run, "parameters": {}, "sources": sources}).encode()

    assert (
        verdicts(tmp_path, "06_outcomes.json", facts("offline", "a"), facts("offline", "b")) == []
    )
    assert verdicts(tmp_path, "06_outcomes.json", facts("mine", "a"), facts("offline", "a")) == [
        "different"
    ]


def notebook(text, picture):
    output = {"output_type": "display_data", "data": {"image/png": picture, "text/plain": text}}
    cell = {"cell_type": "code", "source": "x", "outputs": [output], "metadata": {}}
    return json.dumps({"cells": [cell], "metadata": {}}).encode()


def test_a_notebook_is_compared_cell_by_cell(tmp_path):
    black = base64.b64encode(png(np.zeros((3, 3)))).decode()
    white = base64.b64encode(png(np.full((3, 3), 255))).decode()
    old = notebook("p = 0.123", black)
    assert verdicts(tmp_path, "n.ipynb", notebook("p = 0.123", black), old) == []
    assert verdicts(tmp_path, "n.ipynb", notebook("p = 0.124", black), old) == ["rounding"]
    assert verdicts(tmp_path, "n.ipynb", notebook("p = 0.2", black), old) == ["different"]
    assert verdicts(tmp_path, "n.ipynb", notebook("p = 0.123", white), old) == ["different"]


def test_replies_are_compared_as_a_set(tmp_path):
    for home in ("made", "committed"):
        (tmp_path / home / "replies").mkdir(parents=True)
    (tmp_path / "made/replies/main.jsonl").write_text('{"key":"b"}\n{"key":"a"}\n')
    (tmp_path / "committed/replies/main.jsonl").write_text('{"key":"a"}\n{"key":"b"}\n')
    homes = tmp_path / "made", tmp_path / "committed"
    assert not compare.trees(*homes, ("replies",))
    (tmp_path / "committed/replies/main.jsonl").write_text('{"key":"a"}\n{"key":"c"}\n')
    assert [d.verdict for d in compare.trees(*homes, ("replies",))] == ["different"]


def test_what_is_not_made_is_not_compared(tmp_path):
    for folder in ("params", "course", ".ipynb_checkpoints"):
        (tmp_path / "committed/notebooks" / folder).mkdir(parents=True)
        (tmp_path / "committed/notebooks" / folder / "a.yaml").write_text("a")
    assert compare.trees(tmp_path / "made", tmp_path / "committed", ("notebooks",)) == []
