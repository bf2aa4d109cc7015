"""Rounds in parts: read lazily, to the numbers that reading everything gives."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import compute

from dixitlib.store.partitions import counts, scan, write_part

MANY = {"max_examples": 15, "deadline": None}
rows = st.tuples(st.sampled_from("abc"), st.sampled_from(["partial", "all_wrong", None]))
parts = st.lists(st.lists(rows, min_size=1, max_size=9), min_size=1, max_size=4)


def frame(told):
    names = ["storyteller", "outcome"]
    made = pd.DataFrame(told, columns=names).astype(pd.StringDtype(na_value=float("nan")))
    return made.assign(clue="never read")


@settings(**MANY)
@given(parts, st.integers(1, 5))
def test_counts_by_batches_are_those_of_one_frame(tmp_path_factory, told, size):
    folder = tmp_path_factory.mktemp("rounds")
    for number, part in enumerate(told):
        write_part(folder, number, frame(part))
    made = counts(scan(folder), ["storyteller", "outcome"], rows=size)
    whole = pd.concat(map(frame, told)).groupby(["storyteller", "outcome"], dropna=False)
    expected = whole.size().rename("count").reset_index()
    keys = ["storyteller", "outcome"]
    assert made.set_index(keys)["count"].to_dict() == expected.set_index(keys)["count"].to_dict()
    assert made["storyteller"].is_monotonic_increasing


def test_only_the_parts_and_columns_asked_for_are_read(tmp_path):
    for number, name in enumerate("aab"):
        write_part(tmp_path, number, frame([(name, "partial")] * (number + 1)))
    # Whoever opened the last part would fail.
    (tmp_path / "part=00002/rounds.parquet").write_bytes(b"no parquet")
    made = counts(scan(tmp_path), ["storyteller"], compute.field("part") < 2)
    assert made.to_dict("records") == [{"storyteller": "a", "count": 3}]


def test_a_part_is_whole_or_not_there_and_can_be_replaced(tmp_path):
    write_part(tmp_path, 0, frame([("a", "partial")] * 5))
    write_part(tmp_path, 0, frame([("b", None)]))
    unfinished = tmp_path / "part=00001/rounds.unfinished"
    unfinished.parent.mkdir()
    unfinished.write_bytes(b"torn")
    assert scan(tmp_path).count_rows() == 1
    assert sorted(p.name for p in tmp_path.rglob("*.*")) == ["rounds.parquet", unfinished.name]


def test_bad_input_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="write_part"):
        scan(tmp_path)
    with pytest.raises(ValueError, match="needs rows"):
        write_part(tmp_path, 3, frame([]))
    with pytest.raises(ValueError, match="no column 'part'"):
        write_part(tmp_path, 0, frame([("a", None)]).assign(part=1))
