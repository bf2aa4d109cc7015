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

import pandas as pd
from tqdm import tqdm

from dixitlib import paths
from dixitlib.cards.lexicon import LANDSCAPES, MOODS, OBJECTS, SUBJECTS, TWISTS, article
from dixitlib.cards.scenes import Scene
from dixitlib.models.glimpse import Glimpse
from dixitlib.models.lessons import Lesson, lesson, training_scenes, unseen_scenes
from dixitlib.models.sentences import Encoder, default_encoder
from dixitlib.models.training import BATCH, PLANS, TEST_CARDS, Plan, train

# Minutes of training. Some 200 nouns, small on their cards, take longer: the eyes for objects
# have learnt little by then, as their curve says.
PLAN = Plan(width=12, cards=6_144, epochs=6)
CURVES = "learning_curves.csv"


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
    """

    name: str
    caption: Callable[[Scene], str]
    vocabulary: tuple[str, ...]
    shown: Callable[[Scene], tuple[str, ...]]
    verb: str = "shows"


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
        Aspect("objects", _objects, tuple(map(article, (*SUBJECTS, *OBJECTS))), _things),
        Aspect("place", _place, (*LANDSCAPES.values(), *MOODS.values()), _surroundings, "is set"),
        Aspect(
            "twist",
            _twist,
            tuple(map(_happening, TWISTS)),
            lambda scene: (_happening(scene.twist),),
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
    """Train the experts asked for; write their weights and learning curves."""
    options = _parser().parse_args(arguments)
    folder = Path(options.out or paths.data("weights", "experts"))
    folder.mkdir(parents=True, exist_ok=True)
    # The scenes that the largest eyes learn from: painted already, and the first are enough.
    seen = training_scenes(max(plan.cards for plan in (PLAN, *PLANS.values())))
    unseen, encoder = unseen_scenes(TEST_CARDS, seen), default_encoder()
    cards, test = lesson(seen, encoder), lesson(unseen, encoder)
    for name in options.aspects:
        aspect = ASPECTS[name]
        told = retold(cards.first(PLAN.cards), seen[: PLAN.cards], aspect, encoder)
        asked = _told_apart(test, unseen, aspect, encoder)
        with tqdm(desc=name, total=PLAN.epochs * (PLAN.cards // BATCH), unit="batch") as progress:
            trained, curve = train(PLAN, told, asked, progress=progress)
        trained.save(folder / f"{name}.safetensors")
        _replace(folder / CURVES, pd.DataFrame(curve).assign(aspect=name))


def _replace(table: Path, rows: pd.DataFrame) -> None:
    """Put an aspect's curve in the place of the one that the table had."""
    rows = rows[["aspect", *rows.columns.drop("aspect")]]
    if table.exists():
        kept = pd.read_csv(table)
        rows = pd.concat([kept[~kept["aspect"].isin(rows["aspect"])], rows])
    rows = rows.sort_values(["aspect", "epoch"])
    rows.to_csv(table, index=False, float_format="%.6f", lineterminator="\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dixitlib.models.aspects", description=main.__doc__
    )
    parser.add_argument("--aspects", nargs="+", choices=ASPECTS, default=list(ASPECTS))
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
