"""`pieces joints`: the same words cut freely and cut at their joints."""

import argparse

from explorer.core.progress import drain
from explorer.labs.joints import Fit, JointsCompared, joint_steps
from explorer.pieces.layout import block, cut, figures, named_line, quote_bytes, table
from explorer.pieces.modes.mode import Answer, Mode
from explorer.pieces.modes.walk import word_values
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, all_merges, head

SHOWN = 40  # words laid out side by side


def answer(options: argparse.Namespace) -> Answer:
    """Trains without joints and with them."""
    subject = subject_of(options)
    compared = drain(joint_steps(subject.corpus, subject.recipe))
    return Answer(_values(subject, compared), _lines(subject, compared))


def _values(subject: Subject, compared: JointsCompared) -> Values:
    return {
        **head("joints", subject, compared.joined.training.recipe),
        "free": _fit(compared.free),
        "joined": _fit(compared.joined),
        "shared_merges": compared.shared_merges,
    }


def _fit(fit: Fit) -> Values:
    training = fit.training
    return {
        "symbols": fit.symbols,
        "learned": training.learned,
        "stopped": training.stopped.value,
        "rows": training.rows,
        "length": fit.length,
        "merges": all_merges(training),
        "words": [word_values(training, word) for word in fit.words],
    }


def _lines(subject: Subject, compared: JointsCompared) -> list[str]:
    free, joined = compared.free, compared.joined
    lines = [f"{subject.corpus.name}, cut freely and cut at its joints"]
    rows = [
        ("symbols", free.symbols, joined.symbols), ("merges", free.training.learned, joined.training.learned),
        ("rows", free.training.rows, joined.training.rows), ("length of the corpus", free.length, joined.length),
    ]
    lines += block("both", table(("", "free", "joined"), rows))
    lines += figures_of_shared(compared)
    words = [
        (cut(quote_bytes(one.word)[1:-1]), one.count, _spelled(free, at), _spelled(joined, at))
        for at, one in enumerate(free.words[:SHOWN])
    ]
    title = "words" if len(free.words) <= SHOWN else f"the first {SHOWN} of {len(free.words)} words"
    return lines + block(title, table(("word", "count", "free", "joined"), words))


def figures_of_shared(compared: JointsCompared) -> list[str]:
    """How many first merges are the same."""
    return block("merges", figures([("first ones that both learned", compared.shared_merges)]))


def _spelled(fit: Fit, at: int) -> str:
    return named_line(fit.words[at].pieces, fit.training.alphabet)


MODE = Mode("joints", "words cut freely and cut at their joints", answer, corpus="joints")
