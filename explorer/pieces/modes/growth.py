"""`pieces grow` and `pieces curve`: what each size buys, merges doubling or rows spread evenly."""

import argparse
import os

from explorer.core.engines import train
from explorer.core.progress import drain
from explorer.core.training import Training
from explorer.labs.growth import DOUBLING, SIZES, AskedIn, Growth, GrowthRow, measure_steps, spread_sizes
from explorer.pieces.arguments import sizes
from explorer.pieces.layout import block, figures, plural, quote_bytes, table
from explorer.pieces.modes.merges import no_pair_line
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head


def answer_grow(options: argparse.Namespace) -> Answer:
    """One training, to the largest size or to the recipe's own where that is larger, cut to each."""
    subject = subject_of(options)
    training = _trained(subject, max(options.sizes))
    line = _line(options)
    growth = drain(measure_steps(training, options.sizes, AskedIn.MERGES, line))
    kept = _kept(subject, training)
    values = {**_values("grow", subject, growth), "kept": {"merges": kept.learned, "rows": kept.rows, "tokens": kept.length(kept.learned)}}
    lines = [f"what each merge buys, over {plural(len(subject.read.data), 'byte')} of {subject.corpus.name}"]
    lines += block("by merges asked for", table(*_columns(growth, line))) + _ceiling(growth)
    lines += block("the table this recipe keeps", figures([
        ("merges", kept.learned), ("vocabulary", kept.rows), ("tokens of the corpus", kept.length(kept.learned)),
    ]))
    return Answer(values, lines)


def answer_curve(options: argparse.Namespace) -> Answer:
    """One training, to the largest size or to the end, cut to each."""
    subject = subject_of(options)
    if options.sizes is None:
        training = train(subject.corpus, subject.recipe if subject.sized else subject.recipe.asking())
        chosen = spread_sizes(training)
    else:
        chosen = options.sizes
        training = train(subject.corpus, subject.recipe.asking(rows=max(chosen)))
    line = _line(options)
    growth = drain(measure_steps(training, chosen, AskedIn.ROWS, line))
    lines = [f"length against vocabulary size, over {plural(len(subject.read.data), 'byte')} of {subject.corpus.name}"]
    if line is not None:
        lines += block("the line held out", [quote_bytes(line)])
    lines += block("by rows asked for", table(*_columns(growth, line))) + _ceiling(growth)
    return Answer(_values("curve", subject, growth), lines)


def _trained(subject: Subject, largest: int) -> Training:
    """A training that the largest size and the recipe's own can both be cut from."""
    recipe = subject.recipe
    if recipe.rows is None and (recipe.merges is None or recipe.merges >= largest):
        return train(subject.corpus, recipe)
    training = train(subject.corpus, recipe.asking(merges=largest))
    if recipe.rows is not None and recipe.rows > training.rows:
        return train(subject.corpus, recipe, prefix=training)
    return training


def _kept(subject: Subject, training: Training) -> Training:
    recipe = subject.recipe
    if recipe.rows is not None:
        return training.cut(max(0, recipe.rows - training.alphabet.floor))
    return training if recipe.merges is None else training.cut(recipe.merges)


def _line(options: argparse.Namespace) -> bytes | None:
    return None if options.line is None else os.fsencode(options.line)


def _values(mode: str, subject: Subject, growth: Growth) -> Values:
    return {**head(mode, subject), "asked_in": growth.asked_in.value, "most": growth.most, "rows": [_row(row) for row in growth.rows]}


def _row(row: GrowthRow) -> Values:
    return {
        "asked": row.asked,
        "learned": row.learned,
        "rows": row.rows,
        "table_rows": row.table_rows,
        "tokens": row.tokens,
        "bytes_per_token": row.bytes_per_token,
        "saved": row.saved,
        "saved_per_merge": row.saved_per_merge,
        "line_tokens": row.line_tokens,
    }


def _columns(growth: Growth, line: bytes | None) -> tuple[list[str], list[list[int | float | str | None]]]:
    """Heads and rows; the fallback rows and the held-out line have columns only where there are any."""
    columns = ["asked", "learned", "vocabulary"]
    underneath = any(row.table_rows != row.rows for row in growth.rows)
    columns += ["in the table"] * underneath + ["tokens", "bytes/token", "saved", "saved/merge"] + ["line"] * (line is not None)
    rows: list[list[int | float | str | None]] = []
    for row in growth.rows:
        cells: list[int | float | str | None] = [row.asked, row.learned, row.rows]
        cells += [row.table_rows] * underneath
        cells += [row.tokens, row.bytes_per_token, row.saved, row.saved_per_merge]
        cells += [row.line_tokens] * (line is not None)
        rows.append(cells)
    return columns, rows


def _ceiling(growth: Growth) -> list[str]:
    if growth.most is None:
        return []
    most = growth.most if growth.asked_in is AskedIn.MERGES else growth.training.rows
    why = no_pair_line(growth.training.recipe.min_count)
    return block("the ceiling", [f"asking for more than {most} gets {most}: {why}"])


def _grow_options(group: OptionGroup) -> None:
    default = f"0, then 1 doubling to {DOUBLING[-1]}"
    group.add_argument("--sizes", type=sizes, default=DOUBLING, metavar="N,N...", help=f"merges asked for (default: {default})")
    group.add_argument("--line", metavar="TEXT", help="a line to encode at every size")


def _curve_options(group: OptionGroup) -> None:
    default = f"{SIZES} sizes from the alphabet to the end"
    group.add_argument("--sizes", type=sizes, metavar="N,N...", help=f"rows asked for (default: {default})")
    group.add_argument("--line", metavar="TEXT", help="a line held out, encoded at every size")


GROW = Mode("grow", "what twice as many merges buy", answer_grow, _grow_options)
CURVE = Mode("curve", "length against vocabulary size, of the corpus and of a line held out", answer_curve, _curve_options)
