"""The rows a vocabulary has before any merge, and how a pre-token is spelled in them.

    bytes        0..255
    characters   [<0x00>..<0xFF>, </w>]  stand-in  the corpus's symbols          then merges
                  only with fallback     not with keep  by text, unmarked first

A spelling is a Python string with one character a token: `chr(token id)`. That makes a merge `str.replace` (left to
right, without overlap: the very rule) and an occurrence `str.count`, at the speed of C in readable code. Ids below
`KEPT_FROM` fit; characters that the alphabet lacks and the recipe keeps take numbers from `FIRST_KEPT` down to it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from explorer.core.figures import thousands
from explorer.core.recipe import AlphabetKind, Recipe, Unknown
from explorer.core.vocabulary import Piece, PieceKind, TokenId, byte_piece
from explorer.errors import TooLargeError

UNDERNEATH = 257  # the fallback rows: 256 bytes and the bare marker
BARE_MARKER = 256
BOUNDARY = chr(0x10FFFF)  # stands between pre-tokens in a spelling of many; no id reaches it
FIRST_KEPT = 0x10FFFD  # below the two boundaries of an encoding
PART = 1_000  # bytes of a pre-token that are spelled at once: about 1 ms
KEPT_FROM = 0xE0000  # numbers from here on are no ids: 917,504 rows and 196,606 different kept characters have room


@dataclass(frozen=True, slots=True)
class Spelled:
    """A pre-token in symbols: `ids` as a spelling, `widths` how many bytes each covers, 0 to 4, one byte a symbol."""

    ids: str
    widths: bytes


@dataclass(frozen=True)
class Alphabet:
    """The rows before the merges, in id order, and the recipe's decisions about them."""

    kind: AlphabetKind
    marker: bool
    unknown: Unknown
    rows: tuple[Piece, ...]

    @classmethod
    def of_bytes(cls) -> "Alphabet":
        """All 256 byte values; needs no corpus."""
        return cls(AlphabetKind.BYTES, False, Unknown.STAND_IN, tuple(map(byte_piece, range(256))))

    @classmethod
    def of_symbols(cls, symbols: Iterable[Piece], recipe: Recipe) -> "Alphabet":
        """The symbols of a corpus, in any order and each once, with what stands beneath them."""
        rows: list[Piece] = []
        if recipe.fallback:
            rows += [*map(byte_piece, range(256)), Piece(b"", marked=True, kind=PieceKind.MARKER)]
        if recipe.unknown is not Unknown.KEEP:
            rows.append(Piece(b"", kind=PieceKind.STAND_IN))
        there = set(rows)
        rows += sorted((s for s in symbols if s not in there), key=lambda s: (s.bytes.decode("utf-8", "surrogateescape"), s.marked))
        return cls(AlphabetKind.CHARACTERS, recipe.marker, recipe.unknown, tuple(rows))

    @property
    def first_merged_id(self) -> TokenId:
        """The id of the merge of rank 0: how many rows there are before it."""
        return len(self.rows)

    @property
    def underneath(self) -> int:
        """How many rows lie outside the size asked for: 257 with fallback, otherwise 0."""
        return UNDERNEATH if self._fallback else 0

    @property
    def floor(self) -> int:
        """The fewest rows a vocabulary over this alphabet can be asked for."""
        return self.first_merged_id - self.underneath

    @property
    def _fallback(self) -> bool:
        return self.kind is AlphabetKind.CHARACTERS and self.unknown is Unknown.FALLBACK

    @cached_property
    def ids(self) -> dict[Piece, TokenId]:
        """Piece to id; of several rows alike the lowest."""
        return {piece: at for at, piece in reversed(list(enumerate(self.rows)))}

    @cached_property
    def stand_in(self) -> TokenId | None:
        """The id of the stand-in row, if there is one."""
        return self.ids.get(Piece(b"", kind=PieceKind.STAND_IN))

    def spell(self, pretoken: bytes, ends_word: bool, kept: dict[str, str] | None = None) -> Spelled:
        """The pre-token in symbols.

        A character without a row becomes the stand-in, its byte rows, or (recipe `keep`) a number of its own that is
        noted in `kept`: character to number.
        """
        return joined(list(self.spell_parts(pretoken, ends_word, kept)))

    def spell_parts(self, pretoken: bytes, ends_word: bool, kept: dict[str, str] | None = None) -> Iterator[Spelled]:
        """The same part by part, about a millisecond each, for those who may be stopped; under bytes it is one."""
        if self.kind is AlphabetKind.BYTES:
            yield Spelled(pretoken.decode("latin-1"), b"\1" * len(pretoken))
            return
        for part, is_last in parts_of(pretoken):
            ids: list[str] = []
            widths: list[int] = []
            for symbol in symbols_of(part, self.marker and ends_word and is_last):
                for made, width in self._rows_for(symbol, kept):
                    ids.append(made)
                    widths.append(width)
            yield Spelled("".join(ids), bytes(widths))

    def _rows_for(self, symbol: Piece, kept: dict[str, str] | None) -> Iterator[tuple[str, int]]:
        """The rows that stand for one symbol, each with how many of its bytes it covers."""
        row = self.ids.get(symbol)
        if row is not None:
            yield chr(row), len(symbol.bytes)
        elif self._fallback:
            yield from self._fallen_back(symbol)
        elif self.stand_in is not None:
            yield chr(self.stand_in), len(symbol.bytes)
        else:
            assert kept is not None, "a spelling that may keep characters needs somewhere to note them"
            yield _number_for(symbol, kept), len(symbol.bytes)

    def _fallen_back(self, symbol: Piece) -> Iterator[tuple[str, int]]:
        plain = self.ids.get(Piece(symbol.bytes, kind=symbol.kind)) if symbol.marked else None
        if plain is not None:
            yield chr(plain), len(symbol.bytes)
        else:
            yield from ((chr(value), 1) for value in symbol.bytes)
        if symbol.marked:
            yield chr(BARE_MARKER), 0


def joined(parts: list[Spelled]) -> Spelled:
    """The parts of a pre-token as one."""
    return parts[0] if len(parts) == 1 else Spelled("".join(part.ids for part in parts), b"".join(part.widths for part in parts))


def parts_of(pretoken: bytes) -> Iterator[tuple[bytes, bool]]:
    """A pre-token in parts of at most `PART` bytes that cut no character, each with whether it is the last; an empty one is one part."""
    start = 0
    while len(pretoken) - start > PART:
        end = start + PART
        while end > start + PART - 3 and pretoken[end] & 0xC0 == 0x80:  # after three more no character goes on
            end -= 1
        end = start + PART if pretoken[end] & 0xC0 == 0x80 else end
        yield pretoken[start:end], False
        start = end
    yield pretoken[start:], True


def symbols_of(pretoken: bytes, marked: bool) -> Iterator[Piece]:
    """The characters of a pre-token as pieces, the last one marked if `marked`; a stray byte is a piece of kind byte."""
    text = pretoken.decode("utf-8", "surrogateescape")
    for at, character in enumerate(text, start=1):
        stray = "\udc80" <= character <= "\udcff"
        kind = PieceKind.BYTE if stray else PieceKind.SYMBOL
        yield Piece(character.encode("utf-8", "surrogateescape"), marked and at == len(text), kind)


def _number_for(symbol: Piece, kept: dict[str, str]) -> str:
    if len(kept) > FIRST_KEPT - KEPT_FROM:
        raise TooLargeError(f"More than {thousands(len(kept))} different characters that the table lacks cannot be kept.")
    return kept.setdefault(symbol.bytes.decode("utf-8", "surrogateescape"), chr(FIRST_KEPT - len(kept)))
