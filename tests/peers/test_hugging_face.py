"""The parquet file, its card and its Croissant metadata, read by the real packages."""

from __future__ import annotations

import io
import json

import pyarrow.parquet as pq
import pytest
import yaml
from PIL import Image

from dixitlib.bench.items import read_items
from dixitlib.peers import hugging_face

# mlcroissant uses what rdflib and pandas call old.
pytestmark = [
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The inplace keyword:DeprecationWarning"),
]
RESPONSIBLE = {
    *("dataCollection", "dataBiases", "dataLimitations", "dataUseCases", "dataSocialImpact"),
    *("personalSensitiveInformation", "dataReleaseMaintenancePlan", "dataAnnotationProtocol"),
}


@pytest.fixture(scope="module")
def folder(exam, tmp_path_factory):
    return hugging_face.write(exam, tmp_path_factory.mktemp("hub"))


def test_the_items_come_back(exam, folder):
    assert read_items(folder / hugging_face.PARQUET) == exam.items


def test_a_row_holds_its_pictures_in_order(exam, folder):
    rows = pq.read_table(folder / hugging_face.PARQUET).to_pylist()
    for item, row in zip(exam.items, rows, strict=True):
        assert row["canary"] == exam.canary
        for held, card in zip(row["images"], exam.shown(item), strict=True):
            shown = Image.open(io.BytesIO(held["bytes"])).convert("RGB").getpixel((40, 40))
            wanted = card.image().getpixel((40, 40))
            assert max(abs(a - b) for a, b in zip(shown, wanted, strict=True)) <= 4  # of JPEG


def test_every_picture_is_stored_once(exam, folder):
    # 72 places show 16 cards: 6 targets and cards 20 to 29.
    assert len(exam.cards) == 16
    pictures = sum(len(row["bytes"]) for row in _pictures(folder).values())
    chunks = pq.ParquetFile(folder / hugging_face.PARQUET).metadata.row_group(0)
    column = next(
        chunks.column(n)
        for n in range(chunks.num_columns)
        if chunks.column(n).path_in_schema.endswith("bytes")
    )
    assert column.total_uncompressed_size < 1.5 * pictures


def test_writing_twice_gives_the_same_bytes(exam, folder, tmp_path):
    again = hugging_face.write(exam, tmp_path)
    for name in (hugging_face.PARQUET, "README.md", "croissant.json"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


def test_the_card_opens_with_what_the_hub_reads(exam, folder):
    _, head, text = (folder / "README.md").read_text().split("---\n", 2)
    read = yaml.safe_load(head)
    assert read["license"] == "cc-by-sa-4.0"
    assert read["configs"][0]["data_files"] == [{"split": "test", "path": hugging_face.PARQUET}]
    assert exam.canary in text and "| hard | 6 |\n| blocks | 6 |\n" in text


def test_mlcroissant_validates_the_metadata_and_reads_the_rows(exam, folder):
    croissant = pytest.importorskip("mlcroissant")
    dataset = croissant.Dataset(jsonld=folder / "croissant.json")
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    # It is not published: whoever does so adds the day. Nothing else is amiss.
    assert ["datePublished" in warning for warning in issues.warnings] == [True]
    rows = list(dataset.records("items"))
    assert [row["items/item"].decode() for row in rows] == [item.id for item in exam.items]
    assert [row["items/answer"] for row in rows] == [item.answer for item in exam.items]


def test_the_responsible_ai_fields_are_known_to_the_vocabulary(folder):
    croissant = pytest.importorskip("mlcroissant")
    metadata = croissant.Dataset(jsonld=folder / "croissant.json").metadata.to_json()
    described = {key.removeprefix("rai:") for key in metadata if key.startswith("rai:")}
    assert described >= RESPONSIBLE
    assert all(metadata[f"rai:{name}"] for name in RESPONSIBLE)


def test_a_field_of_a_file_that_is_not_there_is_found_out(folder, tmp_path):
    croissant = pytest.importorskip("mlcroissant")
    described = json.loads((folder / "croissant.json").read_text())
    described["recordSet"][0]["field"][0]["source"]["fileObject"]["@id"] = "elsewhere"
    (tmp_path / "croissant.json").write_text(json.dumps(described))
    with pytest.raises(croissant.ValidationError, match="elsewhere"):
        croissant.Dataset(jsonld=tmp_path / "croissant.json")


def test_the_hubs_library_gives_pictures(folder, tmp_path):
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path), split="test")
    assert len(loaded) == 12
    assert [picture.size for picture in loaded[0]["images"]] == [(96, 144)] * 6


def _pictures(folder):
    rows = pq.read_table(folder / hugging_face.PARQUET, columns=["images"]).to_pylist()
    return {held["path"]: held for row in rows for held in row["images"]}
