"""`pieces annals`: the chronicle built anew from the founding rows and the table of years, compared with the one that is shipped."""

import argparse
import hashlib
from dataclasses import replace

from explorer.core.corpus import Corpus, FileFacts
from explorer.core.recipe import Recipe
from explorer.pieces.layout import Cell, block, figures, table
from explorer.pieces.modes.mode import Answer, Mode
from explorer.pieces.subject import Subject
from explorer.pieces.values import Values, head
from explorer.sources.annals import Rebuilt, Year, rebuild

EVERY = 10  # years between two rows of the table
FILE = "chronicle.jsonl"


def answer(_: argparse.Namespace) -> Answer:
    """Builds and compares; exit code 1 where a byte differs."""
    rebuilt = rebuild()
    return Answer(_values(rebuilt), _lines(rebuilt), int(not rebuilt.same))


def _subject(rebuilt: Rebuilt) -> Subject:
    """The chronicle as it was built; opening the shipped one would refuse the very difference that is to be told."""
    corpus = Corpus.of_rows([entry.text.encode() for entry in rebuilt.entries], "chronicle")
    facts = FileFacts(FILE, len(rebuilt.built), _digest(rebuilt.built))
    return Subject(replace(corpus, file=facts), Recipe.of("chapter-81"), sized=False)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _founding(rebuilt: Rebuilt) -> int:
    return len(rebuilt.entries) - len(rebuilt.years)


def _tenth_years(rebuilt: Rebuilt) -> list[tuple[Year, int]]:
    """Every tenth year with the tick of its count."""
    ticks = {year: entry.tick for year, entry in zip(rebuilt.years, rebuilt.entries[_founding(rebuilt) :], strict=True)}
    return [(year, ticks[year]) for year in rebuilt.years if year.year % EVERY == 0]


def _values(rebuilt: Rebuilt) -> Values:
    return {
        **head("annals", _subject(rebuilt)),
        "reconstruction": True,
        "years": [
            {
                "year": year.year, "tick": tick, "standing": year.standing, "born": year.born, "gone": year.gone,
                "rows": _founding(rebuilt) + year.year,
            }
            for year, tick in _tenth_years(rebuilt)
        ],
        "rows": len(rebuilt.entries),
        "founding": _founding(rebuilt),
        "counts": len(rebuilt.years),
        "built_bytes": len(rebuilt.built),
        "built_sha256": _digest(rebuilt.built),
        "shipped_bytes": len(rebuilt.shipped),
        "shipped_sha256": _digest(rebuilt.shipped),
        "same": rebuilt.same,
    }


def _lines(rebuilt: Rebuilt) -> list[str]:
    subject = _subject(rebuilt)
    lines = [f"a reconstruction of the chronicle: {_founding(rebuilt)} founding rows and {len(rebuilt.years)} years"]
    rows: list[tuple[Cell, ...]] = [
        (year.year, tick, year.standing, year.born, year.gone, _founding(rebuilt) + year.year) for year, tick in _tenth_years(rebuilt)
    ]
    lines += block(f"every {EVERY}th year", table(("year", "tick", "standing", "born", "gone", "rows"), rows))
    lines += block("what was built", figures([
        ("rows", len(rebuilt.entries)), ("  founding", _founding(rebuilt)), ("  yearly counts", len(rebuilt.years)),
        ("bytes of text", len(subject.corpus.data)), ("bytes of the file", len(rebuilt.built)), ("sha256", _digest(rebuilt.built)[:16]),
    ]))
    verdict = "the same bytes" if rebuilt.same else "not the same bytes"
    return lines + block(f"beside the {FILE} that is shipped", [
        *figures([("bytes of the file", len(rebuilt.shipped)), ("sha256", _digest(rebuilt.shipped)[:16])]), verdict,
    ])


MODE = Mode("annals", "the chronicle rebuilt, and compared with the one that is shipped", answer, corpus=None)
