"""Pre-tokens: distinct, counted, with their places; what words lose; whole texts once the boundary is lifted."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from explorer.core import pretokens
from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.pretokens import Losses, PreTokens, corpus_cuts, corpus_read, lift_boundary, pretokenize
from explorer.core.progress import drain
from explorer.core.recipe import Joints, LineEnds, Recipe
from explorer.core.splitting import CutKind
from explorer.errors import TooLargeError
from tests.core.naive_cutting import Cutter
from tests.core.strategies import corpora, recipes
from tests.core.trained import CHAPTER, PUBLISHED, counts

BYTE_WORDS = Recipe.of("byte-words")


def found(corpus: Corpus, recipe: Recipe) -> tuple[Alphabet, PreTokens]:
    return drain(pretokenize(corpus, recipe))


def texts(alphabet: Alphabet, gathered: PreTokens) -> list[str]:
    return ["".join(alphabet.rows[ord(c)].spelled() for c in spelling) for spelling in gathered.spellings]


def lifted(corpus: Corpus, recipe: Recipe) -> tuple[list[str], PreTokens]:
    alphabet, gathered = found(corpus, recipe)
    spelled = dict(zip(gathered.spellings, gathered.spellings, strict=True))
    whole = drain(lift_boundary(corpus, recipe, alphabet, spelled, gathered))
    return texts(alphabet, whole), whole


@settings(deadline=None, max_examples=200)
@given(corpora, recipes())
def test_counts_and_places_are_those_of_every_pre_token_looked_at_in_turn(corpus: Corpus, recipe: Recipe) -> None:
    counted: Counter[tuple[bytes, bool]] = Counter()
    first: dict[tuple[bytes, bool], int] = {}
    last: dict[tuple[bytes, bool], int] = {}
    apart = outside = 0
    for (start, end, ends_word), _, weight, fixed, inside in Cutter(corpus, recipe).cut():
        if fixed:
            apart, outside = apart + weight * inside, outside + weight * (not inside)
            continue
        key = corpus.data[start:end], ends_word or not recipe.marker
        counted[key] += weight
        first.setdefault(key, start)
        last[key] = start
    _, gathered = found(corpus, recipe)
    assert gathered.counts == tuple(counted.values())
    assert (gathered.first, gathered.last) == (tuple(first.values()), tuple(last.values()))
    assert (gathered.apart, gathered.outside) == (apart, outside)
    assert gathered.occurrences == sum(counted.values())


def test_the_corpus_length_counts_line_ends_as_the_recipe_says() -> None:
    text = Corpus.of_text(b"ab cd\n\nef")
    assert found(text, CHAPTER)[1].length == 9
    assert found(text, BYTE_WORDS)[1].length == 7
    assert found(text, PUBLISHED)[1].length == 6
    assert found(text, Recipe.of("gpt2"))[1].length == 9
    assert found(Corpus.of_rows([b"ab", b"cd\nef"]), CHAPTER)[1].length == 9
    assert found(Corpus.of_rows([b"ab", b"cd\nef"]), Recipe.of("gpt2"))[1].length == 7
    assert found(counts(ab=3, c=2), CHAPTER)[1].length == 8


def test_no_line_end_is_invented_for_an_unended_last_line() -> None:
    assert found(Corpus.of_text(b"ab"), CHAPTER)[1].apart == 0
    assert found(Corpus.of_text(b"ab\n"), CHAPTER)[1].apart == 1
    assert found(Corpus.of_text(b"ab\n\n"), CHAPTER)[1].apart == 2


@pytest.mark.parametrize(
    ("corpus", "losses"),
    [
        (Corpus.of_text(b"a b"), Losses()),
        (Corpus.of_text(b"  a\n b "), Losses(4, 0, 1, 3)),
        (Corpus.of_text(b"a\n\nb  c\n"), Losses(1, 5, 3, 1)),
        (Corpus.of_rows([b"a", b" b"]), Losses(1, 2, 2, 1)),
    ],
)
def test_what_words_lose_is_counted_with_its_first_place(corpus: Corpus, losses: Losses) -> None:
    assert found(corpus, PUBLISHED)[1].losses == losses
    assert bool(losses) == (losses != Losses())


def test_losses_are_weighted() -> None:
    corpus = Corpus("words", b"a  b\nc", np.array([0, 6]), np.array([5]))
    assert found(corpus, PUBLISHED)[1].losses == Losses(5, 2, 5, 4)


def test_where_a_word_ends_makes_no_other_pre_token_without_a_marker() -> None:
    joints = Joints.of({b"undo": (b"un", b"do")})
    for marker, distinct in ((True, 3), (False, 2)):
        recipe = replace(PUBLISHED, marker=marker, joints=joints)
        assert len(found(Corpus.of_text(b"undo un"), recipe)[1].spellings) == distinct


def test_line_ends_are_read_as_the_recipe_says() -> None:
    corpus = Corpus.of_text(b"a\r\nb\rc\n")
    assert corpus_read(corpus, CHAPTER) is corpus
    assert corpus_read(corpus, replace(CHAPTER, line_ends=LineEnds.LF)).data == b"a\nb\nc\n"


def test_cuts_come_with_their_text_and_weight() -> None:
    corpus = counts(ab=3, cd=2)
    assert [(cut.start, cut.end, number, weight) for cut, number, weight in corpus_cuts(corpus, CHAPTER)] == [(0, 2, 0, 3), (2, 4, 1, 2)]
    added = [(cut.kind, number) for cut, number, _ in corpus_cuts(Corpus.of_rows([b"a", b"b"]), Recipe.of("gpt2"))]
    assert added == [(CutKind.PRETOKEN, 0), (CutKind.ADDED, 0), (CutKind.PRETOKEN, 1), (CutKind.ADDED, 1)]


# whole texts


def test_a_whole_text_is_a_line_a_file_or_a_row() -> None:
    text = Corpus.of_text(b"a b\nc\n\na b")
    assert lifted(text, PUBLISHED)[0] == ["a</w>b</w>", "c</w>"]
    assert lifted(text, PUBLISHED)[1].counts == (2, 1)
    assert lifted(text, PUBLISHED)[1].first == (0, 4)
    assert lifted(text, PUBLISHED)[1].last == (7, 4)
    assert [len(spelling) for spelling in lifted(text, BYTE_WORDS)[1].spellings] == [3, 1]
    assert [len(spelling) for spelling in lifted(text, Recipe.of("gpt2"))[1].spellings] == [10]
    rows = Corpus.of_rows([b"a b\nc", b"d"])
    assert [len(spelling) for spelling in lifted(rows, Recipe.of("gpt2"))[1].spellings] == [5, 1]
    assert lifted(rows, PUBLISHED)[0] == ["a</w>b</w>", "c</w>", "d</w>"]


def test_counted_words_are_laid_out_in_file_order_each_repeated() -> None:
    spellings, whole = lifted(counts(ab=2, c=3), PUBLISHED)
    assert spellings == ["ab</w>ab</w>c</w>c</w>c</w>"]
    assert (whole.counts, whole.length) == ((1,), 7)


def test_a_layout_above_the_stated_size_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretokens, "LAID_OUT_AT_MOST", 10)
    assert lifted(counts(ab=5), PUBLISHED)[1].length == 10
    with pytest.raises(TooLargeError, match="12 tokens and more; over 10"):
        lifted(counts(ab=5, c=2), PUBLISHED)


def test_nothing_lifted_is_nothing() -> None:
    for corpus in (Corpus.of_text(b""), Corpus.of_counts({}), counts(ab=0)):
        assert lifted(corpus, PUBLISHED)[1].length == 0
