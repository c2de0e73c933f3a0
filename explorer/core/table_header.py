"""The comment lines above the merges of a table file: corpus, recipe, the rows of a learned alphabet, counts.

The form is described in table_file.py. A `Header` takes line after line and refuses each that is malformed, said twice or out of place; at
the first merge it gives the alphabet, and at the end it says whether the merges are what it announced.
"""

import json
import re
from pathlib import Path
from typing import NoReturn

from explorer.core.alphabet import Alphabet, symbols_of
from explorer.core.quoting import piece_fault, unquote
from explorer.core.recipe import AlphabetKind, Joints, Recipe
from explorer.core.vocabulary import Pair, Piece, PieceKind, Rank
from explorer.errors import RecipeError, TableFileError

NUMBER = re.compile(rb"0|[1-9][0-9]{0,17}")

_LINE = re.compile(rb"# (corpus|recipe|lift-rank|row|merges)(?: (.*))?", re.DOTALL)
_CORPUS = re.compile(rb'(?:("(?:[^"\\]|\\.)*"), )?(0|[1-9][0-9]{0,18}) bytes, sha256 ([0-9a-f]{16,64})')
_ROW = re.compile(rb'(0|[1-9][0-9]{0,8}) (?:(stand-in|marker)|(symbol|byte) ((?:[0-9a-f]{2})+)( marked)? (".*"))')
_MERGES = re.compile(rb"(0|[1-9][0-9]{0,17}), vocabulary (0|[1-9][0-9]{0,17})")
_EXPECTED = {
    b"corpus": '# corpus "NAME", N bytes, sha256 DIGEST',
    b"recipe": "# recipe and a JSON object",
    b"lift-rank": "# lift-rank N or none",
    b"row": "# row N KIND BYTES [marked] PIECE",
    b"merges": "# merges N, vocabulary N",
}


class Header:
    """What the header says, while its lines are read. `versioned` is False for chapter 81's form, which knows only corpus and merges."""

    def __init__(self, path: Path | None, versioned: bool, joints: Joints | None) -> None:
        self.path, self.versioned, self.joints = path, versioned, joints
        self.said: dict[bytes, int] = {}  # word of a line to its number
        self.recipe = Recipe.of("chapter-81")
        self.name: str | None = None
        self.bytes: int | None = None
        self.sha256: str | None = None
        self.lift_rank: Rank | None = None
        self.counts: tuple[int, int] | None = None
        self.rows: list[tuple[int, Piece]] = []  # number of the line, row of the alphabet

    def fail(self, reason: str, line: int | None = None) -> NoReturn:
        """Raises the refusal."""
        raise TableFileError(reason, self.path, line)

    def take(self, number: int, line: bytes, above_merges: bool) -> None:
        """Takes a comment line; one that is none of ours says nothing."""
        found = _LINE.fullmatch(line)
        if not found or not (self.versioned or found[1] in (b"corpus", b"merges")):
            return
        word, rest = found[1], found[2] or b""
        if not above_merges:
            self.fail(f"a line # {word.decode()} stands above the first merge or nowhere.", number)
        if word != b"row" and word in self.said:
            self.fail(f"there is a line # {word.decode()} already, line {self.said[word]}.", number)
        self.said[word] = number
        readers = {
            b"corpus": self._corpus, b"recipe": self._recipe, b"lift-rank": self._lift_rank, b"row": self._row, b"merges": self._counts,
        }
        if not readers[word](number, rest):
            self.fail(f"this line is malformed. Expected {_EXPECTED[word]}.", number)

    def _corpus(self, number: int, rest: bytes) -> bool:
        """Name, size and digest of the corpus."""
        found = _CORPUS.fullmatch(rest)
        if not found:
            return False
        if found[1]:
            try:
                self.name = unquote(found[1]).decode("utf-8", "replace")
            except ValueError as error:
                self.fail(f"the name of the corpus is not a quoted string: {error}.", number)
        self.bytes, self.sha256 = int(found[2]), found[3].decode()
        return True

    def _recipe(self, number: int, rest: bytes) -> bool:
        """The recipe in JSON."""
        try:
            values = json.loads(rest)
            if not isinstance(values, dict):
                return False
            self.recipe = Recipe.from_json(values, self.joints)
        except RecipeError as error:
            self.fail(str(error), number)
        except (ValueError, RecursionError):
            return False
        return True

    def _lift_rank(self, number: int, rest: bytes) -> bool:
        """The rank of the first merge of the second stage."""
        if NUMBER.fullmatch(rest):
            self.lift_rank = int(rest)
        return self.lift_rank is not None or rest == b"none"

    def _counts(self, number: int, rest: bytes) -> bool:
        """How many merges and how many tokens there are."""
        found = _MERGES.fullmatch(rest)
        if found:
            self.counts = int(found[1]), int(found[2])
        return bool(found)

    def _row(self, number: int, rest: bytes) -> bool:
        """One row of a learned alphabet."""
        found = _ROW.fullmatch(rest)
        if not found:
            return False
        if b"recipe" not in self.said:
            self.fail("the rows of an alphabet stand under the recipe.", number)
        if int(found[1]) != len(self.rows):
            self.fail(f"row {int(found[1])} stands where row {len(self.rows)} comes next.", number)
        if found[2]:
            kind = PieceKind(found[2].decode())
            self.rows.append((number, Piece(b"", kind is PieceKind.MARKER, kind)))
            return True
        piece = Piece(bytes.fromhex(found[4].decode()), bool(found[5]), PieceKind(found[3].decode()))
        if fault := piece_fault(found[6], piece, self.recipe.marker, f"row {len(self.rows)}", "its bytes are"):
            self.fail(fault, number)
        self.rows.append((number, piece))
        return True

    def alphabet(self, number: int) -> Alphabet:
        """The alphabet once the header is complete; its rows must be those that training would have given it."""
        needed = [b"recipe", b"merges"] + [b"lift-rank"] * (self.recipe.lift is not None)
        for word in needed:
            if self.versioned and word not in self.said:
                self.fail(f"the header ends here without its line {_EXPECTED[word]}.", number)
        if self.recipe.alphabet is AlphabetKind.BYTES:
            if self.rows:
                self.fail("a table of bytes has its 256 rows by itself and lists none.", self.rows[0][0])
            return Alphabet.of_bytes()
        rows = tuple(piece for _, piece in self.rows)
        beneath = len(Alphabet.of_symbols((), self.recipe).rows)
        for line, piece in self.rows[beneath:]:
            if not self._is_symbol(piece):
                self.fail("this is no symbol of such an alphabet: a character (or a byte that is not UTF-8) of a word.", line)
        alphabet = Alphabet.of_symbols(set(rows[beneath:]), self.recipe)
        if alphabet.rows != rows:
            at = _first_difference(alphabet.rows, rows)
            line = self.rows[at][0] if at < len(rows) else number
            self.fail(f"row {at} is missing, repeated or out of order: first those of the recipe, then the symbols in their order.", line)
        return alphabet

    def _is_symbol(self, piece: Piece) -> bool:
        """Whether a piece is one symbol of a word under this recipe."""
        in_a_word = piece.bytes not in (b" ", b"\n") and (self.recipe.marker or not piece.marked)
        return in_a_word and list(symbols_of(piece.bytes, piece.marked)) == [piece]

    def check(self, alphabet: Alphabet, merges: list[Pair], pieces: list[Piece]) -> None:
        """Refuses merges whose number is not the one announced, or that the recipe cannot have given."""
        learned, size = len(merges), len(pieces)
        if self.counts and self.counts != (learned, size):
            says = f"the header says {self.counts[0]} merges and a vocabulary of {self.counts[1]}"
            self.fail(f"{says}; the file holds {learned} and {size}. It was cut off or edited.", self.said[b"merges"])
        if self.versioned:
            self._check_recipe(alphabet, merges, pieces)

    def _check_recipe(self, alphabet: Alphabet, merges: list[Pair], pieces: list[Piece]) -> None:
        recipe, learned, line = self.recipe, len(merges), self.said[b"recipe"]
        asked = recipe.merges if recipe.rows is None else recipe.rows - alphabet.floor
        if asked is not None and learned > asked:
            self.fail(f"the recipe asks for {asked} merges and the file holds {learned}.", line)
        at = None if recipe.lift is None else max(0, recipe.lift - alphabet.floor)
        lifted = self.lift_rank
        if lifted is not None and (at is None or lifted > min(at, learned)):
            self.fail(f"the recipe does not lift the boundary at rank {lifted}.", self.said[b"lift-rank"])
        if lifted is None and at is not None and learned > at:
            self.fail(f"the recipe lifts the boundary at rank {at} at the latest, and the file holds {learned} merges without it.", line)
        for choice in recipe.choices:
            pair = merges[choice.rank] if choice.rank < learned else None
            if pair and (pieces[pair[0]], pieces[pair[1]]) != (choice.left, choice.right):
                self.fail(f"the recipe chooses another pair at rank {choice.rank} than the file merges there.", line)


def _first_difference(rows: tuple[Piece, ...], others: tuple[Piece, ...]) -> int:
    differing = (at for at, (row, other) in enumerate(zip(rows, others, strict=False)) if row != other)
    return next(differing, min(len(rows), len(others)))
