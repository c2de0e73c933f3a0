"""`pieces corpus`: the file as it lies on disk, the text taken out of it, what its recipe loses of it, and its first and last rows."""

import argparse
from collections import Counter
from dataclasses import dataclass

from explorer.core.pretokens import Losses, pretokenize
from explorer.core.progress import drain
from explorer.labs.price import characters_in, words_of
from explorer.pieces.arguments import count
from explorer.pieces.layout import block, cut, figures, loss_lines, printable, table
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, loss_values
from explorer.sources.exemplars import exemplar_named

SHOWN = 6  # rows at either end
KIND = "kind"  # the column whose values are counted, where there is one
BYTE_VALUES = 256


@dataclass(frozen=True, slots=True)
class Facts:
    """What is counted in the text of a corpus; the weighted figures are None where each text counts once."""

    characters: int
    words: int
    distinct_words: int
    distinct_bytes: int
    weighted_characters: int | None
    weighted_words: int | None


def answer(options: argparse.Namespace) -> Answer:
    """Counts and lays out."""
    subject = subject_of(options)
    facts, kinds = facts_of(subject), kinds_of(subject)
    _, pretokens = drain(pretokenize(subject.read, subject.recipe))
    values = {**_values(subject, facts, kinds), "losses": loss_values(pretokens.losses)}
    return Answer(values, _lines(subject, facts, kinds, pretokens.losses, options.top))


def facts_of(subject: Subject) -> Facts:
    """The facts of the text that training reads. One pass over it."""
    read = subject.read
    characters = words = weighted_characters = weighted_words = 0
    distinct: set[bytes] = set()
    for start, end, weight in read.texts():
        text = read.data[start:end]
        found, length = words_of(text), characters_in(text)
        distinct.update(found)
        characters, words = characters + length, words + len(found)
        weighted_characters, weighted_words = weighted_characters + weight * length, weighted_words + weight * len(found)
    weighted = read.weights is not None
    return Facts(
        characters, words, len(distinct), len(set(read.data)),
        weighted_characters if weighted else None, weighted_words if weighted else None,
    )


def kinds_of(subject: Subject) -> dict[str, int]:
    """How many rows there are of each kind, in the order they are met; empty without a column of kinds."""
    rows = subject.corpus.rows
    if KIND not in rows.columns:
        return {}
    at = list(rows.columns).index(KIND)
    return dict(Counter(rows.cells(row)[at] for row in range(len(rows))))


def _values(subject: Subject, facts: Facts, kinds: dict[str, int]) -> Values:
    corpus = subject.corpus
    return {
        **head("corpus", subject),
        "rows": len(corpus.rows),
        "columns": list(corpus.rows.columns),
        "kinds": kinds,
        "characters": facts.characters,
        "words": facts.words,
        "distinct_words": facts.distinct_words,
        "distinct_bytes": facts.distinct_bytes,
        "weighted_characters": facts.weighted_characters,
        "weighted_words": facts.weighted_words,
        "joints": len(corpus.joints),
        "notes": list(corpus.notes),
        "reconstruction": _is_reconstruction(subject),
    }


def _lines(subject: Subject, facts: Facts, kinds: dict[str, int], losses: Losses, top: int) -> list[str]:
    corpus, read = subject.corpus, subject.read
    lines = [f"{corpus.name}, read as a corpus"]
    if corpus.file:
        lines += block(f"the file {printable(corpus.file.name)}", figures([
            ("bytes", corpus.file.bytes), ("sha256", corpus.file.sha256[:16]), ("rows", len(corpus.rows)),
            *((f"  {printable(kind)}", n) for kind, n in kinds.items()),
        ]))
    lines += block("the text in it, and nothing else", figures([
        ("bytes", len(read.data)), ("sha256", read.sha256[:16]), ("texts", len(read)),
        ("characters", facts.characters), ("words, between white space", facts.words), ("distinct words", facts.distinct_words),
        ("byte values that occur", facts.distinct_bytes), ("of", BYTE_VALUES),
    ]))
    if facts.weighted_words is not None:
        lines += block("each text as often as it counts", figures([
            ("characters", facts.weighted_characters), ("words", facts.weighted_words),
        ]))
    if losses:
        lines += block("what cutting into words loses", loss_lines(losses))
    lines += block("first and last rows, cut to fit", _rows(subject, top))
    if _is_reconstruction(subject):
        lines += block("note", ["This chronicle is a reconstruction: its years are invented within the published ones."])
    return lines + [line for note in corpus.notes for line in block("note", [printable(note)])]


def _is_reconstruction(subject: Subject) -> bool:
    """Whether this is the chronicle that comes with the program, wherever it was opened from."""
    return subject.corpus.file is not None and subject.corpus.file.sha256 == exemplar_named("chronicle").sha256


def _rows(subject: Subject, top: int) -> list[str]:
    rows = subject.corpus.rows
    if not len(rows):
        return ["none"]
    some = len(rows) > 2 * top
    shown = [*range(top), *range(len(rows) - top, len(rows))] if some else list(range(len(rows)))
    cells = [[cut(printable(cell)) for cell in rows.cells(row)] for row in shown]
    if some:
        cells.insert(top, ["..." for _ in rows.columns])
    return table(rows.columns, cells)


def _options(group: OptionGroup) -> None:
    group.add_argument("--top", type=count, default=SHOWN, metavar="N", help=f"rows shown at either end (default: {SHOWN})")


MODE = Mode("corpus", "the corpus: file and text apart, rows by kind, characters, words, distinct bytes", answer, _options)
