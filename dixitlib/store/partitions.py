"""Rounds by the million: a folder of parquet files, read without ever being loaded whole.

A run of models is kept as lines of JSON, since each of them was paid for. What a simulator
plays by the million costs nothing to play again, and is kept as columns instead: one file a
part, whole or not there at all. Of such a folder pyarrow reads only the columns and the parts
that are asked for, some thousand rows at a time, so that memory does not grow with the rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import compute, dataset, parquet

PART, FILE = "part", "rounds.parquet"
ROWS = 65_536  # read at a time
COUNT = "count"


def write_part(folder: Path, part: int, rounds: pd.DataFrame) -> Path:
    """Write one part of many rounds in one move, and return its file.

    Parameters
    ----------
    folder
        Of all parts; made if it is not there.
    part
        Number of this one, from 0. A part that is there already is replaced.
    rounds
        As `store.read_rounds` gives them, or any other frame with the same columns in every
        part.

    Raises
    ------
    ValueError
        If there are no rounds, or a column has the name that numbers the parts.
    """
    if rounds.empty or PART in rounds:
        raise ValueError(f"part {part} of {folder.name} needs rows, and no column {PART!r}")
    path = folder / f"{PART}={part:05d}" / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    table = pa.Table.from_pandas(rounds, preserve_index=False)
    parquet.write_table(table, unfinished, compression="zstd")
    return unfinished.replace(path)


def scan(folder: Path) -> dataset.Dataset:
    """Return all finished parts as one data set that has read nothing yet.

    Its column `part` numbers the parts: a filter on it leaves the other files closed.

    Raises
    ------
    FileNotFoundError
        If there is no part.
    """
    files = sorted(folder.glob(f"{PART}=*/{FILE}"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no {PART}=*/{FILE}: write one with write_part")
    numbered = dataset.partitioning(pa.schema([(PART, pa.int64())]), flavor="hive")
    return dataset.dataset(
        [str(file) for file in files], partition_base_dir=str(folder), partitioning=numbered
    )


def counts(
    rounds: dataset.Dataset,
    keys: Sequence[str],
    where: compute.Expression | None = None,
    *,
    rows: int = ROWS,
) -> pd.DataFrame:
    """Count rows by the values of some columns, holding a batch and the counts in memory.

    Parameters
    ----------
    rounds
        From `scan`.
    keys
        Columns; only these, and those of `where`, are read.
    where
        Which rows count, such as ``compute.field("part") < 3``.
    rows
        In a batch at most.

    Returns
    -------
    DataFrame
        The keys and count, sorted by the keys. Rows that miss a key are counted too.
    """
    schema = rounds.schema
    total = pa.table({key: pa.array([], schema.field(key).type) for key in keys})
    total = total.append_column(COUNT, pa.array([], pa.int64()))
    for batch in rounds.to_batches(columns=list(keys), filter=where, batch_size=rows):
        added = _grouped(pa.Table.from_batches([batch]), keys, ([], "count_all"))
        total = _grouped(pa.concat_tables([total, added]), keys, (COUNT, "sum"))
    return total.sort_by([(key, "ascending") for key in keys]).to_pandas()


def _grouped(table: pa.Table, keys: Sequence[str], how: tuple[str | list, str]) -> pa.Table:
    return table.group_by(list(keys)).aggregate([how]).rename_columns([*keys, COUNT])
