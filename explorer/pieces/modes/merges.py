"""`pieces merges` and `pieces vocabulary`: what was learned, in order, and every row there is."""

import argparse
from pathlib import Path

from explorer.core.table import MergeTable
from explorer.core.training import Stopped, Training
from explorer.pieces.arguments import count
from explorer.pieces.layout import block, figures, first_and_last, plural, quoted, table, times
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.modes.saved_table import save_and_compare, saved_lines, saved_values
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, all_merges, head, learned_values, text_of

SHOWN = 12


def answer_merges(options: argparse.Namespace) -> Answer:
    """Trains, and writes the table down if asked."""
    subject = subject_of(options)
    training = subject.trained()
    longest = longest_token(training.table)
    values = {
        **head("merges", subject),
        "alphabet_rows": training.alphabet.floor,
        **learned_values(training),
        "longest": None if longest is None else _longest(training.table, longest),
        "merges": all_merges(training),
    }
    lines = _merge_lines(subject, training, longest, options.top)
    if options.table is not None:
        saved = save_and_compare(training, options.table)
        values["table"] = saved_values(saved)
        lines += saved_lines(saved)
    return Answer(values, lines)


def longest_token(merges: MergeTable) -> int | None:
    """The token that stands for the most bytes, of several the lowest id; None for a table without rows."""
    return max(range(merges.size), key=lambda at: (len(merges.pieces[at].bytes), -at), default=None)


def ceiling_line(training: Training) -> str | None:
    """That the corpus gave less than was asked for, None where it did not."""
    values = learned_values(training)
    if values["asked"] is None or training.stopped is Stopped.SIZE:
        return None
    gave = training.learned if values["asked_in"] == "merges" else training.rows
    return f"{gave} of {values['asked']} {values['asked_in']} asked: {no_pair_line(training.recipe.min_count)}"


def no_pair_line(min_count: int) -> str:
    """Why there is nothing more to learn."""
    return "no pair is left" if min_count < 2 else f"no pair is left that occurs {times(min_count)}"


def _longest(merges: MergeTable, token_id: int) -> Values:
    piece = merges.pieces[token_id]
    return {"id": token_id, "length": len(piece.bytes), "bytes": piece.bytes.hex(), "text": text_of(piece, merges.alphabet)}


def learned_figures(training: Training) -> list[str]:
    """Rows before the merges, asked, learned and what that makes."""
    values = learned_values(training)
    rows: list[tuple[str, int | str | None]] = [("rows there from the start", training.alphabet.floor)]
    if values["asked_in"]:
        rows.append((f"{values['asked_in']} asked for", values["asked"]))
    rows += [("merges learned", training.learned), ("vocabulary", training.rows)]
    if training.alphabet.underneath:
        rows += [("fallback rows underneath", training.alphabet.underneath), ("rows in the table", training.table.size)]
    rows.append(("tokens of the corpus", training.length(training.learned)))
    told = ceiling_line(training)
    return figures(rows) + ([told] if told else [])


def _merge_lines(subject: Subject, training: Training, longest: int | None, top: int) -> list[str]:
    lines = [f"{plural(training.learned, 'merge')} counted off {plural(len(subject.read.data), 'byte')} of {subject.corpus.name}"]
    lines += block("learned", learned_figures(training))
    rows = [_row(training, rank) for rank in range(training.learned)]
    columns = ("token", "a", "b", "stands for", "count")
    which = "all of them" if len(rows) <= 2 * top else f"the first {top} and the last {top}"
    lines += block(f"{which}, in the order they were learned", table(columns, first_and_last(rows, top)) if rows else ["none"])
    if longest is not None:
        piece = training.table.pieces[longest]
        shown = figures([("token", longest), ("bytes it stands for", len(piece.bytes))])
        lines += block("the longest token", [*shown, quoted(piece, training.alphabet)])
    return lines


def _row(training: Training, rank: int) -> tuple[int, int, int, str, int]:
    merge, merges = training.merges[rank], training.table
    made = merges.id_of_rank(rank)
    return made, merge.left, merge.right, quoted(merges.pieces[made], training.alphabet), merge.count


def answer_vocabulary(options: argparse.Namespace) -> Answer:
    """Every row of the table."""
    subject = subject_of(options)
    training = subject.trained()
    learned = learned_values(training)
    learned["learned_rows"] = learned.pop("rows")  # `rows` are the rows themselves here
    rows = [vocabulary_row(training.table, at) for at in range(training.table.size)]
    values = {**head("vocabulary", subject), **learned, "rows": rows}
    return Answer(values, _vocabulary_lines(subject, training))


def vocabulary_row(merges: MergeTable, token_id: int) -> Values:
    """One row: id, kind, bytes, text, whether it ends a word, and its halves where it was merged."""
    piece, parts = merges.pieces[token_id], merges.parts(token_id)
    left, right = parts or (None, None)
    return {
        "id": token_id,
        "kind": piece.kind.value,
        "bytes": piece.bytes.hex(),
        "text": text_of(piece, merges.alphabet),
        "marked": piece.marked,
        "left": left,
        "right": right,
    }


def _vocabulary_lines(subject: Subject, training: Training) -> list[str]:
    merges = training.table
    rows = []
    for at, piece in enumerate(merges.pieces):
        left, right = merges.parts(at) or ("", "")
        rows.append((at, piece.kind.value, left, right, quoted(piece, training.alphabet)))
    lines = [f"every row of the table of {subject.corpus.name}"]
    lines += block("learned", learned_figures(training))
    return lines + block("rows", table(("id", "kind", "a", "b", "stands for"), rows))


def _merge_options(group: OptionGroup) -> None:
    group.add_argument("--top", type=count, default=SHOWN, metavar="N", help=f"merges shown at either end (default: {SHOWN})")
    group.add_argument("--table", type=Path, metavar="FILE", help="write the table to a file, read it back and compare")


MERGES = Mode("merges", "the merges in the order they are learned, and the longest token", answer_merges, _merge_options)
VOCABULARY = Mode("vocabulary", "every row of the vocabulary with its kind", answer_vocabulary)
