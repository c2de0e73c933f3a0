"""Price, word list, growth, entries, spellings, stages, joints, alphabets: what the modes do not already show."""

import pytest

from explorer.core.corpus import Corpus
from explorer.core.encoding import encode
from explorer.core.progress import drain
from explorer.core.recipe import Joints, Recipe
from explorer.core.training import train
from explorer.errors import ExplorerError, RecipeError, SizeFloorError
from explorer.labs.alphabets import alphabet_steps, byte_rows
from explorer.labs.entries import entries_holding, entries_of, entry_at
from explorer.labs.growth import AskedIn, growth_steps, spread_sizes
from explorer.labs.joints import joint_steps
from explorer.labs.price import characters_in, corpus_price, price_of, words_of
from explorer.labs.spellings import spelled_words_steps, words_in
from explorer.labs.stages import stage_steps
from explorer.labs.word_list import read_words, take_apart, word_list

FOUR_WORDS = Corpus.of_counts({b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}, "four-words")
PUBLISHED = Recipe.of("published")


def test_characters_and_words() -> None:
    assert characters_in("é日\u0301".encode() + b"\xff\xfe") == 5
    assert words_of("  a\u00a0b\tc\n".encode() + b"\xff") == [b"a", b"b", b"c", b"\xff"]
    assert (characters_in(b""), words_of(b" \n")) == (0, [])


def test_a_price_counts_the_corpus_as_often_as_it_weighs() -> None:
    price = corpus_price(train(FOUR_WORDS, PUBLISHED.asking(merges=10)))
    assert (price.characters, price.words, price.tokens) == (79, 16, 22)
    assert price.tokens_per_word == pytest.approx(22 / 16)


def test_a_price_of_nothing_has_no_ratios() -> None:
    price = price_of(encode(train(FOUR_WORDS, PUBLISHED).table, b""))
    assert (price.tokens, price.characters_per_token, price.tokens_per_word) == (0, None, None)


def test_a_word_list_reads_its_own_words() -> None:
    words = word_list(Corpus.of_text(b"a b a\nc"))
    assert words.words == (b"a", b"b", b"c")
    reading = read_words(words, b"c d a d")
    assert (reading.words, reading.tokens, reading.unknown) == (4, 2, (b"d", b"d"))


def test_a_corpus_of_words_apart_comes_back_only_where_single_spaces_held_it() -> None:
    assert take_apart(Corpus.of_text(b"a b a")).same
    apart = take_apart(Corpus.of_text(b"a b\na\n"))
    assert (apart.bytes_in, apart.bytes_out, apart.boundaries_in, apart.boundaries_out, apart.same) == (6, 5, 2, 0, False)


def test_sizes_are_cut_from_one_training() -> None:
    growth = drain(growth_steps(FOUR_WORDS, PUBLISHED, (3, 0, 1, 3, 50), AskedIn.MERGES, b"lowest"))
    assert [row.asked for row in growth.rows] == [0, 1, 3, 50]
    for row in growth.rows:
        alone = train(FOUR_WORDS, PUBLISHED.asking(merges=row.asked))
        assert (row.learned, row.tokens, row.rows) == (alone.learned, alone.length(alone.learned), alone.rows)
        assert row.line_tokens == len(encode(alone.table, b"lowest"))
    assert growth.most == growth.training.learned
    assert sum(row.saved or 0 for row in growth.rows) == 79 - growth.rows[-1].tokens


def test_rows_under_the_alphabet_name_the_floor() -> None:
    with pytest.raises(SizeFloorError, match="12"):
        drain(growth_steps(FOUR_WORDS, PUBLISHED, (11, 20), AskedIn.ROWS))


def test_spread_sizes_begin_at_the_alphabet_and_end_at_the_end() -> None:
    training = train(FOUR_WORDS, PUBLISHED)
    spread = spread_sizes(training)
    assert (spread[0], spread[-1]) == (training.alphabet.floor, training.rows)
    assert len(spread) == len(set(spread)) <= 15
    assert spread_sizes(train(Corpus.of_counts({b"a": 1}), PUBLISHED)) == (2,)


@pytest.mark.parametrize(("corpus", "entries"), [
    (Corpus.of_text(b"a\n\nb"), [b"a", b"", b"b"]),
    (Corpus.of_text(b"a\n"), [b"a"]),
    (Corpus.of_text(b""), []),
    (Corpus.of_rows([b"a\nb", b"", b"c\n"]), [b"a", b"b", b"", b"c", b""]),
    (Corpus.of_counts({b"a": 2, b"b": 1}), [b"a", b"b"]),
])
def test_entries(corpus: Corpus, entries: list[bytes]) -> None:
    assert list(entries_of(corpus)) == entries
    assert [entry_at(corpus, number) for number in range(1, len(entries) + 1)] == entries
    with pytest.raises(ExplorerError, match=f"it has {len(entries)}"):
        entry_at(corpus, len(entries) + 1)


def test_entries_that_hold_a_line() -> None:
    rows = Corpus.of_rows([b"ab", b"b", b"cab"])
    assert (entries_holding(rows, b"ab"), entries_holding(rows, b"b\nb"), entries_holding(rows, b"")) == ((1, 3), (), ())


def test_words_of_a_text_are_what_its_recipe_keeps_together() -> None:
    text = Corpus.of_text(b"a b\nb c")
    assert words_in(train(text, PUBLISHED)) == {b"a": 1, b"b": 2, b"c": 1}
    assert words_in(train(text, Recipe.of("chapter-81"))) == {b"a b": 1, b"b c": 1}
    assert words_in(train(text, Recipe.of("byte-words"))) == {b"a": 1, b" b": 1, b"b": 1, b" c": 1}


def test_words_cut_at_joints_are_spelled_whole() -> None:
    joints = Joints.of({b"undo": (b"un", b"do")})
    corpus = Corpus.of_text(b"undo undo do")
    recipe = Recipe.from_json({**PUBLISHED.to_json(), "joints": {"words": {"undo": ["un", "do"]}}})
    assert recipe.joints == joints
    spelled = {word.word: [piece.spelled() for piece in word.pieces] for word in drain(spelled_words_steps(train(corpus, recipe)))}
    assert spelled == {b"undo": ["un", "do</w>"], b"do": ["do</w>"]}


def test_a_bare_marker_stays_with_its_word() -> None:
    corpus = Corpus.of_counts({b"ab": 2, b"b": 2})
    training = train(corpus, Recipe.of("fallback"))
    words = drain(spelled_words_steps(training))
    assert [[piece.spelled() for piece in word.pieces] for word in words] == [["ab</w>"], ["b</w>"]]
    other = drain(spelled_words_steps(training, 0))
    assert [len(word.pieces) for word in other] == [2, 1]


def test_the_lift_is_where_the_recipe_says_or_where_stage_one_ends() -> None:
    told = drain(stage_steps(FOUR_WORDS, Recipe.from_json({**PUBLISHED.to_json(), "lift": 15, "rows": 20})))
    assert (told.lift, told.first_stage.learned, told.training.rows) == (15, 3, 20)
    own = drain(stage_steps(FOUR_WORDS, PUBLISHED.asking(merges=10)))
    assert (own.lift, own.first_stage.rows, own.alone.learned) == (22, 22, train(FOUR_WORDS, PUBLISHED).learned)
    with pytest.raises(RecipeError, match="never lifted"):
        drain(stage_steps(FOUR_WORDS, Recipe.of("chapter-81")))


def test_whole_words_without_a_marker() -> None:
    text = Corpus.of_text(b"of the cat\nof the dog\non of the\n")
    told = drain(stage_steps(text, Recipe.of("byte-words")))
    assert [(one.piece.bytes, one.spans, one.parts, one.whole_words) for one in told.crossings] == [
        (b"of the", True, 2, True), (b"of the ", True, 2, False),
    ]
    assert (told.spanning, told.of_whole_words) == (2, 1)


def test_joints_need_words_and_joints() -> None:
    with pytest.raises(RecipeError, match="offers no joints"):
        drain(joint_steps(FOUR_WORDS, PUBLISHED))
    recipe = Recipe.from_json({**PUBLISHED.to_json(), "joints": {"words": {"lower": ["low", "er"]}}})
    compared = drain(joint_steps(FOUR_WORDS, recipe))
    assert compared.free.training.recipe.joints is None
    assert compared.joined.training.recipe.joints == recipe.joints
    assert compared.free.length <= compared.joined.length


def test_three_alphabets_have_as_many_merges() -> None:
    text = Corpus.of_text("the café the café the tea the tea\n".encode())
    told = drain(alphabet_steps(text, ["the thé".encode()], PUBLISHED.asking(merges=4)))
    assert [fit.training.learned for fit in told.fits] == [4, 4, 4]
    stand_in, fallback, in_bytes = (fit.readings[0] for fit in told.fits)
    assert (stand_in.exact, fallback.exact, in_bytes.exact) == (True, True, True)
    assert [byte_rows(reading) for reading in (stand_in, fallback)] == [0, 0]
