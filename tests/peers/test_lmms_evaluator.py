"""DixitBench as a task of the real lmms-eval, found, loaded and scored by its evaluator."""

from __future__ import annotations

import pytest

pytest.importorskip("lmms_eval")
from lmms_eval.api.model import lmms
from lmms_eval.evaluator import simple_evaluate
from lmms_eval.tasks import TaskManager

from dixitlib.peers import hugging_face, lmms_eval

# lmms-eval's own use of its dependencies is its own affair.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


class Says(lmms):
    """A model that gives fixed replies, and keeps the questions and pictures it was shown."""

    def __init__(self, replies):
        super().__init__()
        self.replies, self.shown = replies, []

    def generate_until(self, requests):
        for words, _, pictures, row, task, split in (request.args for request in requests):
            self.shown.append((words, pictures(self.task_dict[task][split][row])))
        return self.replies

    def loglikelihood(self, requests):
        raise NotImplementedError("the task asks for words")

    generate_until_multi_round = loglikelihood


@pytest.fixture(scope="module")
def sat(exam, tmp_path_factory):
    """What the evaluator makes of a model that is right throughout, but for three of blocks."""
    folder = tmp_path_factory.mktemp("exports")
    hugging_face.write(exam, folder / "hugging_face", 64)
    lmms_eval.write(folder / "lmms_eval")
    # The right letters are A to F in each tier.
    model = Says([*"ABCDEF", "(A)", "The answer is B.", "C", "A", "A castle", "E or F"])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("HF_DATASETS_CACHE", str(folder / "cache"))
        tasks = TaskManager(include_path="lmms_eval", include_defaults=False)
        found = simple_evaluate(model, tasks=["dixitbench"], task_manager=tasks, bootstrap_iters=0)
    return model, found


def test_the_evaluator_scores_right_wrong_and_unread_replies(sat):
    wanted = {"accuracy": 9 / 12, "accuracy_hard": 1, "accuracy_blocks": 3 / 6, "unread": 2 / 12}
    scores = sat[1]["results"]["dixitbench"]
    unfiltered = {name: scores[f"{name},none"] for name in wanted}
    assert unfiltered == pytest.approx(wanted)


def test_it_shows_every_clue_with_its_six_pictures(exam, sat):
    for item, (words, pictures) in zip(exam.items, sat[0].shown, strict=True):
        assert item.clue.replace('"', r"\"") in words
        for picture, card in zip(pictures, exam.shown(item), strict=True):
            wanted = card.image().getpixel((20, 20))
            pairs = zip(picture.getpixel((20, 20)), wanted, strict=True)
            assert max(abs(a - b) for a, b in pairs) <= 4  # of JPEG


def test_it_knows_the_right_letters(exam, sat):
    rows = sat[1]["samples"]["dixitbench"]
    assert [row["target"] for row in rows] == list("ABCDEF") * 2
