"""Faults that people met with other trainers, each with a small input and the right answer."""

import random
from dataclasses import replace

from explorer.core.corpus import Corpus
from explorer.core.encoding import encode
from explorer.core.recipe import Counting, Recipe
from explorer.core.training import Merge, Stopped, train
from tests.core.naive import Naive
from tests.core.trained import CHAPTER, PUBLISHED, counts, figures, naive_figures, spelled


def test_a_pair_that_lives_on_in_other_words_is_not_lost() -> None:
    training = train(counts(kl=1, klm=1, lmn=1, lm=1), replace(PUBLISHED, marker=False, min_count=1, merges=10))
    assert training.merges[0].count == 3
    assert figures(training) == naive_figures(Naive(training.corpus, training.recipe))
    assert sorted(spelled(training)) == sorted([("l", "m", 3), ("k", "l", 1), ("k", "lm", 1), ("lm", "n", 1)])
    assert len(encode(training.table, b"kl")) == 1


def test_runs_count_as_the_recipe_says_and_never_by_both_rules() -> None:
    corpus = Corpus.of_text(b"xxxxyxyxy")
    overlapping, disjoint = (train(corpus, replace(CHAPTER, counting=counting)) for counting in Counting)
    assert overlapping.merges[0] == Merge(ord("x"), ord("x"), 3, 2, 2, 7)
    assert disjoint.merges[0] == Merge(ord("x"), ord("y"), 3, 1, 3, 6)


def test_no_merge_is_repeated_when_none_is_left() -> None:
    training = train(Corpus.of_text(b"p q r s pq qr rs"), replace(Recipe.of("script"), merges=11))
    assert spelled(training) == [("p", "q", 1), ("q", "r", 1), ("r", "s", 1)]
    assert training.stopped is Stopped.NO_PAIR


def test_all_bytes_are_there_whatever_the_corpus_held() -> None:
    training = train(Corpus.of_text(b"abc"), CHAPTER)
    assert training.table.size == 256
    assert encode(training.table, "é".encode()).ids.tolist() == [0xC3, 0xA9]


def test_one_merge_at_a_time_on_many_random_corpora() -> None:
    letters = random.Random(41)
    for _ in range(60):
        words = ["".join(letters.choices("abc", k=letters.randint(1, 12))) for _ in range(letters.randint(1, 6))]
        corpus = counts(**{word: letters.randint(1, 4) for word in words})
        assert figures(train(corpus, PUBLISHED)) == naive_figures(Naive(corpus, PUBLISHED))
    top = train(counts(abc=10, bcd=9, ab=1, cd=1), replace(PUBLISHED, marker=False))
    assert spelled(top)[0] == ("b", "c", 19)


def test_runs_of_line_ends_are_pairs_where_a_text_is_the_unit() -> None:
    training = train(Corpus.of_text(b"x\n\n\n\ny\n" * 100), Recipe.of("gpt2"))
    assert [merge for merge in training.merges if merge.pair == (10, 10)] == [Merge(10, 10, 200, 1, 100, training.merges[0].length)]


def test_a_combining_mark_may_join_the_letter_after_it() -> None:
    lines = "u\u0307\nu\u0307e\nt\u0307\nt\u0307e\nv\u0307\nv\u0307e\n"
    training = train(Corpus.of_text(lines.encode()), replace(PUBLISHED, marker=False))
    assert spelled(training)[0] == ("\u0307", "e", 3)


def test_words_of_one_character_make_no_merge() -> None:
    training = train(Corpus.of_text(b"a b c a b c"), PUBLISHED)
    assert training.merges == ()
    assert [row.spelled() for row in training.alphabet.rows] == ["", "a</w>", "b</w>", "c</w>"]


def test_long_lines_are_not_left_out() -> None:
    corpus = Corpus.of_text(b"ab " * 10 + b"\n" + b"cd " * 5000 + b"\n" + b"ef " * 10)
    assert spelled(train(corpus, PUBLISHED))[0] == ("c", "d</w>", 5000)


def test_the_last_word_is_counted() -> None:
    lines = "\n".join(f"w{n:04d}" for n in range(1003)) + "\nzq\n"
    training = train(Corpus.of_text(lines.encode()), replace(PUBLISHED, merges=0))
    assert training.length_at_zero == 1003 * 5 + 2
    assert training.pretokens.occurrences == 1004
