"""The marks of a corpus by a split pattern of one's own: `marks_steps`, and who looks for the matches.

Any pattern may be one that never ends, and none can be stopped from within its process. So the matches of all but short texts
are looked for wherever the caller lends the means: `lending` says so for the thread that calls it, and workspace and
pieces lend processes (explorer.processes). Where nobody lends anything, they are looked for here, with a limit to the time.
The means are lent to a thread and not handed down as an argument, since some forty functions would hand them on that
have no other use for them.

Texts are the only pieces in which matches can be looked for apart: a pattern may look back as far as it likes.
"""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import numpy as np
import numpy.typing as npt

from explorer.core.corpus import Corpus
from explorer.core.marks import Marks
from explorer.core.pattern_matches import SomeTexts, limit_for
from explorer.core.progress import Stage, Step
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.splitting import LF, compiled_pattern, split_pattern
from explorer.errors import PatternTimeoutError

SHORT = 1 << 16  # bytes that are cut here: in some 30 ms
SHORT_S = 0.05  # and a pattern that does not get through them in that time goes where it can be stopped
PASSAGE = 1 << 20  # bytes of short texts that are looked through in one go

Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)  # arrays have no single truth
class Passage:
    """Some whole texts: the bytes [at, end) of a corpus hold them, and text n of them is [starts[n], ends[n]) of these bytes."""

    corpus: Corpus
    at: int
    end: int
    starts: Int64s
    ends: Int64s

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return self.end - self.at

    @property
    def limit_s(self) -> float:
        """How many seconds a pattern may take without a match."""
        return limit_for(self.size)

    def part(self, start: int, end: int) -> bytes:
        """The bytes [start, end) of these."""
        return self.corpus.data[self.at + start : self.at + end]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What was found in a passage since it was last told: where cuts start, in rising order, and up to where the passage is cut."""

    passage: Passage
    starts: Int64s
    through: int


class LookForMatches(Protocol):
    """How a caller lends the means to look for the matches of a pattern, so that it can be stopped while it looks."""

    def __call__(self, pattern: str, passages: Iterable[Passage], /) -> Generator[Found | None, None, None]:
        """Where the cuts of all passages start, the passages in any order; and None every hundredth of a second without news.

        Whoever closes the generator stops the search. Raises PatternTimeoutError, its place counted in the corpus, for a
        pattern that takes longer than the limit of its passage to get on.
        """


@dataclass(frozen=True, slots=True)
class Here:
    """Looks for matches in the thread that asks: not to be stopped between two of them, but in `limit_s` (None: by the size) it ends."""

    limit_s: float | None = None

    def __call__(self, pattern: str, passages: Iterable[Passage], /) -> Generator[Found | None, None, None]:
        """See `LookForMatches`."""
        compiled, since, size = compiled_pattern(pattern), monotonic(), 0
        for passage in passages:
            size += passage.size
            limit_s = limit_for(size) if self.limit_s is None else self.limit_s
            bounds = zip(passage.starts.tolist(), passage.ends.tolist(), strict=True)
            texts = SomeTexts(compiled, passage.part(0, passage.size), bounds, limit_s - (monotonic() - since))
            try:
                for starts in texts.starts():
                    yield Found(passage, np.frombuffer(starts, np.int64), texts.through)
            except PatternTimeoutError as error:
                raise PatternTimeoutError(pattern, passage.at + error.at, limit_s) from None


_LENT: ContextVar[LookForMatches | None] = ContextVar("who looks for matches", default=None)


@contextmanager
def lending(look: LookForMatches) -> Iterator[None]:
    """Has `look` look for the matches of patterns that this thread asks for while the context is open."""
    token = _LENT.set(look)
    try:
        yield
    finally:
        _LENT.reset(token)


def marks_steps(corpus: Corpus, recipe: Recipe) -> Generator[Step, None, Marks | None]:
    """The marks of a corpus (as `corpus_read` gives it) under a pattern of one's own; None under any other rule.

    Raises RecipeError for what is no pattern, PatternTimeoutError for one that never ends, ProcessLostError.
    """
    if recipe.pretokens is not PreTokenRule.PATTERN:
        return None
    pattern, lent = split_pattern(recipe).pattern, _LENT.get()
    marks = Marks(len(corpus.data))
    try:
        if lent is not None and not isinstance(lent, Here) and len(corpus.data) <= SHORT:
            try:
                yield from _marked(marks, corpus, Here(SHORT_S), pattern)
                return marks
            except PatternTimeoutError:
                pass
        yield from _marked(marks, corpus, lent or Here(), pattern)
    except PatternTimeoutError as error:
        line = corpus.data.count(b"\n", 0, error.at) + 1
        raise PatternTimeoutError(pattern, error.at, error.seconds, line) from None
    return marks


def _marked(marks: Marks, corpus: Corpus, look: LookForMatches, pattern: str) -> Generator[Step, None, None]:
    """Looks for all matches and marks where cuts start."""
    done = dict[int, int]()  # of passages that are not done, by their place
    total = 0
    with closing(look(pattern, passages(corpus))) as found:
        for news in found:
            if news is not None:
                marks.add(news.passage.at + news.starts)
                total += news.through - done.get(news.passage.at, 0)
                done[news.passage.at] = news.through
            yield Step(Stage.CUTTING, min(total, marks.size), marks.size)


def passages(corpus: Corpus) -> Iterator[Passage]:
    """The texts of a corpus, without the LFs that a reader of rows added: a long one alone, short ones together, empty ones not."""
    data, starts = np.frombuffer(corpus.data, np.uint8), corpus.starts
    first, count = 0, len(corpus)
    while first < count:
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + PASSAGE, side="right")) - 1)
        at = int(starts[first])
        begins, ends = starts[first:last] - at, starts[first + 1 : last + 1] - at
        if corpus.ended:
            holds = np.flatnonzero(ends > begins)
            ends[holds] -= data[at + ends[holds] - 1] == LF
        some = ends > begins
        if some.any():
            yield Passage(corpus, at, int(starts[last]), begins[some], ends[some])
        first = last


__all__ = ["Found", "Here", "LookForMatches", "Passage", "lending", "marks_steps", "passages"]
