"""What is measured: one row a bar, each against the fastest peer known for that work."""

from dataclasses import dataclass, replace
from enum import Enum

from benchmarking.fresh import HARD, Job


class Bar(Enum):
    """How a row's ratio or figure is held against its bar."""

    FASTER = "times as fast as the peer, at least"  # ratio: the peer's time to ours
    WITHIN = "times the peer's, at most"  # ratio: ours to the peer's
    AT_MOST = "ms, at most"  # no peer has it: ours alone


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report.

    `figure` is what is compared: a name in the answers' figures, or "peak" for memory. `peers` are those who do the same work, the fastest
    known first: it takes turns with ours. `never_over_ms` is a second condition. `corpus` and `rule` are names that the parent makes paths
    of.
    """

    work: str
    corpus: str
    job: Job
    figure: str
    peers: tuple[str, ...]
    bar: Bar
    value: float
    never_over_ms: float | None = None


ENTRIES = ("gigabpe", "rustbpe")
GPT2 = ("gigabpe", "ffbpe", "rustbpe")
CL100K = ("ffbpe", "rustbpe")
ENCODERS = ("toktok", "quicktok", "tiktoken")


def _training(corpus: str, rule: str, vocabulary: int, peers: tuple[str, ...], least: float, threads: int = 1) -> Row:
    on = "" if threads == 1 else f", {threads} threads"
    named = "entries" if rule == "entries" else f"{rule} pre-tokens"
    job = Job("train", rule=rule, vocabulary=vocabulary, threads=threads)
    figure = "work" if threads == 1 else "work wall"
    return Row(f"train {named}, {corpus}, {vocabulary:,}{on}", corpus, job, figure, peers, Bar.FASTER, least)


def _counting(corpus: str, least: float, threads: int = 1) -> Row:
    row = _training(corpus, "gpt2", 257, GPT2, least, threads)
    return replace(row, work=f"split and count alone, gpt2, {corpus}" + ("" if threads == 1 else f", {threads} threads"))


def _encoding(corpus: str) -> tuple[Row, ...]:
    ids = Row(f"encode cl100k, {corpus}, first pass", corpus, Job("encode"), "first", ENCODERS, Bar.FASTER, 1.0)
    spans = Row(f"encode with byte spans, {corpus}, first pass", corpus, Job("spans"), "first", ("toktok",), Bar.FASTER, 3.0)
    return (
        ids, replace(ids, work=f"encode cl100k, {corpus}, warm", figure="warm"),
        spans, replace(spans, work=f"encode with byte spans, {corpus}, warm", figure="warm"),
    )


def _hard() -> tuple[Row, ...]:
    return tuple(
        Row(f"encode 1 MB in one piece: {letters}", "", Job("hard"), letters, ENCODERS, Bar.WITHIN, 1.5, 150.0) for letters in HARD
    )


def _memory(row: Row, most: float) -> Row:
    return replace(row, work=row.work.replace("train ", "peak memory, "), figure="peak", peers=row.peers[:1], bar=Bar.WITHIN, value=most)


def _asking(corpus: str, vocabulary: int) -> Row:
    job = Job("timeline", rule="entries", vocabulary=vocabulary)
    return Row(f"timeline, top 50 at a random merge, entries {corpus}, {vocabulary:,} (p99)", corpus, job, "p99", (), Bar.AT_MOST, 16.0)


def _window(corpus: str, vocabulary: int, seconds: float) -> Row:
    """The event loop beside a training."""
    return _doing("train", f"training entries {corpus}", corpus, vocabulary, seconds)


def _doing(doing: str, words: str, corpus: str, vocabulary: int, seconds: float = 20.0) -> Row:
    job = Job("window", rule="entries", vocabulary=vocabulary, threads=0, seconds=seconds, doing=doing)
    return Row(f"event loop while {words} (p99 of lateness)", corpus, job, "p99", (), Bar.AT_MOST, 16.0)


def _redrawing(doing: str, words: str) -> Row:
    row = _doing(doing, words, "en1", 4096)
    return replace(row, work=f"{words}, until all is drawn", figure="most", value=100.0)


START = Row("start until the window is drawn, the second time", "", Job("start", threads=0), "again", (), Bar.AT_MOST, 1000.0)


def _working(corpus: str, vocabulary: int) -> tuple[Row, ...]:
    """What a person does in the window with a corpus open."""
    return (
        _doing("key", f"holding the key for the next merge, {corpus}, {vocabulary:,}", corpus, vocabulary),
        _doing("drag", f"dragging the timeline, {corpus}, {vocabulary:,}", corpus, vocabulary),
        _doing("paste", f"pasting 1 MB, {corpus}, {vocabulary:,}", corpus, vocabulary),
        _redrawing("theme", "another theme"), _redrawing("zoom", "another zoom"), START,
    )


def all_rows() -> tuple[Row, ...]:
    """Every bar."""
    hundred, gpt2 = _training("en100", "entries", 4096, ENTRIES, 4.0), _training("en100", "gpt2", 32768, GPT2, 2.0)
    return (
        *(_training(corpus, "entries", size, ENTRIES, 4.0) for corpus in ("en1", "en10") for size in (4096, 32768)),
        hundred, _training("en100", "entries", 32768, ENTRIES, 4.0),
        gpt2, _training("en100", "gpt2", 100_000, GPT2, 2.0),
        *(_training("en100", "gpt2", size, GPT2, 3.0, threads=2) for size in (32768, 100_000)),
        *(_training(corpus, "cl100k", 32768, CL100K, 5.0) for corpus in ("en10", "multi10")),
        _counting("en100", 2.0), _counting("en100", 2.0, threads=2),
        *_encoding("en100"), *_hard(),
        _memory(hundred, 1.5), _memory(gpt2, 2.0),
        _asking("en100", 32768), *(_window(corpus, 32768, 120.0) for corpus in ("en1", "en10", "en100")),
        *(_doing("open", f"opening {corpus}", corpus, 512, 60.0) for corpus in ("en1", "en10", "en100")), *_working("en10", 32768),
    )


def quick_rows() -> tuple[Row, ...]:
    """What a minute is enough for, on 1 and 10 MB; slower peers are left to the whole."""
    one, ten = _training("en1", "entries", 4096, ENTRIES, 4.0), _training("en10", "entries", 4096, ENTRIES[:1], 4.0)
    gpt2 = _training("en10", "gpt2", 32768, GPT2[:2], 2.0)
    return (
        one, ten, gpt2, *(_training(corpus, "cl100k", 32768, CL100K[:1], 5.0) for corpus in ("en10", "multi10")),
        replace(_counting("en10", 2.0), peers=GPT2[:2]),
        _training("en10", "gpt2", 32768, GPT2[:1], 3.0, threads=2), replace(_counting("en10", 2.0, threads=2), peers=GPT2[:1]),
        *_encoding("en1"), *_hard(), _memory(ten, 1.5), _memory(gpt2, 2.0), _asking("en1", 4096), _window("en1", 4096, 4.0),
        *_working("en1", 4096),
    )


ROUNDS = 5  # turns that ours and the fastest peer take
