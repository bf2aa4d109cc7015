"""The table is what VLMEvalKit reads: its columns, lists as text, pictures in base64."""

from __future__ import annotations

import ast
import base64
import io

import pandas as pd
import pytest
from PIL import Image

from dixitlib.peers import vlmevalkit


@pytest.fixture(scope="module")
def table(exam, tmp_path_factory):
    return pd.read_csv(vlmevalkit.write(exam, tmp_path_factory.mktemp("kit")), sep="\t")


def test_the_columns_of_a_multiple_choice_are_there(table):
    assert tuple(table.columns) == vlmevalkit.COLUMNS
    assert table["index"].tolist() == list(range(12))  # whole numbers, or they would be text
    assert table["answer"].tolist() == list("ABCDEF") * 2
    assert set(table["category"]) == {"hard", "blocks"}
    assert not table.isna().any().any()


def test_pictures_stand_in_the_order_of_the_options(exam, table):
    for item, row in zip(exam.items, table.itertuples(), strict=True):
        pictures, names = ast.literal_eval(row.image), ast.literal_eval(row.image_path)
        assert len(pictures) == len(names) == 6
        # A cell of 64 characters or fewer would be taken for another row's index.
        assert len(row.image) > 64
        for picture, card in zip(pictures, exam.shown(item), strict=True):
            shown = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")
            wanted = card.image().getpixel((40, 40))
            found = shown.getpixel((40, 40))
            assert max(abs(a - b) for a, b in zip(found, wanted, strict=True)) <= 4  # of JPEG


def test_one_name_means_one_picture_throughout(table):
    held = {}
    for row in table.itertuples():
        for name, picture in zip(*map(ast.literal_eval, (row.image_path, row.image)), strict=True):
            assert held.setdefault(name, picture) == picture


def test_no_card_is_named_and_every_row_has_the_canary(exam, table):
    asked = table[["question", *"ABCDEF"]].agg(" ".join, axis=1)
    assert not asked.str.contains(r"\b0\d\d\b").any()
    assert set(table["canary"]) == {exam.canary}


def test_writing_twice_gives_the_same_bytes(exam, tmp_path):
    one, other = (vlmevalkit.write(exam, tmp_path / name) for name in "ab")
    assert one.read_bytes() == other.read_bytes()
