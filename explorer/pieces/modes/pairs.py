"""`pieces pairs`: every adjacent pair, the commonest first, before any merge or after as many as the command line asks for."""

import argparse
from dataclasses import replace

from explorer.core.engines import timeline_of
from explorer.core.recipe import Counting
from explorer.core.timeline import RankedPair
from explorer.core.training import Merge, Training
from explorer.pieces.arguments import count
from explorer.pieces.layout import block, figures, plural, quoted, table, times
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, pair_values

SHOWN = 12


def answer(options: argparse.Namespace) -> Answer:
    """Counts the pairs. A size that only the recipe brings along is left aside: it says what to train, not where to look."""
    subject = subject_of(options)
    subject = subject if subject.sized else subject.by(subject.recipe.asking(merges=0))
    training = subject.trained()
    timeline = timeline_of(training)
    ranked = timeline.ranked(training.learned, options.top)
    most = ranked[0] if ranked else next(iter(timeline.ranked(training.learned, 1)), None)
    adjacent = adjacent_pairs(training)
    shared = len(timeline.tied(training.learned)) > 1  # of all pairs, not of those that are shown
    values = {
        **head("pairs", subject),
        "merges": training.learned,
        "adjacent": adjacent,
        "distinct": timeline.distinct(training.learned),
        "one_in": adjacent / most.count if most else None,
        "pairs": [_pair(training, n, pair, shared and pair.tied) for n, pair in enumerate(ranked, start=1)],
    }
    return Answer(values, _lines(subject, training, values, ranked, most))


def adjacent_pairs(training: Training) -> int:
    """How many adjacent positions there are at the end of a training, weighted, whatever its recipe leaves out of a ranking."""
    every = replace(training.recipe, min_count=1, counting=Counting.OVERLAPPING)
    timeline = timeline_of(replace(training, recipe=every))
    return sum(pair.count for pair in timeline.ranked(training.learned, timeline.distinct(training.learned)))


def _pair(training: Training, n: int, ranked: RankedPair, tied: bool) -> Values:
    merge = Merge(*ranked.pair, ranked.count, 0, ranked.saved, 0)
    return {"n": n, **pair_values(training.table, merge), "count": ranked.count, "saved": ranked.saved, "tied": tied}


def _lines(subject: Subject, training: Training, values: Values, ranked: tuple[RankedPair, ...], most: RankedPair | None) -> list[str]:
    alphabet, pieces = training.alphabet, training.table.pieces
    moment = f"after {plural(training.learned, 'merge')}" if training.learned else "before any merge"
    lines = [f"pairs that stand side by side in {subject.corpus.name}, {moment}"]
    lines += block("counted", figures([
        ("bytes of text", len(subject.read.data)), ("adjacent pairs", values["adjacent"]), ("distinct among them", values["distinct"]),
    ]))
    rows = []
    for pair, told in zip(ranked, values["pairs"], strict=True):
        joined = pieces[pair.pair[0]].joined(pieces[pair.pair[1]])
        rows.append((told["n"], *pair.pair, quoted(joined, alphabet), pair.count, "tied" if told["tied"] else ""))
    lines += block(f"the commonest, ties by {subject.recipe.tie.value}", table(("n", "a", "b", "pair", "count", ""), rows))
    if most:
        lines += block("the first of them", [f"{most.count} of {values['adjacent']}, one in {values['one_in']:.1f}"])
    least = subject.recipe.min_count
    return lines + block("note", [f"Pairs that do not occur {times(least)} are not ranked."] if least > 1 else ["Every pair is ranked."])


def _options(group: OptionGroup) -> None:
    group.add_argument("--top", type=count, default=SHOWN, metavar="N", help=f"pairs shown (default: {SHOWN})")


MODE = Mode("pairs", "every adjacent pair, the commonest first", answer, _options)
