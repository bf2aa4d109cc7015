"""MVBench: frames of videos and of folders, stretches of time, tasks in several files."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from PIL import Image

from dixitlib.bench.evaluate import direct
from dixitlib.bench.formats import clips
from dixitlib.bench.formats.clips import Clip
from dixitlib.bench.formats.mvbench import load

ENTRY = {
    "video": "folder",
    "question": "What happens?",
    "candidates": ["it falls", "it rises", "nothing"],
    "answer": "it rises",
}


@pytest.fixture
def videos(tmp_path):
    """A folder of 24 frames, 3 a second, each grey by its number: 8 seconds."""
    home = tmp_path / "videos" / "folder"
    home.mkdir(parents=True)
    for number in range(24):
        Image.new("L", (32, 24), number * 10).save(home / f"{number:05d}.png")
    return home.parent


@pytest.fixture
def film(videos):
    """A video of 4 seconds at 10 frames a second; frame k is grey by 6 k."""
    av = pytest.importorskip("av")
    with av.open(str(videos / "film.mp4"), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(40):
            grey = np.full((48, 64, 3), number * 6, dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(grey, format="rgb24")))
        container.mux(stream.encode())
    return videos / "film.mp4"


def write(tmp_path, *entries, task="moving"):
    tasks = tmp_path / "json"
    tasks.mkdir(exist_ok=True)
    (tasks / f"{task}.json").write_text(json.dumps(entries))
    return tasks / f"{task}.json"


def greys(picture, across, down):
    """Return the grey in the middle of each frame of a grid, in reading order."""
    pixels = np.asarray(picture.convert("L")).astype(int)
    return pixels[down // 2 :: down, across // 2 :: across].ravel().tolist()


def test_a_question_about_frames_becomes_an_item(tmp_path, videos, knower):
    made = load(write(tmp_path, ENTRY, ENTRY | {"answer": None}), videos, frames=4)
    first, second = made.items
    assert (first.id, first.tier, first.answer) == ("moving-0001", "moving", 2)
    assert second.target == ""
    (answer, withheld) = direct(knower("it rises"), made.items, made.cards)
    assert (answer.credit, withheld.credit) == (1.0, None)
    # Eight seconds in four parts: middles at 1, 3, 5, 7 s, at 3 frames a second.
    page = made.cards[0].image().crop((128, 0, 192, 48))  # 64 wide, in the middle of 320
    assert greys(page, 32, 24) == [30, 90, 150, 210]


def test_a_stretch_shows_its_own_frames(videos):
    # From 2 to 6 s: middles at 3 and 5 s.
    assert greys(Clip(videos / "folder", 2, 2.0, 6.0).load(), 32, 24) == [90, 150]
    # An end beyond the video is the video's end: middles at 2.75 and 6.25 s.
    assert greys(Clip(videos / "folder", 2, 1.0, 99.0).load(), 32, 24) == [80, 180]


def test_frames_of_a_video_are_those_shown_at_the_moments(film):
    # Four parts of 4 s: middles at 0.5, 1.5, 2.5, 3.5 s, which are frames 5, 15, 25, 35.
    # Compression may move a grey by a few steps.
    found = greys(Clip(film, 4).load(), 64, 48)
    assert found == pytest.approx([30, 90, 150, 210], abs=4)
    # From 2 to 3 s: middles at 2.25 and 2.75 s, where frames 22 and 27 are shown.
    found = greys(Clip(film, 2, 2.0, 3.0).load(), 64, 48)
    assert found == pytest.approx([132, 162], abs=4)


def test_a_folder_of_tasks_is_loaded_whole(tmp_path, videos, film):
    (videos / "falling").mkdir()
    film.rename(videos / "falling" / "film.mp4")
    write(tmp_path, ENTRY)
    tasks = write(tmp_path, ENTRY | {"video": "film.mp4", "start": 1, "end": 2.5}, task="falling")
    made = load(tasks.parent, videos)
    assert [item.tier for item in made.items] == ["falling", "moving"]
    assert made.cards[0].sha256 != made.cards[3].sha256


def test_every_question_at_fault_is_named(tmp_path, videos, refusal):
    (videos / "empty").mkdir()
    (videos.parent / "secret").mkdir()
    path = write(
        tmp_path,
        ENTRY | {"candidates": "it falls"},
        ENTRY | {"candidates": ["it falls"]},
        ENTRY | {"candidates": ["it falls", ""]},
        ENTRY | {"answer": "it explodes"},
        ENTRY | {"candidates": ["it rises", "it rises"]},
        ENTRY | {"start": 5, "end": 4},
        ENTRY | {"start": 9},
        ENTRY | {"start": "soon"},
        ENTRY | {"end": float("nan")},
        ENTRY | {"video": "gone.mp4"},
        ENTRY | {"video": "../secret"},
        ENTRY | {"video": "empty"},
        ENTRY | {"question": ""},
        7,
        ENTRY,
    )
    faults = dict(fault.split(": ", 1) for fault in refusal(load, path, videos))
    places = {int(place.rsplit(" ", 1)[1]): why for place, why in faults.items()}
    assert sorted(places) == list(range(1, 15))
    for place, reason in {
        1: "its candidates are no list",
        2: "it has 1 candidates, not 2 to 26",
        3: "a candidate is empty, or no text",
        4: "its answer 'it explodes' is not one of its candidates, or is so twice",
        5: "its answer 'it rises' is not one of its candidates, or is so twice",
        6: "folder lasts 8.00 s: there is nothing from 5 s to 4 s",
        7: "folder lasts 8.00 s: there is nothing from 9 s to its end",
        8: "its start is 'soon', no number of seconds",
        9: "its end is nan, no number of seconds",
        12: "empty holds no frames",
        13: "its question is empty",
        14: "it is no JSON object",
    }.items():
        assert places[place] == reason
    assert places[10].startswith("gone.mp4 is missing from")
    assert places[11].startswith("../secret lies outside")


def test_videos_that_cannot_be_decoded_are_named(tmp_path, videos, film, refusal):
    whole = film.read_bytes()
    (videos / "cut.mp4").write_bytes(whole[: len(whole) // 3])
    (videos / "text.mp4").write_text("no video")
    entries = [ENTRY | {"video": name} for name in ("cut.mp4", "film.mp4", "text.mp4")]
    faults = refusal(load, write(tmp_path, *entries), videos)
    assert [fault.split("(")[0] for fault in faults] == [
        "moving.json, question 1: cut.mp4 can't be decoded ",
        "moving.json, question 3: text.mp4 can't be decoded ",
    ]


def test_files_that_are_no_list_are_all_named(tmp_path, videos, refusal):
    write(tmp_path, ENTRY)
    write(tmp_path, task="a").write_text("{}")
    tasks = write(tmp_path, task="b")
    tasks.write_text("[")
    faults = refusal(load, tasks.parent, videos)
    assert [fault.split(" (")[0] for fault in faults] == [
        "a.json: it is no JSON list",
        "b.json: it is no JSON list",
    ]


def test_without_pyav_the_extra_is_named(tmp_path, videos, monkeypatch):
    (videos / "film.mp4").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.delitem(sys.modules, "dixitlib.bench.formats.film", raising=False)
    monkeypatch.delattr("dixitlib.bench.formats.film", raising=False)
    with pytest.raises(ModuleNotFoundError, match="extra `video`"):
        load(write(tmp_path, ENTRY | {"video": "film.mp4"}), videos)
    assert clips.Clip(videos / "folder", 1).load().size == (32, 24)
