"""Every decision that makes a merge table what it is, as one frozen value.

The same `Recipe` drives training, the command line, the table file and the settings in the window. Two recipes that
differ in size alone share a prefix of merges (`Recipe.without_size`).

    Recipe.of("chapter-81")                 bytes, entries, ties to the lowest ids, 256 merges
    Recipe.of("published").asking(merges=10)
"""

import hashlib
import json
from collections.abc import Mapping, Set
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import cached_property
from typing import Any

from explorer.core.vocabulary import Piece, PieceKind
from explorer.errors import RecipeError


class AlphabetKind(Enum):
    """What a symbol is."""

    BYTES = "bytes"  # the 256 byte values
    CHARACTERS = "characters"  # the characters of the corpus


class Unknown(Enum):
    """What a character that the corpus never held is encoded as. A byte alphabet has none such and says STAND_IN."""

    STAND_IN = "stand-in"  # one row for all of them; the text is lost
    FALLBACK = "fallback"  # the rows of its bytes, and a row for the bare marker
    KEEP = "keep"  # as it is, without an id


class PreTokenRule(Enum):
    """How a text is cut into the pre-tokens that no merge crosses."""

    ENTRIES = "entries"  # at every LF, which is a token of its own
    WORDS = "words"  # lines, then runs without U+0020
    BYTE_WORDS = "byte-words"  # a word carries its leading space
    GPT2 = "gpt2"
    CL100K = "cl100k"
    O200K = "o200k"
    PATTERN = "pattern"  # the recipe's own `pattern`


class TieRule(Enum):
    """Which of several pairs with the greatest count is merged."""

    LOWEST_IDS = "lowest-ids"  # left id, then right id
    LEXICOGRAPHIC = "lexicographic"  # the pieces as text, left, right, then ids
    FIRST_MET = "first-met"  # the smallest first position in the undeduplicated corpus
    LAST_MET = "last-met"  # the greatest last position


class Counting(Enum):
    """Which occurrences of a pair count."""

    OVERLAPPING = "overlapping"  # every adjacent position: aaa holds aa twice
    DISJOINT = "disjoint"  # what a merge would really replace


class LineEnds(Enum):
    """What CR is."""

    KEEP = "keep"  # data like any other byte
    LF = "lf"  # CR LF and CR read as LF


@dataclass(frozen=True, slots=True)
class Choice:
    """A person's choice: the pair merged at a rank (0-based), by piece, whatever the tie rule says."""

    rank: int
    left: Piece
    right: Piece


@dataclass(frozen=True)
class Joints:
    """Words and the parts they are cut into before counting, sorted by word; the marker stays on the last part.

    Only the digest goes into the JSON of a recipe when there are more than `IN_FULL` words.
    """

    words: tuple[tuple[bytes, tuple[bytes, ...]], ...]

    IN_FULL = 1000

    @classmethod
    def of(cls, parts: Mapping[bytes, tuple[bytes, ...]]) -> "Joints":
        """The joints of a mapping from word to parts; the parts must make the word."""
        for word, cut in parts.items():
            if b"".join(cut) != word or not all(cut):
                raise RecipeError(f"The joints of {_shown(word)} do not make the word: {' | '.join(map(_shown, cut))}.")
        return cls(tuple(sorted(parts.items())))

    @cached_property
    def mapping(self) -> dict[bytes, tuple[bytes, ...]]:
        """Word to parts."""
        return dict(self.words)

    @cached_property
    def sha256(self) -> str:
        """The digest of the words and their parts, in hex."""
        lines = (word + b"\t" + b"|".join(parts) + b"\n" for word, parts in self.words)
        return hashlib.sha256(b"".join(lines)).hexdigest()


@dataclass(frozen=True, slots=True)
class Recipe:
    """All decisions. `rows` or `merges` is the size asked for, or neither: then to the end.

    `rows` counts stand-in, alphabet and merges; the 257 fallback rows lie outside. `lift` is the number of such rows at
    which merges begin to cross pre-tokens. Contradictions raise RecipeError.
    """

    alphabet: AlphabetKind = AlphabetKind.BYTES
    marker: bool = False
    unknown: Unknown = Unknown.STAND_IN
    pretokens: PreTokenRule = PreTokenRule.ENTRIES
    pattern: str | None = None
    line_ends: LineEnds = LineEnds.KEEP
    rows: int | None = None
    merges: int | None = None
    tie: TieRule = TieRule.LOWEST_IDS
    counting: Counting = Counting.OVERLAPPING
    min_count: int = 2
    lift: int | None = None
    choices: tuple[Choice, ...] = ()
    joints: Joints | None = None

    def __post_init__(self) -> None:
        """Refuses what does not go together."""
        if self.rows is not None and self.merges is not None:
            raise RecipeError("A size is asked for in rows or in merges, not in both.")
        for name, least in (("rows", 0), ("merges", 0), ("min_count", 1), ("lift", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise RecipeError(f"{name.replace('_', ' ')} is {value}; it must be {least} or more.")
        if self.lift is not None and self.pretokens is PreTokenRule.ENTRIES:
            raise RecipeError("The boundary between entries is never lifted: choose other pre-tokens, or no lift.")
        if (self.pattern is not None) != (self.pretokens is PreTokenRule.PATTERN):
            raise RecipeError("A split pattern of your own goes with pre-tokens of kind pattern, and with no other.")
        self._refuse_of_the_alphabet()
        if self.joints and self.pretokens is not PreTokenRule.WORDS:
            raise RecipeError("Joints cut words: choose pre-tokens of kind words.")
        ranks = [choice.rank for choice in self.choices]
        if ranks != sorted(set(ranks)) or (ranks and ranks[0] < 0):
            raise RecipeError("Choices must be in rank order, one a rank, and ranks count from 0.")

    def _refuse_of_the_alphabet(self) -> None:
        if self.alphabet is AlphabetKind.CHARACTERS:
            if self.pretokens is not PreTokenRule.WORDS:
                raise RecipeError("An alphabet of characters is trained on words: choose pre-tokens of kind words.")
            return
        if self.marker:
            raise RecipeError("An end-of-word marker needs an alphabet of characters.")
        if self.unknown is not Unknown.STAND_IN:
            kind = self.unknown.value
            raise RecipeError(f"Unknown characters as {kind} need an alphabet of characters. To bytes nothing is unknown: say stand-in.")

    @classmethod
    def of(cls, preset: str) -> "Recipe":
        """A preset by its name, with the size that goes with it."""
        try:
            return PRESETS[preset]
        except KeyError:
            raise RecipeError(f"There is no recipe {preset!r}. The recipes are {', '.join(PRESETS)}.") from None

    def asking(self, *, rows: int | None = None, merges: int | None = None) -> "Recipe":
        """The same recipe at another size; neither means to the end."""
        return replace(self, rows=rows, merges=merges)

    def without_size(self) -> "Recipe":
        """What two recipes that share a prefix have in common; the rank-ordered choices stay."""
        return replace(self, rows=None, merges=None)

    @property
    def preset(self) -> str | None:
        """The name of the preset this is, whatever its size, choices and joints; None for a recipe of one's own."""
        bare = replace(self.without_size(), choices=(), joints=None)
        return next((name for name, preset in PRESETS.items() if preset.without_size() == bare), None)

    @property
    def fallback(self) -> bool:
        """Whether the 257 fallback rows stand underneath."""
        return self.alphabet is AlphabetKind.CHARACTERS and self.unknown is Unknown.FALLBACK

    def choice_at(self, rank: int) -> Choice | None:
        """The choice made for a rank, if there is one."""
        return next((choice for choice in self.choices if choice.rank == rank), None)

    def to_json(self) -> dict[str, Any]:  # Any: JSON values
        """The recipe as JSON values; `from_json` reads them back."""
        out: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            out[field.name] = value.value if isinstance(value, Enum) else value
        out["choices"] = [{"rank": c.rank, "left": _piece_json(c.left), "right": _piece_json(c.right)} for c in self.choices]
        out["joints"] = _joints_json(self.joints)
        return out

    @classmethod
    def from_json(cls, values: Mapping[str, Any], joints: Joints | None = None) -> "Recipe":
        """Reads what `to_json` wrote; fields left out take their defaults.

        `joints` are the words behind a recipe that names its joints by digest alone. Raises RecipeError for a field that
        does not exist, a value it cannot have, or joints that are not the ones named.
        """
        known = {field.name for field in fields(cls)}
        if strange := sorted(set(values) - known):
            raise RecipeError(f"A recipe has no field {strange[0]!r}. Its fields are {', '.join(sorted(known))}.")
        made: dict[str, Any] = {}
        for name, value in values.items():
            made[name] = _read_field(name, value, joints)
        return cls(**made)


def _read_field(name: str, value: Any, joints: Joints | None) -> Any:
    enums: dict[str, type[Enum]] = {
        "alphabet": AlphabetKind, "unknown": Unknown, "pretokens": PreTokenRule, "line_ends": LineEnds, "tie": TieRule,
        "counting": Counting,
    }
    if name in enums:
        try:
            return enums[name](value)
        except ValueError:
            kinds = ", ".join(str(kind.value) for kind in enums[name])
            raise RecipeError(f"{name} cannot be {value!r}. It is one of {kinds}.") from None
    if name == "choices":
        return _read_choices(value)
    if name == "joints":
        return _read_joints(value, joints)
    if name == "marker":
        good = isinstance(value, bool)
    elif name == "pattern":
        good = value is None or isinstance(value, str)
    else:
        good = (value is None and name != "min_count") or (isinstance(value, int) and not isinstance(value, bool))
    if not good:
        raise RecipeError(f"{name} cannot be {value!r}.")
    return value


_CHOICE_FORM = '{"rank": N, "left": PIECE, "right": PIECE}, a piece {"bytes": HEX, "marked": true or false, "kind": "symbol" or another}'


def _read_choices(value: Any) -> tuple[Choice, ...]:
    try:
        return tuple(map(_read_choice, value))
    except (TypeError, ValueError) as error:
        raise RecipeError(f"choices cannot be read: {error}. Each is {_CHOICE_FORM}.") from None


def _read_choice(value: Any) -> Choice:
    """A choice, nothing converted: TypeError or ValueError for what is not written as `to_json` writes it."""
    _has_fields("a choice", value, {"rank", "left", "right"})
    if type(value["rank"]) is not int:
        raise ValueError(f"the rank {value['rank']!r} is not a whole number")
    return Choice(value["rank"], _read_piece(value["left"]), _read_piece(value["right"]))


def _read_joints(value: Any, joints: Joints | None) -> Joints | None:
    if value is None:
        return None
    try:
        if "words" in value:
            return Joints.of({_coded(word): tuple(map(_coded, parts)) for word, parts in value["words"].items()})
        digest = str(value["sha256"])
        if joints and joints.sha256 == digest:
            return joints
    except (AttributeError, KeyError, TypeError) as error:
        raise RecipeError(f"joints cannot be read ({error}).") from None
    raise RecipeError(f"The recipe names joints by digest ({digest[:16]}) and those are not here: give the joints file.")


def _joints_json(joints: Joints | None) -> dict[str, Any] | None:
    if joints is None:
        return None
    if len(joints.words) > Joints.IN_FULL:
        return {"sha256": joints.sha256, "count": len(joints.words)}
    return {"words": {_shown(word): list(map(_shown, parts)) for word, parts in joints.words}}


def _piece_json(piece: Piece) -> dict[str, Any]:
    out: dict[str, Any] = {"bytes": piece.bytes.hex(), "marked": piece.marked, "kind": piece.kind.value}
    if piece.breaks:
        out["breaks"] = list(piece.breaks)
    return out


def _read_piece(value: Any) -> Piece:
    """A piece, nothing converted: TypeError or ValueError for what is not written as `_piece_json` writes it."""
    _has_fields("a piece", value, {"bytes", "marked", "kind"}, {"breaks"})
    own, marked, breaks = bytes.fromhex(value["bytes"]), value["marked"], value.get("breaks", [])
    if not isinstance(marked, bool):
        raise ValueError(f"marked is {marked!r}, neither true nor false")
    places = [at for at in breaks if type(at) is int and 0 <= at <= len(own)]
    if breaks != sorted(places):
        raise ValueError(f"the breaks {breaks!r} are not places inside a piece of {len(own)} bytes, in order")
    return Piece(own, marked, PieceKind(value["kind"]), tuple(breaks))


def _has_fields(what: str, value: Any, needed: Set[str], allowed: Set[str] = frozenset()) -> None:
    """TypeError for what is no JSON object with the fields needed and no others than those allowed besides."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} is an object in braces, not {value!r}")
    if lacking := sorted(needed - set(value)):
        raise TypeError(f"{what} lacks {lacking[0]!r}")
    if strange := sorted(set(value) - needed - allowed):
        raise TypeError(f"{what} has no field {strange[0]!r}")


def _shown(piece: bytes) -> str:
    return piece.decode("utf-8", "surrogateescape")


def _coded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def recipe_line(recipe: Recipe) -> str:
    """The recipe as one line of ASCII JSON, keys sorted: what a table file carries."""
    return json.dumps(recipe.to_json(), sort_keys=True)


_PUBLISHED = Recipe(AlphabetKind.CHARACTERS, True, Unknown.STAND_IN, PreTokenRule.WORDS, tie=TieRule.LEXICOGRAPHIC)

PRESETS: Mapping[str, Recipe] = {
    "chapter-81": Recipe(merges=256),
    "published": _PUBLISHED,
    "fallback": replace(_PUBLISHED, unknown=Unknown.FALLBACK),
    "byte-words": Recipe(pretokens=PreTokenRule.BYTE_WORDS, tie=TieRule.LEXICOGRAPHIC),
    "script": replace(_PUBLISHED, marker=False, unknown=Unknown.KEEP, min_count=1, merges=5),
    "gpt2": Recipe(pretokens=PreTokenRule.GPT2, rows=32768),
    "cl100k": Recipe(pretokens=PreTokenRule.CL100K, rows=32768),
    "o200k": Recipe(pretokens=PreTokenRule.O200K, rows=32768),
}
"""The presets of the product, by name."""

__all__ = [
    "PRESETS", "AlphabetKind", "Choice", "Counting", "Joints", "LineEnds", "PreTokenRule", "Recipe", "TieRule", "Unknown",
    "recipe_line",
]
