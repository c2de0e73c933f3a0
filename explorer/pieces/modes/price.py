"""`pieces price`: one sentence in characters, words and tokens, the same over the corpus, and beside a list of whole words."""

import argparse
import os
from dataclasses import dataclass

from explorer.core.progress import drain
from explorer.core.training import Training
from explorer.labs.entries import entries_holding, entries_of
from explorer.labs.price import Price, corpus_price, price_steps
from explorer.labs.word_list import TakenApart, WordReading, read_words, take_apart, word_list
from explorer.pieces.layout import block, figures, quote_bytes
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, utf8

SENTENCE = b"Dry stalks, old bones: everything settles there in the end and the ground is fed."
UNSEEN = "year 81: 240 hobbs standing in The Hollow, 1970 born and 1760 gone"


@dataclass(frozen=True, slots=True)
class Split:
    """The sentence, an unseen line and the whole corpus by a list of whole words."""

    vocabulary: int
    reading: WordReading
    unseen: bytes
    unseen_price: Price
    unseen_reading: WordReading
    unseen_entries: tuple[int, ...]
    apart: TakenApart


def answer(options: argparse.Namespace) -> Answer:
    """Prices a line: the one given, else the chronicle's own sentence, else the first entry."""
    subject = subject_of(options)
    training = subject.trained()
    line = _line(subject, options.line)
    price, over = drain(price_steps(training.table, line)), corpus_price(training)
    entries = entries_holding(subject.read, line)
    values = {
        **head("price", subject),
        "line": utf8(line),
        **_price(price),
        "entry": entries[0] if entries else None,
        "entries": list(entries),
        "over_corpus": _price(over),
    }
    split = _split(subject, training, line, os.fsencode(options.unseen)) if options.split else None
    if split:
        values |= _split_values(split)
    return Answer(values, _lines(subject, training, line, price, over, entries) + (_split_lines(split) if split else []))


def _line(subject: Subject, given: str | None) -> bytes:
    if given is not None:
        return os.fsencode(given)
    return SENTENCE if SENTENCE in subject.read.data else next(entries_of(subject.read), b"")


def _split(subject: Subject, training: Training, line: bytes, unseen: bytes) -> Split:
    words = word_list(subject.read)
    return Split(
        words.vocabulary, read_words(words, line), unseen, drain(price_steps(training.table, unseen)), read_words(words, unseen),
        entries_holding(subject.read, unseen), take_apart(subject.read),
    )


def _price(price: Price) -> Values:
    return {
        "characters": price.characters,
        "bytes": price.bytes,
        "words": price.words,
        "tokens": price.tokens,
        "characters_per_token": price.characters_per_token,
        "tokens_per_word": price.tokens_per_word,
    }


def _split_values(split: Split) -> Values:
    apart = split.apart
    return {
        "word_list": {
            "vocabulary": split.vocabulary,
            "tokens": split.reading.tokens,
            "found": [utf8(word) for word in split.reading.found],
            "unknown": [utf8(word) for word in split.reading.unknown],
            "bytes_in": apart.bytes_in,
            "bytes_out": apart.bytes_out,
            "boundaries_in": apart.boundaries_in,
            "boundaries_out": apart.boundaries_out,
            "same": apart.same,
        },
        "unseen": {
            "line": utf8(split.unseen),
            "entry": split.unseen_entries[0] if split.unseen_entries else None,
            **_price(split.unseen_price),
            "word_list_tokens": split.unseen_reading.tokens,
            "unknown": [utf8(word) for word in split.unseen_reading.unknown],
        },
    }


def _lines(subject: Subject, training: Training, line: bytes, price: Price, over: Price, entries: tuple[int, ...]) -> list[str]:
    lines = ["one sentence, three counts"]
    lines += block("the sentence", [quote_bytes(line), _where(subject, entries)])
    lines += block(f"by a table of {training.table.size}", _price_figures(price))
    return lines + block(f"the whole of {subject.corpus.name}", _price_figures(over))


def _where(subject: Subject, entries: tuple[int, ...]) -> str:
    if not entries:
        return f"in no entry of {subject.corpus.name}"
    more = f", and in {len(entries) - 1} more" if len(entries) > 1 else ""
    return f"in entry {entries[0]} of {subject.corpus.name}{more}"


def _price_figures(price: Price) -> list[str]:
    return figures([
        ("characters", price.characters), ("words, between white space", price.words), ("tokens", price.tokens),
        ("characters a token", price.characters_per_token), ("tokens a word", price.tokens_per_word),
    ])


def _split_lines(split: Split) -> list[str]:
    reading, unseen, apart = split.reading, split.unseen_reading, split.apart
    lines = block("the same sentence by a list of whole words", [
        *figures([("words the list has", split.vocabulary), ("tokens", reading.tokens), ("words without a row", len(reading.unknown))]),
        *map(quote_bytes, reading.unknown),
    ])
    lines += block("a line from outside", [
        quote_bytes(split.unseen),
        *figures([
            ("in the corpus", bool(split.unseen_entries)), ("tokens by the merge table", split.unseen_price.tokens),
            ("tokens by the word list", unseen.tokens), ("words without a row", len(unseen.unknown)),
        ]),
        *map(quote_bytes, unseen.unknown),
    ])
    return lines + block("the corpus taken apart into words and put back", figures([
        ("bytes in", apart.bytes_in), ("bytes out", apart.bytes_out),
        ("entry boundaries in", apart.boundaries_in), ("entry boundaries out", apart.boundaries_out),
        ("the bytes that went in", apart.same),
    ]))


def _options(group: OptionGroup) -> None:
    group.add_argument("--line", metavar="TEXT", help="the sentence to price (default: one of the chronicle's, elsewhere the first entry)")
    group.add_argument("--split", action="store_true", help="read it by a list of whole words too")
    group.add_argument("--unseen", metavar="TEXT", default=UNSEEN, help="the line from outside (default: the chronicle's year 81)")


MODE = Mode("price", "one sentence in characters, words and tokens", answer, _options)
