"""The entries of a corpus: its texts, cut at every LF. A row with a LF inside is several entries. Numbered from 1."""

from collections.abc import Iterator

from explorer.core.corpus import Corpus
from explorer.errors import ExplorerError


def entries_of(corpus: Corpus) -> Iterator[bytes]:
    """Every entry in order, without the LF that ends it; an unended last line counts, nothing after a last LF does not."""
    for start, end, _ in corpus.texts():
        lines = corpus.data[start:end].split(b"\n")
        yield from lines[:-1] if not lines[-1] else lines


def entry_at(corpus: Corpus, number: int) -> bytes:
    """One entry by its number from 1; ExplorerError where there is none."""
    last = 0
    for last, entry in enumerate(entries_of(corpus), start=1):
        if last == number:
            return entry
    raise ExplorerError(f"There is no entry {number} in {corpus.name}: it has {last}, numbered from 1.")


def entries_holding(corpus: Corpus, line: bytes) -> tuple[int, ...]:
    """The numbers of the entries that hold a line; none hold an empty one."""
    return tuple(number for number, entry in enumerate(entries_of(corpus), start=1) if line in entry) if line else ()
