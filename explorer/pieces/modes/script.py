"""`pieces script`: the checks of a five-merge script over four counted words: PASS or FAIL, and the exit code says which."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.core.progress import drain
from explorer.core.training import Training
from explorer.core.vocabulary import Piece
from explorer.labs.spellings import spelling_steps
from explorer.pieces.layout import block, named_line, plural, table
from explorer.pieces.modes.mode import Answer, Mode
from explorer.pieces.modes.walk import pair_line
from explorer.pieces.subject import subject_of
from explorer.pieces.values import Values, all_merges, head, learned_values, texts

MERGES = 5
WORDS = (b"low", b"lowest", b"newer", b"wider", b"lower", b"newest")
UNSEEN = b"newest"  # the word whose cut is shown


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be so."""

    says: str
    holds: bool


def answer(options: argparse.Namespace) -> Answer:
    """Trains and checks; exit code 1 where a check is wrong."""
    subject = subject_of(options)
    training = subject.trained()
    cuts = dict(zip(WORDS, drain(spelling_steps(training.table, WORDS)), strict=True))
    checks = list(_checks(training, cuts))
    wrong = sum(not check.holds for check in checks)
    values = {
        **head("script", subject),
        **learned_values(training),
        "verdict": "FAIL" if wrong else "PASS",
        "wrong": wrong,
        "checks": [{"says": check.says, "holds": check.holds} for check in checks],
        "merges": all_merges(training),
        "newest": texts(cuts[UNSEEN], training.alphabet),
        "words": [_word(training, word, pieces) for word, pieces in cuts.items()],
    }
    return Answer(values, _lines(training, cuts, checks, wrong), int(wrong > 0))


def _checks(training: Training, cuts: dict[bytes, tuple[Piece, ...]]) -> Iterator[Check]:
    pieces = training.table.pieces
    yield Check(f"{MERGES} merges are learned", training.learned == MERGES)
    for rank, merge in enumerate(training.merges):
        made = pieces[training.table.id_of_rank(rank)]
        yield Check(f"merge {rank} makes what its halves make", made.bytes == pieces[merge.left].bytes + pieces[merge.right].bytes)
    for word, cut in cuts.items():
        name = word.decode()
        yield Check(f"the pieces of {name} make the word", b"".join(piece.bytes for piece in cut) == word)
        yield Check(f"{name} has no more pieces than characters", len(cut) <= len(name))
        yield Check(f"no piece of {name} is empty", all(piece.bytes for piece in cut))


def _word(training: Training, word: bytes, pieces: tuple[Piece, ...]) -> Values:
    return {"word": word.decode(), "pieces": texts(pieces, training.alphabet)}


def _lines(training: Training, cuts: dict[bytes, tuple[Piece, ...]], checks: list[Check], wrong: int) -> list[str]:
    if wrong:
        first = f"FAIL: {plural(wrong, 'check')} of {len(checks)} {'is' if wrong == 1 else 'are'} wrong"
        return [first, *block("wrong", [check.says for check in checks if not check.holds])]
    merges = [pair_line(training, merge.pair) for merge in training.merges]
    newest = named_line(cuts[UNSEEN], training.alphabet)
    lines = [f"PASS: {plural(training.learned, 'merge')}  {', '.join(merges)}  and {UNSEEN.decode()} is cut  {newest}"]
    rows = [(word.decode(), named_line(cut, training.alphabet)) for word, cut in cuts.items()]
    return lines + block("words", table(("word", "pieces"), rows))


MODE = Mode("script", "five merges over four counted words, checked: PASS or FAIL", answer, corpus="script")
