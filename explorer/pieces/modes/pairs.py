"""`pieces pairs`: every adjacent pair of symbols, the commonest first."""

import argparse

from explorer.core.timeline import RankedPair, timeline_of
from explorer.core.training import Merge, Training, train
from explorer.pieces.arguments import count
from explorer.pieces.layout import block, figures, quoted, table, times
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, pair_values

SHOWN = 12


def answer(options: argparse.Namespace) -> Answer:
    """Counts the pairs as they stand before any merge."""
    subject = subject_of(options)
    training = train(subject.corpus, subject.recipe.asking(merges=0))
    timeline = timeline_of(training)
    ranked = timeline.ranked(0, options.top)
    most = ranked[0] if ranked else next(iter(timeline.ranked(0, 1)), None)
    adjacent = adjacent_pairs(training)
    values = {
        **head("pairs", subject),
        "adjacent": adjacent,
        "distinct": timeline.distinct(0),
        "one_in": adjacent / most.count if most else None,
        "pairs": [_pair(training, n, pair) for n, pair in enumerate(ranked, start=1)],
    }
    return Answer(values, _lines(subject, training, values, ranked, most))


def adjacent_pairs(training: Training) -> int:
    """How many adjacent positions there are before any merge, weighted."""
    pretokens = training.pretokens
    return sum((len(spelling) - 1) * times for spelling, times in zip(pretokens.spellings, pretokens.counts, strict=True))


def _pair(training: Training, n: int, ranked: RankedPair) -> Values:
    merge = Merge(*ranked.pair, ranked.count, 0, ranked.saved, 0)
    return {"n": n, **pair_values(training.table, merge), "count": ranked.count, "saved": ranked.saved, "tied": ranked.tied}


def _lines(subject: Subject, training: Training, values: Values, ranked: tuple[RankedPair, ...], most: RankedPair | None) -> list[str]:
    alphabet, pieces = training.alphabet, training.table.pieces
    lines = [f"pairs of symbols that stand side by side in {subject.corpus.name}"]
    lines += block("counted", figures([
        ("bytes of text", len(subject.read.data)), ("adjacent pairs", values["adjacent"]), ("distinct among them", values["distinct"]),
    ]))
    shared = sum(pair.tied for pair in ranked) > 1
    rows = []
    for n, pair in enumerate(ranked, start=1):
        joined = pieces[pair.pair[0]].joined(pieces[pair.pair[1]])
        rows.append((n, *pair.pair, quoted(joined, alphabet), pair.count, "tied" if pair.tied and shared else ""))
    lines += block(f"the commonest, ties by {subject.recipe.tie.value}", table(("n", "a", "b", "pair", "count", ""), rows))
    if most:
        lines += block("the first of them", [f"{most.count} of {values['adjacent']}, one in {values['one_in']:.1f}"])
    least = subject.recipe.min_count
    return lines + block("note", [f"Pairs that do not occur {times(least)} are not ranked."] if least > 1 else ["Every pair is ranked."])


def _options(group: OptionGroup) -> None:
    group.add_argument("--top", type=count, default=SHOWN, metavar="N", help=f"pairs shown (default: {SHOWN})")


MODE = Mode("pairs", "every adjacent pair, the commonest first, before any merge", answer, _options)
