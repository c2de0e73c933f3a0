"""`pieces encode`: one text as tokens, in order, and decoded again."""

import argparse
import os

from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.engines import encoding_steps
from explorer.core.progress import drain
from explorer.core.training import Training
from explorer.labs.entries import entries_of, entry_at
from explorer.pieces.arguments import number_from_1
from explorer.pieces.layout import Cell, block, figures, loss_lines, quote_bytes, quoted, table
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, loss_values, merge_values, token_values, utf8
from explorer.workers import workers

ENTRY = 51


def answer(options: argparse.Namespace) -> Answer:
    """Encodes an entry of the corpus, or a line given."""
    subject = subject_of(options)
    training = subject.trained()
    text, entry = _text(subject, options)
    fired: list[int] = []
    encoded = drain(encoding_steps(training.table, text, None, fired, workers()))
    values = {
        **head("encode", subject),
        "entry": entry,
        "text": utf8(text),
        "bytes": len(text),
        "tokens": token_values(encoded),
        "decoded": utf8(encoded.decoded),
        "decoded_bytes": encoded.decoded.hex(),
        "same": encoded.exact,
        "losses": losses(encoded),
    }
    if options.trace:
        values["trace"] = [merge_values(training, rank) for rank in fired]
    return Answer(values, _lines(subject, training, encoded, entry, fired if options.trace else None))


def _text(subject: Subject, options: argparse.Namespace) -> tuple[bytes, int | None]:
    """The text to encode and the entry it is; without options entry 51, or the last one of a corpus that has fewer."""
    if options.line is not None:
        return os.fsencode(options.line), None
    number = options.entry or max(1, min(ENTRY, sum(1 for _ in entries_of(subject.read))))
    return entry_at(subject.read, number), number


def losses(encoded: EncodedText) -> Values:
    """What decoding cannot give back, counted: spaces and line ends with the first place of each, and stand-ins."""
    return {**loss_values(encoded.losses), "stand_ins": encoded.stand_ins}


def _lines(subject: Subject, training: Training, encoded: EncodedText, entry: int | None, fired: list[int] | None) -> list[str]:
    alphabet = training.alphabet
    rows = [
        (n + 1, None if (token := int(encoded.ids[n])) == KEPT_ID else token, len(encoded.covered(n)), quoted(encoded.piece(n), alphabet))
        for n in range(len(encoded))
    ]
    lines = [f"one text by a table of {training.table.size}"]
    lines += block(f"entry {entry} of {subject.corpus.name}" if entry else "the line given", [quote_bytes(encoded.data[:])])
    lines += block("sizes", figures([("bytes", len(encoded.data)), ("tokens", len(encoded))]))
    lines += block("its tokens, in order", table(("n", "token", "bytes", "stands for"), rows) if rows else ["none"])
    verdict = figures([("the bytes that went in", encoded.exact)])
    lines += block("decoded again", [quote_bytes(encoded.decoded), *verdict, *_loss_lines(encoded)])
    if fired is not None:
        lines += block("the merges that fired, in order", _trace(training, fired))
    return lines


def _loss_lines(encoded: EncodedText) -> list[str]:
    stand_ins = [f"lost: characters the alphabet lacks, {encoded.stand_ins}"] if encoded.stand_ins else []
    return loss_lines(encoded.losses) + stand_ins


def _trace(training: Training, fired: list[int]) -> list[str]:
    pieces, alphabet = training.table.pieces, training.alphabet
    rows: list[tuple[Cell, ...]] = []
    for rank in fired:
        merge, made = training.merges[rank], training.table.id_of_rank(rank)
        rows.append((rank, made, *(quoted(pieces[at], alphabet) for at in (merge.left, merge.right, made))))
    return table(("rank", "token", "left", "right", "makes"), rows) if rows else ["none"]


def _options(group: OptionGroup) -> None:
    which = group.add_mutually_exclusive_group()
    which.add_argument("--entry", type=number_from_1, metavar="N", help=f"an entry of the corpus, from 1 (default: {ENTRY}, or the last)")
    which.add_argument("--line", metavar="TEXT", help="a text of your own")
    group.add_argument("--trace", action="store_true", help="list the merges that fired")


MODE = Mode("encode", "one text as tokens, decoded again and compared", answer, _options)
