"""The distinct pre-tokens of a corpus, spelled in symbols, with how often and where each occurs.

This is what training counts in. `pretokenize` makes it and learns the alphabet on the way; `lift_boundary` makes the
pre-tokens of the second stage, whole texts, out of those of the first.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from heapq import nlargest

from explorer.core.alphabet import Alphabet, Spelled, joined, parts_of, symbols_of
from explorer.core.corpus import Corpus
from explorer.core.figures import thousands
from explorer.core.mapped import Data
from explorer.core.marking import marks_steps
from explorer.core.marks import Marks
from explorer.core.progress import Stage, Step, drain
from explorer.core.recipe import AlphabetKind, LineEnds, PreTokenRule, Recipe
from explorer.core.splitting import Cut, CutKind, cut_text
from explorer.core.vocabulary import Piece
from explorer.errors import TooLargeError

SLICE = 4_000  # cuts between two steps: about 2 ms
LAID_OUT_AT_MOST = 50_000_000  # tokens of a weighted corpus written out whole, for the second stage


@dataclass(frozen=True, slots=True)
class Losses:
    """What an encoding over words cannot give back, in bytes, with the first place of each (byte offset, -1 for none)."""

    spaces: int = 0
    first_space: int = -1
    line_ends: int = 0
    first_line_end: int = -1

    def __bool__(self) -> bool:
        """Whether anything is lost."""
        return bool(self.spaces or self.line_ends)


@dataclass(frozen=True, slots=True)
class PreTokens:
    """Distinct pre-tokens in the order they are first met; four entries for each.

    `spellings` are in token ids (see alphabet.py), `counts` weighted, `first` and `last` are byte offsets of the first
    and last occurrence in the undeduplicated corpus. `apart` counts the tokens that belong to the corpus length although
    no merge touches them (the LFs of entries), `outside` those that do not belong to it (the LFs of byte-words).
    `occurrences` counts pre-tokens with repetition, weighted. `marks` tell where a split pattern of one's own cuts the corpus.
    """

    spellings: tuple[str, ...]
    counts: tuple[int, ...]
    first: tuple[int, ...]
    last: tuple[int, ...]
    apart: int = 0
    losses: Losses = field(default_factory=Losses)
    outside: int = 0
    marks: Marks | None = field(default=None, compare=False, repr=False)

    @property
    def length(self) -> int:
        """The corpus length: tokens, weighted, those that stand apart included."""
        return self.apart + sum(len(spelling) * count for spelling, count in zip(self.spellings, self.counts, strict=True))

    @property
    def distinct(self) -> int:
        """How many distinct pre-tokens there are."""
        return len(self.counts)

    @property
    def distinct_symbols(self) -> int:
        """How many symbols all distinct pre-tokens hold together."""
        return sum(map(len, self.spellings))

    @property
    def occurrences(self) -> int:
        """How many pre-tokens the corpus holds, weighted."""
        return sum(self.counts)

    def commonest(self, most: int) -> list[tuple[str, int]]:
        """The spellings that occur most often, at most so many, with their counts; of equal counts the one first met."""
        places = nlargest(most, range(len(self.counts)), key=self.counts.__getitem__)
        return [(self.spellings[at], self.counts[at]) for at in places]


@dataclass(slots=True)
class _Tally:
    """Counts and places of pre-tokens while they are gathered, by key."""

    marker: bool  # without one, where a word ends makes no other pre-token
    places: dict[tuple[bytes, bool], list[int]] = field(default_factory=dict)  # count, first, last
    apart: int = 0
    outside: int = 0
    spaces: int = 0
    first_space: int = -1
    line_ends: int = 0
    first_line_end: int = -1

    def add(self, data: Data, cut: Cut, weight: int) -> None:
        if cut.kind is CutKind.PRETOKEN:
            key = data[cut.start : cut.end], cut.ends_word and self.marker
            place = self.places.setdefault(key, [0, cut.start, cut.start])
            place[0] += weight
            place[2] = cut.start
        elif cut.kind is CutKind.ALONE:
            self.apart += weight
        elif cut.kind is CutKind.OUTSIDE:
            self.outside += weight
        elif cut.kind is CutKind.LOST:
            self._lose(data, cut, weight)

    def _lose(self, data: Data, cut: Cut, weight: int) -> None:
        ends = data.count(b"\n", cut.start, cut.end)
        if ends and self.first_line_end < 0:
            self.first_line_end = data.find(b"\n", cut.start)
        if cut.end - cut.start > ends and self.first_space < 0:
            self.first_space = data.find(b" ", cut.start)
        self.line_ends += ends * weight
        self.spaces += (cut.end - cut.start - ends) * weight


def corpus_read(corpus: Corpus, recipe: Recipe) -> Corpus:
    """The corpus as a recipe reads it: with its line ends made LF if it says so."""
    return drain(read_steps(corpus, recipe))


def read_steps(corpus: Corpus, recipe: Recipe) -> Generator[Step, None, Corpus]:
    """The same step by step."""
    return (yield from corpus.line_feed_steps()) if recipe.line_ends is LineEnds.LF else corpus


def corpus_cuts(corpus: Corpus, recipe: Recipe, marks: Marks | None = None) -> Iterator[tuple[Cut, int, int]]:
    """Every cut of the corpus in order, each with its text's number and weight; `marks` are the corpus's, as `marks_steps` gives them."""
    for number, (start, end, weight) in enumerate(corpus.texts()):
        for cut in cut_text(recipe, corpus.data, start, end, corpus.ended, marks):
            yield cut, number, weight


def pretokenize(corpus: Corpus, recipe: Recipe, given: Alphabet | None = None) -> Generator[Step, None, tuple[Alphabet, PreTokens]]:
    """Gathers the pre-tokens of a corpus (as `corpus_read` gives it) and learns its alphabet, or spells in the given one.

    One pass over the corpus. With an alphabet of another corpus two pre-tokens may be spelled alike.
    """
    tally = _Tally(recipe.marker)
    size = len(corpus.data)
    marks = yield from marks_steps(corpus, recipe)
    for done, (cut, _, weight) in enumerate(corpus_cuts(corpus, recipe, marks)):
        tally.add(corpus.data, cut, weight)
        if done % SLICE == 0:
            yield Step(Stage.CUTTING, cut.end, size)
    alphabet = given or Alphabet.of_bytes()
    if recipe.alphabet is AlphabetKind.CHARACTERS and not given:
        alphabet = yield from _learn_alphabet(tally, recipe, Step(Stage.CUTTING, size, size))
    spellings: list[str] = []
    kept: dict[str, str] = {}
    for done, (pretoken, ends_word) in enumerate(tally.places):
        parts: list[Spelled] = []
        for part in alphabet.spell_parts(pretoken, ends_word, kept):
            if parts:
                yield Step(Stage.CUTTING, size, size)
            parts.append(part)
        spellings.append(joined(parts).ids)
        if done % SLICE == 0:
            yield Step(Stage.CUTTING, size, size)
    counts, first, last = zip(*tally.places.values(), strict=True) if tally.places else ((), (), ())
    losses = Losses(tally.spaces, tally.first_space, tally.line_ends, tally.first_line_end)
    return alphabet, PreTokens(tuple(spellings), counts, first, last, tally.apart, losses, tally.outside, marks)


def _learn_alphabet(tally: _Tally, recipe: Recipe, step: Step) -> Generator[Step, None, Alphabet]:
    symbols: set[Piece] = set()
    for done, (pretoken, ends_word) in enumerate(tally.places):
        for part, is_last in parts_of(pretoken):
            symbols.update(symbols_of(part, ends_word and is_last))
            if not is_last:
                yield step
        if done % (SLICE // 8) == 0:
            yield step
    return Alphabet.of_symbols(symbols, recipe)


def lift_boundary(
    corpus: Corpus, recipe: Recipe, alphabet: Alphabet, spelled: dict[str, str], before: PreTokens
) -> Generator[Step, None, PreTokens]:
    """The pre-tokens of the second stage: whole texts, spelled as stage one left them.

    A text is a line (words), a file or a row (split patterns), or all rows of a weighted corpus laid out in file
    order, each repeated by its count. `spelled` maps the symbols of a pre-token to its present tokens. Raises
    TooLargeError where the layout would pass `LAID_OUT_AT_MOST` tokens.
    """
    places: dict[str, list[int]] = {}
    laid_out: list[str] = []
    size = 0
    for done, (text, start, times) in enumerate(_whole_texts(corpus, recipe, alphabet, spelled, before.marks)):
        if corpus.weights is not None:
            size += len(text) * times
            refuse_too_large(size)
            laid_out.append(text * times)
        else:
            place = places.setdefault(text, [0, start, start])
            place[0] += 1
            place[2] = start
        if done % 64 == 0:
            yield Step(Stage.CUTTING, start, len(corpus.data))
    if size:
        places["".join(laid_out)] = [1, 0, 0]
    counts, first, last = zip(*places.values(), strict=True) if places else ((), (), ())
    return PreTokens(tuple(places), counts, first, last, before.apart, before.losses, before.outside, before.marks)


def refuse_too_large(size: int) -> None:
    """TooLargeError where the words of a corpus, laid out as one text, come to more than `LAID_OUT_AT_MOST` tokens."""
    if size > LAID_OUT_AT_MOST:
        raise TooLargeError(
            f"The second stage lays the words out as one text of {thousands(size)} tokens and more; "
            f"over {thousands(LAID_OUT_AT_MOST)} are not laid out. Use smaller counts, or no lift."
        )


def _whole_texts(
    corpus: Corpus, recipe: Recipe, alphabet: Alphabet, spelled: dict[str, str], marks: Marks | None
) -> Iterator[tuple[str, int, int]]:
    """Every line (words), file or row (split patterns, weights) with the byte offset where it starts and its weight."""
    by_line = recipe.pretokens in (PreTokenRule.WORDS, PreTokenRule.BYTE_WORDS) and corpus.weights is None
    parts: list[str] = []
    kept: dict[str, str] = {}  # filled in the order of the corpus, as `pretokenize` did: the numbers are the same
    here: tuple[int, int] | None = None
    start, times = 0, 1
    for cut, number, weight in corpus_cuts(corpus, recipe, marks):
        if cut.kind is not CutKind.PRETOKEN:
            continue
        place = number, cut.line if by_line else 0
        if place != here:
            if parts:
                yield "".join(parts), start, times
            parts, here, start, times = [], place, cut.start, weight
        symbols = alphabet.spell(corpus.data[cut.start : cut.end], cut.ends_word, kept).ids
        parts.append(spelled[symbols])
    if parts:
        yield "".join(parts), start, times


__all__ = ["Losses", "PreTokens", "corpus_cuts", "corpus_read", "lift_boundary", "pretokenize", "read_steps", "refuse_too_large"]
