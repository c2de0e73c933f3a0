"""Looking for bytes in a corpus, on from here and round at the end, and counting them: in steps, as a gigabyte takes a while."""

from collections.abc import Generator
from enum import Enum
from itertools import pairwise

from explorer.core.corpus import Corpus
from explorer.core.mapped import Data
from explorer.core.progress import Stage, Step

BYTES_A_STEP = 1 << 20  # looked through: less than 1 ms
WORDS_A_STEP = 2_000

Hit = tuple["Found", int]  # how a place was come by, and its first byte, -1 for nowhere


class Found(Enum):
    """What a search came to."""

    NOWHERE = "nowhere"
    FURTHER_ON = "further on"
    FROM_THE_OTHER_END = "from the other end"


def finding_steps(data: Data, text: bytes, marked: tuple[int, int] | None, start: int, *, backwards: bool) -> Generator[Step, None, Hit]:
    """The next (or previous) place of `text`, and how it was come by.

    From the place that is marked, which is not found again before all others, or else from the byte `start`.
    """
    if not text:
        return Found.NOWHERE, -1
    size = len(data)
    if backwards:
        before = max(0, (marked[1] if marked else start) - 1)
        ways = ((0, before), (max(0, before - len(text) + 1), size))
    else:
        after = marked[0] + 1 if marked else start
        ways = ((after, size), (0, min(size, after + len(text) - 1)))
    look = _last if backwards else _first
    for how, (first, stop) in zip((Found.FURTHER_ON, Found.FROM_THE_OTHER_END), ways, strict=True):
        at = yield from look(data, text, first, stop)
        if at >= 0:
            return how, at
    return Found.NOWHERE, -1


def counting_steps(data: Data, text: bytes) -> Generator[Step, None, int]:
    """How often some bytes, one at least, occur without overlap, as `bytes.count` counts them."""
    count, size, alone, free = 0, len(data), not _overlaps_itself(text), 0
    for first in range(0, size, BYTES_A_STEP):
        part = data[first : min(size, first + BYTES_A_STEP + len(text) - 1)]
        if alone:
            count += part.count(text)
        else:
            at = part.find(text, max(0, free - first))
            while at >= 0:
                count, free = count + 1, first + at + len(text)
                at = part.find(text, at + len(text))
        yield Step(Stage.SEARCHING, min(size, first + BYTES_A_STEP), size)
    return count


def finding_texts_steps(corpus: Corpus, text: bytes) -> Generator[Step, None, list[int]]:
    """The numbers of the texts in which some bytes occur."""
    found, data = list[int](), corpus.data
    for first in range(0, len(corpus), WORDS_A_STEP):
        starts = corpus.starts[first : first + WORDS_A_STEP + 1].tolist()
        for number, (start, end) in enumerate(pairwise(starts), start=first):
            if data.find(text, start, end) >= 0:
                found.append(number)
        yield Step(Stage.SEARCHING, first, len(corpus))
    return found


def _first(data: Data, text: bytes, first: int, stop: int) -> Generator[Step, None, int]:
    """The first place in [first, stop), -1 for none."""
    for begin in range(first, stop, BYTES_A_STEP):
        at = data.find(text, begin, min(stop, begin + BYTES_A_STEP + len(text) - 1))
        if at >= 0:
            return at
        yield Step(Stage.SEARCHING, begin - first, stop - first)
    return -1


def _last(data: Data, text: bytes, first: int, stop: int) -> Generator[Step, None, int]:
    """The last place in [first, stop), -1 for none."""
    end = stop
    while end > first:
        begin = max(first, end - BYTES_A_STEP)
        at = data.rfind(text, begin, min(stop, end + len(text) - 1))
        if at >= 0:
            return at
        yield Step(Stage.SEARCHING, stop - begin, stop - first)
        end = begin
    return -1


def _overlaps_itself(text: bytes) -> bool:
    """Whether some bytes begin as they end, so that two of their places may overlap."""
    ends = [0] * len(text)  # of each beginning the longest proper part that both begins and ends it
    for at in range(1, len(text)):
        same = ends[at - 1]
        while same and text[at] != text[same]:
            same = ends[same - 1]
        ends[at] = same + (text[at] == text[same])
    return ends[-1] > 0
