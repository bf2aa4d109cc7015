"""Eyes for one aspect of a scene each: its objects, its place and mood, its twist.

An aspect says of a scene what its expert is to see and nothing else. The eyes are trained
as all local eyes are (see `training`), on the same painted cards under captions of the
aspect alone, so that what differs between experts is what they were taught to look for.

``python -m dixitlib.models.aspects`` trains them into ``data/weights/experts/``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from dixitlib import paths
from dixitlib.cards.lexicon import LANDSCAPES, MOODS, OBJECTS, SUBJECTS, TWISTS, article
from dixitlib.cards.scenes import Scene
from dixitlib.models.glimpse import Glimpse, Size
from dixitlib.models.lessons import Lesson, lesson, training_scenes, unseen_scenes
from dixitlib.models.sentences import Encoder, default_encoder
from dixitlib.models.training import BATCH, PLANS, TEST_CARDS, Plan, Point, recall, train

# Minutes of training. Thirty places and moods, or thirty twists, are learnt from nothing in
# that time. Three of some 200 nouns are not: no single one says much about a caption, so the
# loss stays flat for half of the way, at this rate and at a quarter of it, and six epochs left
# the right one of six cards found in 38% (chance is 17%). Eyes that have read whole captions
# have learnt things on the way, and the largest tell 93% of cards apart, so it is not what the
# pixels hold. Those for objects go on from the middle size, for as long: 55%.
PLAN = Plan(width=12, cards=6_144, epochs=6)
ONWARD = Plan(width=12, cards=6_144, epochs=6, rate=4e-3)
CURVES, ACCURACY = "learning_curves.csv", "accuracy.csv"
OPTIONS = 6
ORDER_SEED = 3


@dataclass(frozen=True)
class Aspect:
    """What an expert is to see.

    Parameters
    ----------
    name
        Of the aspect, its expert and its weights.
    caption
        What it says of a scene, in one sentence.
    vocabulary
        Everything that it may claim to see.
    shown
        Which of these a scene shows.
    verb
        What stands between a card and what is claimed of it.
    plan
        How its eyes are trained.
    start
        The size whose eyes they start from; None for eyes that know nothing yet.
    """

    name: str
    caption: Callable[[Scene], str]
    vocabulary: tuple[str, ...]
    shown: Callable[[Scene], tuple[str, ...]]
    verb: str = "shows"
    plan: Plan = PLAN
    start: Size | None = None


def _objects(scene: Scene) -> str:
    first, second, third = _things(scene)
    return _sentence(f"{first}, {second} and {third}")


def _things(scene: Scene) -> tuple[str, ...]:
    return tuple(map(article, (scene.subject, scene.first, scene.second)))


def _place(scene: Scene) -> str:
    return _sentence(" ".join(_surroundings(scene)))


def _surroundings(scene: Scene) -> tuple[str, ...]:
    return LANDSCAPES[scene.landscape], MOODS[scene.mood]


def _twist(scene: Scene) -> str:
    return _sentence(_happening(scene.twist))


def _happenings(scene: Scene) -> tuple[str, ...]:
    return (_happening(scene.twist),)


def _happening(twist: str) -> str:
    """Say what happens, and not to whom or with what."""
    return TWISTS[twist].says.format(
        s="somebody",
        a="something",
        b="something else",
        s_="creature",
        a_="thing",
        as_="things",
    )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


ASPECTS: Mapping[str, Aspect] = {
    aspect.name: aspect
    for aspect in (
        Aspect(
            "objects",
            _objects,
            tuple(map(article, (*SUBJECTS, *OBJECTS))),
            _things,
            plan=ONWARD,
            start="m",
        ),
        Aspect("place", _place, (*LANDSCAPES.values(), *MOODS.values()), _surroundings, "is set"),
        Aspect(
            "twist",
            _twist,
            tuple(map(_happening, TWISTS)),
            _happenings,
            "shows how",
        ),
    )
}


def retold(painted: Lesson, them: Sequence[Scene], aspect: Aspect, encoder: Encoder) -> Lesson:
    """Return a lesson's cards under captions of an aspect; nothing is painted anew.

    Parameters
    ----------
    painted
        Cards.
    them
        Their scenes, in order.
    aspect
        What is said of them.
    encoder
        Reads what is said, each text once.
    """
    return replace(painted, captions=encoder.encode([aspect.caption(scene) for scene in them]))


def _told_apart(painted: Lesson, them: Sequence[Scene], aspect: Aspect, encoder: Encoder) -> Lesson:
    """Return one card for each caption, as recall@1 asks which card of several is meant."""
    places = list({aspect.caption(scene): place for place, scene in enumerate(them)}.values())
    chosen = Lesson(painted.pixels[places], painted.captions[places])
    return retold(chosen, [them[place] for place in places], aspect, encoder)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the experts asked for; write weights, learning curves and accuracy by aspect."""
    options = _parser().parse_args(arguments)
    folder = Path(options.out or paths.data("weights", "experts"))
    folder.mkdir(parents=True, exist_ok=True)
    # The scenes that the largest eyes learn from: painted already, and the first are enough.
    seen = training_scenes(max(plan.cards for plan in PLANS.values()))
    unseen, encoder = unseen_scenes(TEST_CARDS, seen), default_encoder()
    test = lesson(unseen, encoder)
    for name in options.aspects:
        aspect = ASPECTS[name]
        asked = _told_apart(test, unseen, aspect, encoder)
        if not options.measure:
            n = aspect.plan.cards
            told = retold(lesson(seen, encoder).first(n), seen[:n], aspect, encoder)
            trained, curve = _train_visibly(aspect, told, asked)
            trained.save(folder / f"{name}.safetensors")
            _replace(folder / CURVES, pd.DataFrame(curve).assign(aspect=name))
        found = accuracy(Glimpse.load(name, folder), retold(test, unseen, aspect, encoder), asked)
        _replace(folder / ACCURACY, pd.DataFrame([found]).assign(aspect=name))


def _train_visibly(aspect: Aspect, told: Lesson, asked: Lesson) -> tuple[Glimpse, list[Point]]:
    batches = aspect.plan.epochs * (aspect.plan.cards // BATCH)
    start = Glimpse.load(aspect.start).learner() if aspect.start else None
    with tqdm(desc=aspect.name, total=batches, unit="batch") as progress:
        return train(aspect.plan, told, asked, progress=progress, start=start)


def accuracy(eyes: Glimpse, test: Lesson, asked: Lesson) -> dict[str, float]:
    """Return how well eyes know their aspect of unseen cards.

    Recall@1 is among as many cards as there are captions, so its chance differs from aspect
    to aspect; a choice among six has the chance that DixitBench has.

    Parameters
    ----------
    eyes
        Trained on the aspect.
    test
        Unseen cards under captions of the aspect.
    asked
        Those of them among which recall is measured, one a caption.
    """
    found = recall(eyes.encode(asked.pixels), eyes.read(asked.captions))
    cosines = eyes.encode(test.pixels) @ eyes.read(test.captions).T
    return {
        "captions": len(asked),
        "recall_at_1": found.mean(),
        "cards": len(test),
        "right_of_six": of_six(cosines, test.captions).mean(),
    }


def of_six(cosines: np.ndarray, captions: np.ndarray) -> np.ndarray:
    """Return for each card whether its caption finds it among five others of other captions.

    Parameters
    ----------
    cosines
        Of each card with each caption, shape (n, n).
    captions
        Sentence vectors, shape (n, d); equal ones are one caption.
    """
    kinds = np.unique(captions, axis=0, return_inverse=True)[1].ravel()
    rng = np.random.default_rng(ORDER_SEED)
    found = []
    for card, kind in enumerate(kinds):
        others = rng.choice(np.flatnonzero(kinds != kind), OPTIONS - 1, replace=False)
        found.append(cosines[card, card] > cosines[others, card].max())
    return np.array(found)


def _replace(table: Path, rows: pd.DataFrame) -> None:
    """Put an aspect's rows in the place of those that the table had."""
    rows = rows[["aspect", *rows.columns.drop("aspect")]]
    if table.exists():
        kept = pd.read_csv(table)
        rows = pd.concat([kept[~kept["aspect"].isin(rows["aspect"])], rows])
    rows = rows.sort_values("aspect", kind="stable")
    rows.to_csv(table, index=False, float_format="%.6f", lineterminator="\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dixitlib.models.aspects", description=main.__doc__
    )
    parser.add_argument("--aspects", nargs="+", choices=ASPECTS, default=list(ASPECTS))
    parser.add_argument("--measure", action="store_true", help="train nothing, measure what is")
    parser.add_argument("--out", help="folder for the weights; by default data/weights/experts")
    return parser


def eyes(name: str) -> Glimpse:
    """Read an expert's weights from the home.

    Raises
    ------
    FileNotFoundError
        If there are none.
    """
    return Glimpse.load(name, paths.data("weights", "experts"))


if __name__ == "__main__":
    main()
