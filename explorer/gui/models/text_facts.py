"""What is told about your text: how long it is, how many tokens it took, and what of it the tokens cannot give back.

The figures of the status bar, worked out without Qt and in steps, so that a text of megabytes is counted between
two pictures. Ratios are characters a token and tokens a word; a word is a run without white space.
"""

import codecs
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.figures import thousands
from explorer.core.mapped import Data
from explorer.core.progress import Stage, Step, drain

COUNTED_A_STEP = 1 << 18  # bytes: about 2 ms
DECODED_A_STEP = 5_000  # tokens: about 1 ms
NAMED = 3  # characters that were lost are named up to this many


@dataclass(frozen=True, slots=True)
class TextFacts:
    """The facts of one text under one table.

    `characters` counts code points, a byte that is not text as one. `lost` are sentences without a full stop, each
    with the place of what was lost; empty where the round trip is exact. `stand_ins` counts lost characters.
    """

    bytes: int
    characters: int
    words: int
    tokens: int
    exact: bool
    stand_ins: int
    lost: tuple[str, ...]

    @property
    def characters_per_token(self) -> float | None:
        """Characters a token, None where there is no token."""
        return self.characters / self.tokens if self.tokens else None

    @property
    def tokens_per_word(self) -> float | None:
        """Tokens a word, None where there is no word."""
        return self.tokens / self.words if self.words else None

    @property
    def counts(self) -> str:
        """"164 characters, 35 words, 119 tokens"."""
        parts = ((self.characters, "character"), (self.words, "word"), (self.tokens, "token"))
        return ", ".join(counted(number, noun) for number, noun in parts)

    @property
    def ratios(self) -> str:
        """"1.38 c/t, 3.40 t/w"; "–" where there is nothing to divide by."""
        return f"{_two_places(self.characters_per_token)} c/t, {_two_places(self.tokens_per_word)} t/w"

    @property
    def round_trip(self) -> str:
        """"round trip exact", or what is lost and where."""
        return "round trip exact" if self.exact else "; ".join(self.lost)


def counted(number: int, noun: str) -> str:
    """"7\u2009123 tokens", "1 token"."""
    return thousands(number) + f" {noun}{'' if number == 1 else 's'}"


def _two_places(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.2f}"


def text_facts(encoded: EncodedText) -> TextFacts:
    """The facts of a text, at once; one pass over it."""
    return drain(text_facts_steps(encoded))


def text_facts_steps(encoded: EncodedText) -> Generator[Step, None, TextFacts]:
    """The facts of a text, step by step."""
    characters, words = yield from _counted_letters(encoded.data)
    first_difference = yield from _first_difference(encoded)
    exact = first_difference is None
    lost = () if exact else _lost(encoded, first_difference or 0)
    return TextFacts(len(encoded.data), characters, words, len(encoded), exact, encoded.stand_ins, lost)


def _counted_letters(data: Data) -> Generator[Step, None, tuple[int, int]]:
    """How many characters and words a text has."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    characters = words = 0
    in_word = False
    for at in range(0, len(data), COUNTED_A_STEP):
        end = at + COUNTED_A_STEP
        text = decoder.decode(data[at:end], final=end >= len(data))
        if text:
            characters += len(text)
            words += len(text.split()) - (in_word and not text[0].isspace())
            in_word = not text[-1].isspace()
        yield Step(Stage.ENCODING, min(end, len(data)), len(data))
    return characters, words


def _first_difference(encoded: EncodedText) -> Generator[Step, None, int | None]:
    """The first byte at which the decoded text differs from the text, None where they are the same."""
    table, data, at = encoded.table, encoded.data, 0
    for start in range(0, len(encoded), DECODED_A_STEP):
        end = min(start + DECODED_A_STEP, len(encoded))
        numbers = encoded.ids[start:end].tolist()
        whole = table.decode(encoded.covered(start + n) if token == KEPT_ID else token for n, token in enumerate(numbers))
        if end < len(encoded) and table.alphabet.marker and numbers[-1] != KEPT_ID and table.pieces[numbers[-1]].marked:
            whole += b" "  # only the last marker of a whole text is no space
        if whole != data[at : at + len(whole)]:
            return at + _same(whole, data[at : at + len(whole)])
        at += len(whole)
        yield Step(Stage.ENCODING, end, len(encoded))
    return None if at == len(data) else at


def _same(one: bytes, two: bytes) -> int:
    """How many bytes at the start are the same."""
    size = min(len(one), len(two))
    differ = np.frombuffer(one[:size], np.uint8) != np.frombuffer(two[:size], np.uint8)
    return int(differ.argmax()) if differ.any() else size


def _lost(encoded: EncodedText, first_difference: int) -> tuple[str, ...]:
    """What was lost, in sentences without a full stop."""
    said = []
    if encoded.stand_ins:
        said.append(f"{counted(encoded.stand_ins, 'character')} lost: {_named_stand_ins(encoded)}")
    losses = encoded.losses
    if losses:
        kinds = [counted(n, noun) for n, noun in ((losses.spaces, "space"), (losses.line_ends, "line end")) if n]
        first = min(at for at in (losses.first_space, losses.first_line_end) if at >= 0)
        said.append(f"{' and '.join(kinds)} lost, {'at' if losses.spaces + losses.line_ends == 1 else 'the first at'} byte {first}")
    return tuple(said) or (f"not the same from byte {first_difference} on",)


def _named_stand_ins(encoded: EncodedText) -> str:
    """"z at byte 10, q at byte 12 and others"."""
    places = np.flatnonzero(encoded.ids == encoded.table.alphabet.stand_in)
    named = [f"{_name(encoded.covered(int(n)))} at byte {int(encoded.starts[n])}" for n in places[:NAMED]]
    return ", ".join(named) + (" and others" if len(places) > NAMED else "")


def _name(character: bytes) -> str:
    """A character as it is read, by its number where it would not be seen, a byte that is not text as its hex."""
    try:
        text = character.decode()
    except UnicodeDecodeError:
        return f"byte {character.hex(' ').upper()}"
    seen = text.isprintable() and not text.isspace()
    return text if seen else " ".join(f"U+{ord(letter):04X}" for letter in text)
