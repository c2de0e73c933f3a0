"""`pieces alphabets`: the same texts over characters with a stand-in, with byte fallback, and over bytes."""

import argparse
import os

from explorer.core.progress import drain
from explorer.labs.alphabets import TEXTS, AlphabetsCompared, Fitted, alphabet_steps, byte_rows
from explorer.labs.price import characters_in, words_of
from explorer.pieces.arguments import BadUseError
from explorer.pieces.layout import block, cut, figures, named_line, plural, quote_bytes, table
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, texts, utf8

NAMES = {"published": "stand-in", "fallback": "fallback", "byte-words": "bytes"}
_OF_THE_THREE = ("recipe", "alphabet", "marker", "unknown", "pretokens", "lift", "choices", "joints")
PIECES_WIDTH = 100  # characters of a text in pieces that is cut to fit


def answer(options: argparse.Namespace) -> Answer:
    """Fits the three to one corpus, with as many merges each; they count as the published recipe does, save what an option changes."""
    for name in _OF_THE_THREE:
        if getattr(options, name) is not None:
            raise BadUseError(f"argument --{name}: three alphabets are compared, each with a recipe of its own: leave it out")
    options.recipe = "published"
    subject = subject_of(options)
    given = [os.fsencode(text) for text in options.line or TEXTS]
    compared = drain(alphabet_steps(subject.corpus, given, subject.recipe))
    return Answer(_values(subject, compared), _lines(subject, compared))


def _values(subject: Subject, compared: AlphabetsCompared) -> Values:
    return {
        **head("alphabets", subject, compared.fits[1].training.recipe),
        "unused_bytes": compared.unused_bytes,
        "alphabets": [_fit(fit) for fit in compared.fits],
        "texts": [_text(compared, at) for at in range(len(compared.texts))],
    }


def _fit(fit: Fitted) -> Values:
    training = fit.training
    return {
        "name": NAMES[fit.preset],
        "recipe": training.recipe.to_json(),
        "learned": training.learned,
        "rows": training.rows,
        "table_rows": fit.table_rows,
        "length": fit.length,
    }


def _text(compared: AlphabetsCompared, at: int) -> Values:
    text = compared.texts[at]
    return {
        "text": utf8(text),
        "bytes": len(text),
        "characters": characters_in(text),
        "words": len(words_of(text)),
        "readings": [_reading(fit, at) for fit in compared.fits],
    }


def _reading(fit: Fitted, at: int) -> Values:
    encoded = fit.readings[at]
    return {
        "name": NAMES[fit.preset],
        "tokens": len(encoded),
        "same": encoded.exact,
        "stand_ins": encoded.stand_ins,
        "byte_rows": byte_rows(encoded) if fit.preset != "byte-words" else None,
        "decoded": utf8(encoded.decoded),
        "pieces": texts(map(encoded.piece, range(len(encoded))), encoded.table.alphabet),
    }


def _lines(subject: Subject, compared: AlphabetsCompared) -> list[str]:
    fits = compared.fits
    lines = [f"three alphabets fitted to {subject.corpus.name}"]
    rows: list[tuple[str | int, ...]] = [
        ("merges", *(fit.training.learned for fit in fits)),
        ("rows asked and learned", *(fit.training.rows for fit in fits)),
        ("rows in the table", *(fit.table_rows for fit in fits)),
        ("tokens of the corpus", *(fit.length for fit in fits)),
    ]
    lines += block("tables", table(("", *(NAMES[fit.preset] for fit in fits)), rows))
    lines += block("bytes", figures([("byte values no pre-token holds", compared.unused_bytes)]))
    for at, text in enumerate(compared.texts):
        sizes = f"{plural(characters_in(text), 'character')}, {plural(len(text), 'byte')}, {plural(len(words_of(text)), 'word')}"
        lines += block(quote_bytes(text), [sizes, *_readings(compared, at)])
    return lines


def _readings(compared: AlphabetsCompared, at: int) -> list[str]:
    rows = []
    for fit in compared.fits:
        encoded = fit.readings[at]
        pieces = named_line(map(encoded.piece, range(len(encoded))), encoded.table.alphabet)
        under = byte_rows(encoded) if fit.preset != "byte-words" else None
        rows.append((NAMES[fit.preset], len(encoded), encoded.stand_ins, under, encoded.exact, cut(pieces, PIECES_WIDTH)))
    return table(("by", "tokens", "stand-ins", "byte rows", "same", "pieces"), rows)


def _options(group: OptionGroup) -> None:
    group.add_argument("--line", action="append", metavar="TEXT", help="a text to read by all three; may be given again")


MODE = Mode("alphabets", "stand-in, byte fallback and bytes on the same texts", answer, _options, corpus="eighteen")
