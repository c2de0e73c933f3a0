"""The marks of a corpus by a split pattern of one's own: `marks_steps`, and who looks for the matches.

Any pattern may be one that never ends, and none can be stopped from within its process. So the matches of all but short texts
are looked for wherever the caller lends the means: `lending` says so for the thread that calls it, and workspace and
pieces lend processes (explorer.processes). Where nobody lends anything, they are looked for here, with a limit to the time.
The means are lent to a thread and not handed down as an argument, since some forty functions would hand them on that
have no other use for them.

Texts are looked through apart from each other. Within a text a pattern may look back as far as it likes; one that does not
is looked for from several places of a long text at once (seams.py).
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
from explorer.core.memory import gigabytes, refuse_beyond_memory
from explorer.core.pattern_matches import SomeTexts, limit_for
from explorer.core.progress import Stage, Step
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.seams import Seams, looks_back, parts_of, seam_stops
from explorer.core.splitting import LF, compiled_pattern, split_pattern
from explorer.errors import PatternTimeoutError

SHORT = 1 << 16  # bytes that are cut here: in some 30 ms
SHORT_S = 0.05  # and a pattern that does not get through them in that time goes where it can be stopped
PASSAGE = 1 << 20  # bytes of short texts that are looked through in one go

LONG = 1 << 28  # bytes of one text from which on it is asked whether there is memory for it
TIMES = 2  # its size: as bytes and as text, where all of it is ASCII

Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)  # arrays have no single truth
class Passage:
    """Some whole texts: the bytes [at, end) of a corpus hold them, and text n of them is [starts[n], ends[n]) of these bytes.

    Or what of one text is left from `at` on. What lies past byte `stop` of these is not wanted.
    """

    corpus: Corpus
    at: int
    end: int
    starts: Int64s
    ends: Int64s
    stop: int

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

    @property
    def count(self) -> int:
        """How many passages are looked through at the same time."""

    def __call__(self, pattern: str, passages: Iterable[Passage], /) -> Generator[Found | None, None, None]:
        """Where the cuts of all passages start, the passages in any order; and None every hundredth of a second without news.

        Whoever closes the generator stops the search. Raises PatternTimeoutError, its place counted in the corpus, for a
        pattern that takes longer than the limit of its passage to get on.
        """


@dataclass(frozen=True, slots=True)
class Here:
    """Looks for matches in the thread that asks: not to be stopped between two of them, but in `limit_s` (None: by the size) it ends."""

    limit_s: float | None = None
    count: int = 1

    def __call__(self, pattern: str, passages: Iterable[Passage], /) -> Generator[Found | None, None, None]:
        """See `LookForMatches`."""
        compiled, since, size = compiled_pattern(pattern), monotonic(), 0
        for passage in passages:
            size += passage.size
            limit_s = limit_for(size) if self.limit_s is None else self.limit_s
            bounds = zip(passage.starts.tolist(), passage.ends.tolist(), strict=True)
            texts = SomeTexts(compiled, passage.part(0, passage.size), bounds, limit_s - (monotonic() - since), passage.stop)
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

    Raises RecipeError for what is no pattern, TooLargeError for a text that memory will not hold, PatternTimeoutError for a
    pattern that never ends, ProcessLostError.
    """
    if recipe.pretokens is not PreTokenRule.PATTERN:
        return None
    longest = int(np.diff(corpus.starts).max(initial=0))
    if longest > LONG:
        what = f"The matches of a pattern of your own in one text of {gigabytes(longest)}"
        refuse_beyond_memory(TIMES * longest, what, "Open it as rows, or choose another rule for pre-tokens.")
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
    parts = 1 if looks_back(compiled_pattern(pattern)) else look.count
    texts = dict[int, Seams]()  # of which parts are looked through, by their ends
    yield from _look_through(marks, look, pattern, passages(corpus, parts, texts), texts)
    not_met = [seams for seams in texts.values() if not seams.mend(marks)]
    whole = (_whole(corpus, seams.places[0], seams.end) for seams in not_met)
    yield from _look_through(marks, look, pattern, whole, {})


def _look_through(
    marks: Marks, look: LookForMatches, pattern: str, wanted: Iterator[Passage], texts: dict[int, Seams]
) -> Generator[Step, None, None]:
    done = dict[int, int]()  # of passages, by their place
    total = 0
    with closing(look(pattern, wanted)) as found:
        for news in found:
            if news is not None:
                passage, starts = news.passage, news.passage.at + news.starts
                if seams := texts.get(passage.end):
                    seams.add(marks, passage.at, starts)
                else:
                    marks.add(starts)
                through = min(news.through, passage.stop)
                total += through - done.get(passage.at, 0)
                done[passage.at] = through
            yield Step(Stage.CUTTING, min(total, marks.size), marks.size)


def passages(corpus: Corpus, parts: int, texts: dict[int, Seams]) -> Iterator[Passage]:
    """The texts of a corpus, without the LFs that a reader of rows added: a long one alone, short ones together, empty ones not.

    One that is long enough for up to `parts` parts is given in as many passages, and its seams in `texts`, under its end.
    """
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
        places = parts_of(corpus.data, at, at + int(ends[0]), parts) if len(ends) == 1 else [at]
        if len(places) > 1:
            seams = texts[at + int(ends[0])] = Seams(places, at + int(ends[0]))
            yield from (_whole(corpus, place, seams.end, stop) for place, stop in seam_stops(places))
        elif some.any():
            yield Passage(corpus, at, int(starts[last]), begins[some], ends[some], int(starts[last]) - at)
        first = last


def _whole(corpus: Corpus, at: int, end: int, stop: int | None = None) -> Passage:
    """All of a text from a place on, but nothing that lies past `stop`."""
    return Passage(corpus, at, end, np.array([0]), np.array([end - at]), (end if stop is None else min(stop, end)) - at)


__all__ = ["Found", "Here", "LookForMatches", "Passage", "lending", "marks_steps", "passages"]
