"""`pieces ties`: where the greatest count was shared, and what each of the tied pairs leads to."""

import argparse
import os

from explorer.core.progress import drain
from explorer.core.table import MergeTable
from explorer.core.training import Training
from explorer.core.vocabulary import Pair
from explorer.labs.spellings import words_in
from explorer.labs.ties import Branch, Tie, TieSurvey, tie_steps
from explorer.pieces.arguments import count
from explorer.pieces.layout import block, named_line, plural, quote_bytes, table
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.modes.walk import pair_line
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, learned_values, texts, utf8

BRANCHES = 40  # followed together when no rank is named: each is a training of its own
WORDS = 8  # words of a small corpus that are cut when none are named
PAIRS_SHOWN = 8  # of a tie that is not followed


def answer(options: argparse.Namespace) -> Answer:
    """Surveys the ties of the whole training, or of the ranks named."""
    subject = subject_of(options)
    training = subject.trained()
    words = _words(training, options.words)
    limit = options.branches if options.branches is not None else None if options.rank else BRANCHES
    survey = drain(tie_steps(training, options.rank, words, limit))
    values = {
        **head("ties", subject),
        **learned_values(training),
        "length": training.length(training.learned),
        "followed": survey.followed,
        "ties": [_tie(training.table, tie) for tie in survey.ties],
    }
    return Answer(values, _lines(subject, training, survey))


def _words(training: Training, named: list[str] | None) -> list[bytes]:
    """The words named; without any, those of a corpus of few words."""
    if named:
        return [os.fsencode(word) for word in named]
    words = list(words_in(training)) if training.corpus.weights is not None else []
    return words if len(words) <= WORDS else []


def _tie(merges: MergeTable, tie: Tie) -> Values:
    return {
        "rank": tie.rank,
        "count": tie.count,
        "pairs": [_pair(merges, pair) for pair in tie.pairs],
        "branches": [_branch(merges, branch) for branch in tie.branches],
    }


def _pair(merges: MergeTable, pair: Pair) -> Values:
    left, right = pair
    return {"left": left, "right": right, "left_text": merges.text(left), "right_text": merges.text(right)}


def _branch(merges: MergeTable, branch: Branch) -> Values:
    alphabet = branch.training.alphabet
    return {
        **_pair(merges, branch.pair),
        "taken": branch.taken,
        "learned": branch.training.learned,
        "length": branch.length,
        "rows_only_here": texts(branch.rows_only_here, alphabet),
        "cuts": [{"word": utf8(cut.word), "pieces": texts(cut.pieces, alphabet)} for cut in branch.cuts],
    }


def _lines(subject: Subject, training: Training, survey: TieSurvey) -> list[str]:
    total = len(training.tied_ranks)
    lines = [f"ties of {subject.corpus.name}: {total} of {plural(training.learned, 'merge')} had more than one commonest pair"]
    for tie in survey.ties:
        if tie.branches:
            lines += _tie_lines(training, tie)
    rest = [tie for tie in survey.ties if not tie.branches]
    if rest:
        rows = [(tie.rank, len(tie.pairs), tie.count, _some_pairs(training, tie)) for tie in rest]
        lines += block("not followed: name one with --rank, or more with --branches", table(("rank", "pairs", "count", "among them"), rows))
    return lines


def _tie_lines(training: Training, tie: Tie) -> list[str]:
    rows = [
        (pair_line(training, branch.pair), "taken" if branch.taken else "", branch.length, len(branch.rows_only_here))
        for branch in tie.branches
    ]
    title = f"rank {tie.rank}: {plural(len(tie.pairs), 'pair')} at {tie.count}"
    lines = block(title, table(("pair", "", "ends at", "rows only here"), rows))
    for branch in tie.branches:
        lines += ["", f"    with {pair_line(training, branch.pair)}"]
        lines.append(f"      rows only here  {named_line(branch.rows_only_here, training.alphabet) or 'none'}")
        width = max((len(cut.word) for cut in branch.cuts), default=0)
        for cut in branch.cuts:
            lines.append(f"      {quote_bytes(cut.word)[1:-1].ljust(width)}  {named_line(cut.pieces, training.alphabet)}")
    return lines


def _some_pairs(training: Training, tie: Tie) -> str:
    shown = [pair_line(training, pair) for pair in tie.pairs[:PAIRS_SHOWN]]
    return ",  ".join(shown) + (",  ..." if len(tie.pairs) > PAIRS_SHOWN else "")


def _options(group: OptionGroup) -> None:
    group.add_argument("--rank", type=count, action="append", metavar="N", help="follow the tie at this rank; may be given again")
    group.add_argument("--branches", type=count, metavar="N", help=f"branches followed in all (default: {BRANCHES}; no limit with --rank)")
    group.add_argument("--words", nargs="+", metavar="WORD", help="words to cut by every branch (default: those of a corpus of few words)")


MODE = Mode("ties", "where the greatest count was shared, and what each choice leads to", answer, _options)
