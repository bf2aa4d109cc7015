"""The words of the dream grammar: who, with what, doing what, where, and in which light.

Subjects and objects map an English noun to the code point of its OpenMoji drawing.
Twists, landscapes and moods map a noun to the words a caption needs. How they are
painted is the painter's business; nothing here knows about colours or places on a card.
"""

from __future__ import annotations

from dataclasses import dataclass

SUBJECTS: dict[str, str] = {
    # beasts of field, forest and desert
    "rat": "1F400", "mouse": "1F401", "ox": "1F402", "tiger": "1F405", "leopard": "1F406",
    "rabbit": "1F407", "cat": "1F408", "horse": "1F40E", "ram": "1F40F", "goat": "1F410",
    "sheep": "1F411", "monkey": "1F412", "dog": "1F415", "boar": "1F417", "elephant": "1F418",
    "koala": "1F428", "poodle": "1F429", "camel": "1F42B", "squirrel": "1F43F", "stag": "1F98C",
    "gorilla": "1F98D", "rhinoceros": "1F98F", "giraffe": "1F992", "zebra": "1F993",
    "hedgehog": "1F994", "kangaroo": "1F998", "llama": "1F999", "hippopotamus": "1F99B",
    "raccoon": "1F99D", "badger": "1F9A1", "mammoth": "1F9A3", "sloth": "1F9A5",
    "skunk": "1F9A8", "beaver": "1F9AB", "bison": "1F9AC", "donkey": "1FACF", "fawn": "E003",
    # birds
    "rooster": "1F413", "sparrow": "1F426", "penguin": "1F427", "eagle": "1F985",
    "duck": "1F986", "owl": "1F989", "peacock": "1F99A", "parrot": "E010", "swan": "1F9A2",
    "dodo": "1F9A4", "flamingo": "1F9A9", "goose": "1FABF", "dove": "1F54A",
    # of the water
    "octopus": "1F419", "angelfish": "1F420", "pufferfish": "1F421", "turtle": "1F422",
    "dolphin": "1F42C", "whale": "1F433", "crab": "1F980", "shark": "1F988", "squid": "1F991",
    "lobster": "1F99E", "seal": "1F9AD", "jellyfish": "1FABC", "orca": "1FACD",
    "narwhal": "E006", "crocodile": "1F40A",
    # small things that creep and fly
    "snail": "1F40C", "caterpillar": "1F41B", "bee": "1F41D", "ladybird": "1F41E",
    "spider": "1F577", "bat": "1F987", "butterfly": "1F98B", "lizard": "1F98E",
    "grasshopper": "1F997", "beetle": "1FAB2",
    # people, dolls and creatures of tales
    "dragon": "1F409", "dinosaur": "1F995", "ghost": "1F47B", "snowman": "26C4",
    "mermaid": "1F9DC", "dancer": "1F483", "fencer": "1F93A", "rider": "E184",
    "sleepwalker": "1F6B6", "teddy bear": "1F9F8", "nesting doll": "1FA86",
    "wooden horse": "1F3A0", "stone head": "E216",
}  # fmt: skip

OBJECTS: dict[str, str] = {
    # worn and carried
    "crown": "1F451", "top hat": "1F3A9", "boot": "1F462", "ring": "1F48D", "scarf": "1F9E3",
    "suitcase": "1F9F3", "basket": "1F9FA", "umbrella": "2602", "fan": "1FAAD",
    "feather": "1FAB6", "parachute": "1FA82",
    # of the study and the workshop
    "light bulb": "1F4A1", "open book": "1F4D6", "red book": "1F4D5", "scroll": "1F4DC",
    "letter": "1F48C", "telephone": "260E", "camera": "1F4F7", "radio": "1F4FB",
    "magnifying glass": "1F50D", "key": "1F5DD", "padlock": "1F512", "telescope": "1F52D",
    "compass": "1F9ED", "mantel clock": "1F570", "alarm clock": "23F0", "hourglass": "231B",
    "paintbrush": "1F58C", "fountain pen": "2712", "palette": "1F3A8",
    "picture frame": "1F5BC", "gear": "2699", "alembic": "2697", "axe": "1FA93",
    "pair of scissors": "2702", "spool of thread": "1F9F5", "ball of yarn": "1F9F6",
    "puzzle piece": "1F9E9",
    # of the house
    "bell": "1F514", "candle": "1F56F", "oil lamp": "1FA94", "lantern": "1F3EE",
    "teacup": "2615", "coffee pot": "E152", "amphora": "1F3FA", "bathtub": "1F6C1",
    "armchair": "E141", "chair": "1FA91", "ladder": "1FA9C", "window": "1FA9F",
    "looking glass": "1FA9E", "bucket": "1FAA3", "broom": "1F9F9",
    # music and play
    "saxophone": "1F3B7", "trumpet": "1F3BA", "violin": "1F3BB", "harp": "1FA89",
    "accordion": "1FA97", "guitar": "1F3B8", "drum": "1F941", "die": "1F3B2", "kite": "1FA81",
    "balloon": "1F388", "chess king": "265A", "chess knight": "265E", "theatre mask": "1F3AD",
    "gift": "1F381", "disco ball": "1FAA9", "roller skate": "1F6FC",
    # that travel, and that stay
    "rocket": "1F680", "locomotive": "1F682", "bicycle": "1F6B2", "anchor": "2693",
    "flying saucer": "1F6F8", "castle": "1F3F0", "cottage": "1F3E0", "pagoda": "1F3EF",
    "circus tent": "1F3AA", "ferris wheel": "1F3A1", "fountain": "26F2", "hut": "1F6D6",
    # grown and eaten
    "mushroom": "1F344", "maple leaf": "1F341", "tulip": "1F337", "rose": "1F339",
    "sunflower": "1F33B", "cactus": "1F335", "lotus": "1FAB7", "coral": "1FAB8",
    "apple": "1F34E", "pear": "1F350", "pineapple": "1F34D", "strawberry": "1F353",
    "bunch of grapes": "1F347", "pumpkin": "1F383", "cheese": "1F9C0", "honey pot": "1F36F",
    "cupcake": "1F9C1", "lollipop": "1F36D", "nest of eggs": "1FABA",
    # treasures and wonders
    "diamond": "1F48E", "crystal ball": "1F52E", "treasure chest": "1FA8E", "star": "2B50",
    "planet": "1FA90", "flame": "1F525", "heart": "2764", "eye": "1F441",
    "dagger": "1F5E1", "shield": "1F6E1", "bow and arrow": "1F3F9", "trident": "1F531",
    "rainbow": "1F308", "globe": "1F30D",
}  # fmt: skip


# Subjects with bare skin.
PEOPLE = ("dancer", "fencer", "rider", "sleepwalker", "mermaid")

# What only a twist brings along.
PROPS: dict[str, str] = {"hand": "1FAF3", "teapot": "1FAD6"}


@dataclass(frozen=True, slots=True)
class Twist:
    """What is strange about a scene.

    Parameters
    ----------
    says
        Caption clause; ``{s}``, ``{a}`` and ``{b}`` stand for the subject and the two
        objects with their articles, ``{s_}`` and ``{a_}`` without, ``{as_}`` for the first
        object's plural.
    shuns
        Landscapes in which it would be hard to see.
    """

    says: str
    shuns: frozenset[str] = frozenset()


def _twist(says: str, *shuns: str) -> Twist:
    return Twist(says, frozenset(shuns))


TWISTS: dict[str, Twist] = {
    "giant": _twist(
        "a giant {s_} towers over everything, {a} and {b} tiny at its feet", "room", "theatre"
    ),
    "tether": _twist("{s} floats in the air, tethered by a rope to {a}, {b} dangling below it"),
    "procession": _twist("a procession of {as_} winds toward {s} holding {b}"),
    "bottle": _twist("{s} lives inside a corked glass bottle with {a}, {b} left outside"),
    "reflection": _twist(
        "{s} looks into the water and its reflection is {a}, with {b} on the bank"
    ),
    "moon house": _twist("{s} lives on a crescent moon, {a} and {b} hanging from it on threads"),
    "tower": _twist("{s} balances on top of a teetering tower of {as_} with {b} among them"),
    "roots": _twist("{s} grows roots deep underground that hold {a} and {b}"),
    "door": _twist("{s} comes through a glowing door standing alone, {a} above it and {b} beside"),
    "boat": _twist("{s} sails in a boat with {a} for a sail and {b} as its lantern", "room"),
    "burden": _twist("{s} carries a huge {a_} strapped to its back and {b} on top of it"),
    "shadow": _twist("{s} casts the long shadow of {a}, beside {b}"),
    "puppets": _twist("a great hand works {s} and {a} as puppets on strings, above {b}"),
    "snow globe": _twist("{s} and {a} are shut in a snow globe, {b} standing next to it"),
    "birdcage": _twist("{s} sits in a hanging birdcage with {a}, {b} below"),
    "egg": _twist("{s} hatches from a cracked egg together with {a}, watched by {b}"),
    "tree": _twist("{as_} grow like fruit on a tree over {s}, {b} leaning on the trunk"),
    "teapot": _twist("a giant teapot pours out a stream of {as_} past {s}, {b} on its lid"),
    "stairway": _twist("{s} climbs a stairway into the sky toward {a}, {b} on a step"),
    "eclipse": _twist("{a} eclipses the sun while {s} looks up from beside {b}"),
    "sky island": _twist("{s} and {a} share an island floating in the sky, {b} hanging beneath"),
    "pop-up book": _twist("{s} and {a} rise as paper figures from an opened book, {b} before it"),
    "mirror": _twist("{s} stands at a tall mirror that shows {a} instead, {b} on the floor"),
    "night inside": _twist(
        "the body of a huge {s_} is a window on a starry night with {a}, above {b}"
    ),
    "juggling": _twist("{s} juggles {as_} in a ring, standing upon {b}"),
    "constellation": _twist(
        "stars form a constellation of {a} above {s} with {b}", "room"
    ),
    "strange rain": _twist("{as_} rain from a cloud upon {s} under an umbrella, {b} on the ground"),
    "tightrope": _twist("{s} walks a tightrope between {a} and {b} on high pillars"),
    "balance": _twist("{s} is weighed against {a} on a huge pair of scales crowned by {b}"),
    "airship": _twist("{s} travels in a basket under a balloon shaped like {a}, trailing {b}"),
    "hourglass": _twist("{s} sits in the top of a giant hourglass whose sand buries {a}, {b} near"),
    "moon fishing": _twist("{s} sits on the moon fishing up {a} with a line, {b} far below"),
}  # fmt: skip

LANDSCAPES: dict[str, str] = {
    "sea": "on the open sea",
    "lake": "by a still lake",
    "desert": "among desert dunes",
    "forest": "in a pine forest",
    "birch wood": "in a birch wood",
    "hills": "on green rolling hills",
    "chequered plain": "on a chequered plain",
    "rooftops": "above the rooftops of a city",
    "snow mountains": "beneath snowy mountains",
    "theatre": "on a theatre stage with curtains",
    "clouds": "on a sea of clouds",
    "seabed": "at the bottom of the sea",
    "meadow": "in a flowering meadow",
    "room": "in a room with a tall window",
    "canyon": "in a canyon of stone arches",
    "ruins": "among ruined columns",
}

MOODS: dict[str, str] = {
    "rose moon": "under a rose moon",
    "golden dawn": "at golden dawn",
    "blue midnight": "at starry blue midnight",
    "ember dusk": "at a red ember dusk",
    "green aurora": "beneath a green aurora",
    "falling snow": "in falling snow",
    "silver rain": "in silver rain",
    "violet storm": "under violet storm clouds",
    "pale noon": "at a pale misty noon",
    "firefly night": "on a night of fireflies",
    "amber fog": "in amber fog",
    "teal twilight": "in teal twilight",
    "peach morning": "on a peach-coloured morning",
    "sepia evening": "on a sepia evening",
}

_IRREGULAR = {
    "strawberry": "strawberries",
    "bow and arrow": "bows and arrows",
    "die": "dice",
    "maple leaf": "maple leaves",
    "scarf": "scarves",
}


def article(noun: str) -> str:
    """Return the noun with its indefinite article: *an hourglass*, *a key*."""
    return f"{'an' if noun[0] in 'aeiou' or noun.startswith('hour') else 'a'} {noun}"


def plural(noun: str) -> str:
    """Return the noun's plural: *keys*, *nests of eggs*, *dice*."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    head, of, rest = noun.partition(" of ")
    if head.endswith(("s", "x", "ch", "sh")):
        return f"{head}es{of}{rest}"
    return f"{head}s{of}{rest}"
