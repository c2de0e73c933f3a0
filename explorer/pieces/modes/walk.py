"""`pieces walk`: every merge with its figures, and how it changes the spelling of the words."""

import argparse

from explorer.core.progress import drain
from explorer.core.training import Training
from explorer.core.vocabulary import Pair, Piece
from explorer.labs.spellings import SpelledWord, spelled_words_steps
from explorer.pieces.arguments import count
from explorer.pieces.layout import block, cut, figures, named, named_line, plural, quote_bytes, table
from explorer.pieces.modes.merges import ceiling_line
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, all_merges, head, learned_values, texts, utf8

FEW = 12  # words that are followed merge by merge
SHOWN = 24  # words listed at the end
SPELLING_WIDTH = 100  # characters of a spelling that is cut to fit


def answer(options: argparse.Namespace) -> Answer:
    """Walks the training from the first merge to the last."""
    subject = subject_of(options)
    training = subject.trained()
    words = drain(spelled_words_steps(training))
    values = {
        **head("walk", subject),
        **learned_values(training),
        "length_at_zero": training.length_at_zero,
        "merges": all_merges(training),
        "words": [word_values(training, word) for word in words],
    }
    return Answer(values, _lines(subject, training, words, options.top))


def word_values(training: Training, word: SpelledWord) -> Values:
    """A word with its count and its pieces as text."""
    return {"word": utf8(word.word), "count": word.count, "pieces": texts(word.pieces, training.alphabet)}


def _lines(subject: Subject, training: Training, words: tuple[SpelledWord, ...], top: int) -> list[str]:
    lines = [f"{plural(training.learned, 'merge')} over {subject.corpus.name}, one by one"]
    start = figures([("rows", training.alphabet.floor), ("length", training.length_at_zero)])
    lines += block("before any merge", start + (_spelled(training, words, 0, {}) if len(words) <= FEW else []))
    lines += _merges_and_spellings(training, words) if len(words) <= FEW else block("merges", table(_COLUMNS, _rows(training)))
    told = ceiling_line(training)
    lines += block("the ceiling", [told]) if told else []
    rows = [
        (cut(quote_bytes(word.word)[1:-1]), word.count, cut(named_line(word.pieces, training.alphabet), SPELLING_WIDTH))
        for word in words[:top]
    ]
    title = "the words at the end" if len(words) <= top else f"the first {top} of {len(words)} words at the end"
    return lines + block(title, table(("word", "count", "pieces"), rows))


Spellings = dict[bytes, tuple[Piece, ...]]
_COLUMNS = ("rank", "token", "pair", "count", "tied", "saved", "length")


def _rows(training: Training) -> list[tuple[int, int, str, int, int, int, int]]:
    return [_row(training, rank) for rank in range(training.learned)]


def _row(training: Training, rank: int) -> tuple[int, int, str, int, int, int, int]:
    merge = training.merges[rank]
    return rank, training.table.id_of_rank(rank), pair_line(training, merge.pair), merge.count, merge.tied, merge.saved, merge.length


def pair_line(training: Training, pair: Pair) -> str:
    """A pair as it is read: left + right."""
    return " + ".join(named(training.table.pieces[at], training.alphabet) for at in pair)


def _merges_and_spellings(training: Training, words: tuple[SpelledWord, ...]) -> list[str]:
    """Each merge, and under it the words it changed."""
    columns, *rows = table(_COLUMNS, _rows(training))
    before = _pieces_at(training, 0)
    lines = [columns]
    for made, row in enumerate(rows, start=1):
        lines += [row, *("      " + line for line in _spelled(training, words, made, before))]
        before = _pieces_at(training, made)
    return block("merges, and the words each one changed", lines)


def _spelled(training: Training, words: tuple[SpelledWord, ...], merges: int, before: Spellings) -> list[str]:
    width = max((len(word.word) for word in words), default=0)
    now = _pieces_at(training, merges)
    changed = [word.word for word in words if now[word.word] != before.get(word.word)]
    return [f"{quote_bytes(word)[1:-1].ljust(width)}  {named_line(now[word], training.alphabet)}" for word in changed]


def _pieces_at(training: Training, merges: int) -> Spellings:
    return {word.word: word.pieces for word in drain(spelled_words_steps(training, merges))}


def _options(group: OptionGroup) -> None:
    group.add_argument("--top", type=count, default=SHOWN, metavar="N", help=f"words listed at the end (default: {SHOWN})")


MODE = Mode("walk", "every merge with its count, ties, saving and length, and the words as they are spelled", answer, _options)
