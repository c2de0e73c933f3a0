"""Corpora with nothing to learn from, bytes that are no text, counts past every machine integer; steps and cancelling."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from explorer.core.corpus import Corpus
from explorer.core.encoding import encode
from explorer.core.progress import Progress, Stage
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.training import MergeStep, Stopped, train, training_steps
from explorer.errors import Cancelled
from tests.core.trained import PUBLISHED, counts, spelled


@pytest.mark.parametrize("preset", ["chapter-81", "published", "fallback", "byte-words", "script", "gpt2", "cl100k", "o200k"])
@pytest.mark.parametrize("text", [b"", b" ", b"\n\n", b"a", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf"])
def test_a_corpus_without_a_pair_gives_a_table_without_merges(preset: str, text: bytes) -> None:
    training = train(Corpus.of_text(text), replace(Recipe.of(preset), rows=None, merges=20))
    assert training.stopped is Stopped.NO_PAIR
    assert training.merges == ()
    lost = training.recipe.pretokens is PreTokenRule.WORDS and text in (b" ", b"\n\n")
    assert encode(training.table, text).decoded == (b"" if lost else text)


@pytest.mark.parametrize("corpus", [Corpus.of_counts({}), Corpus.of_rows([]), Corpus.of_rows([b""])], ids=["no words", "no rows", "a row"])
@pytest.mark.parametrize("preset", ["chapter-81", "published", "byte-words", "gpt2"])
def test_a_corpus_without_text_trains_to_nothing(corpus: Corpus, preset: str) -> None:
    training = train(corpus, Recipe.of(preset).asking())
    assert training.learned == 0
    assert training.length_at_zero == (1 if preset == "chapter-81" and len(corpus) else 0)


def test_characters_that_are_not_text_are_symbols_of_kind_byte() -> None:
    training = train(Corpus.of_text(b"\xff\xfe \xff\xfe"), PUBLISHED)
    assert spelled(training) == [("\udcff", "\udcfe</w>", 2)]
    fallback = train(Corpus.of_text(b"\xff\xfe \xff\xfe"), Recipe.of("fallback"))
    assert (fallback.merges[0].left, fallback.merges[0].right) == (0xFF, 258)  # the byte's own row; with a marker a row more


def test_corpus_text_that_spells_a_marker_or_a_stand_in_is_plain_text() -> None:
    training = train(Corpus.of_text(b"a</w> a</w> [UNK] [UNK] <0x41> <0x41>"), Recipe.of("fallback"))
    pieces = [piece.spelled() for piece in training.table.pieces[training.alphabet.first_merged_id :]]
    assert {"a</w></w>", "[UNK]</w>", "<0x41></w>"} <= set(pieces)
    assert encode(training.table, b"a</w> [UNK] <0x41>").decoded == b"a</w> [UNK] <0x41>"
    assert encode(training.table, b"a</w> [UNK] <0x41>").stand_ins == 0


@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        ({"ab": 3_000_000_000, "cd": 2_000_000_000}, [("a", "b</w>", 3_000_000_000), ("c", "d</w>", 2_000_000_000)]),
        ({"ab": 9007199254740992, "cd": 9007199254740993}, [("c", "d</w>", 9007199254740993), ("a", "b</w>", 9007199254740992)]),
        ({"ab": 2**62, "abab": 2**62}, [("a", "b</w>", 2**63), ("a", "b", 2**62), ("ab", "ab</w>", 2**62)]),
        ({"the": 5 * 10**9, "at": 10}, [("h", "e</w>", 5 * 10**9), ("t", "he</w>", 5 * 10**9), ("a", "t</w>", 10)]),
    ],
)
def test_counts_do_not_overflow_or_round(counted: dict[str, int], expected: list[tuple[str, str, int]]) -> None:
    training = train(counts(**counted), PUBLISHED)
    assert spelled(training) == expected
    weights = sum(counted.values())
    assert training.length(training.learned) == weights


# steps


def test_steps_tell_each_merge_as_it_is_learned_and_never_go_back() -> None:
    corpus, recipe = Corpus.of_text(b"she sells sea shells " * 200), PUBLISHED.asking(merges=9)
    steps = list(training_steps(corpus, recipe))
    assert tuple(merge for step in steps if isinstance(step, MergeStep) for merge in step.merges) == train(corpus, recipe).merges
    merging = [step.done for step in steps if step.stage is Stage.MERGING]
    assert merging == sorted(merging)
    assert merging[-1] == 9
    for step in steps:
        assert 0 <= step.done <= step.total or step.total == 0


@pytest.mark.parametrize("asked", [1, 3, 8])
def test_cancelling_ends_training_at_the_next_step(asked: int) -> None:
    corpus = Corpus.of_text(b"she sells sea shells\n" * 50)
    progress = Progress(pause=stop_after(asked, lambda: progress.cancel()))
    with pytest.raises(Cancelled):
        train(corpus, PUBLISHED, progress)
    assert train(corpus, PUBLISHED).learned > 5


def stop_after(count: int, stop: Callable[[], None]) -> Callable[[], None]:
    left = [count]

    def pause() -> None:
        left[0] -= 1
        if left[0] <= 0:
            stop()

    return pause
