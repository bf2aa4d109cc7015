"""Croissant metadata: the data set described for machines, with the responsible-AI fields.

Croissant 1.0 of MLCommons, and its vocabulary RAI 1.0. The pictures are left to the parquet
file's own type: the format has no word for a list of pictures inside a column.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from dixitlib.bench.items import COLUMNS
from dixitlib.peers.card import ABOUT, ATTRIBUTION, BIASES, LIMITS, USES
from dixitlib.peers.exam import Exam

VERSION = "1.0.0"
FILE = "test.parquet"
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
RESPONSIBLE = {
    "rai:dataCollection": "Nothing was collected: scenes were drawn by seed and painted.",
    "rai:dataCollectionType": ["Synthetic data generation"],
    "rai:dataCollectionRawData": "OpenMoji drawings and a bank of clues written for the project.",
    "rai:dataPreprocessingProtocol": ["Cards are scaled down and stored as JPEG."],
    "rai:dataAnnotationProtocol": [
        "Each card takes one clue of the bank: the assignment that maximises the summed cosine "
        "of clues and literal captions under a text encoder. No person annotated."
    ],
    "rai:annotationsPerItem": ["1"],
    "rai:dataLimitations": [LIMITS],
    "rai:dataBiases": [BIASES],
    "rai:dataUseCases": [USES],
    "rai:dataSocialImpact": "None expected; a high score says little about a model elsewhere.",
    "rai:personalSensitiveInformation": ["None: no person was photographed, asked or named."],
    "rai:dataReleaseMaintenancePlan": "A contaminated deck is replaced by one of another seed.",
}


def describe(exam: Exam, file: Path, url: str) -> dict[str, object]:
    """Return the metadata of an exam whose rows stand in a parquet file.

    Parameters
    ----------
    exam
        What the file holds.
    file
        The file, for its hash and size.
    url
        Where it stands, relative to the metadata.
    """
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.0",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": "DixitBench",
        "description": f"{ABOUT} {exam.canary}",
        "license": "https://creativecommons.org/licenses/by-sa/4.0/",
        "creditText": ATTRIBUTION,
        "creator": {"@type": "sc:Organization", "name": "The DixitWorld compendium"},
        "url": "https://arxiv.org/abs/2510.10117",
        "citeAs": "DixitWorld, arXiv:2510.10117",
        "version": VERSION,
        "inLanguage": "en",
        "isLiveDataset": False,
        **RESPONSIBLE,
        "distribution": [_file(file, url)],
        "recordSet": [_records()],
    }


def _file(file: Path, url: str) -> dict[str, object]:
    content = file.read_bytes()
    return {
        "@type": "cr:FileObject",
        "@id": FILE,
        "name": FILE,
        "contentUrl": url,
        "contentSize": f"{len(content)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _records() -> dict[str, object]:
    return {
        "@type": "cr:RecordSet",
        "@id": "items",
        "name": "items",
        "description": "One question a row.",
        "key": {"@id": "items/item"},
        "field": [_field(name) for name in (*COLUMNS, "canary")],
    }


def _field(name: str) -> dict[str, object]:
    return {
        "@type": "cr:Field",
        "@id": f"items/{name}",
        "name": name,
        "dataType": "sc:Integer" if name == "answer" else "sc:Text",
        "source": {"fileObject": {"@id": FILE}, "extract": {"column": name}},
    }
