"""The facts of a text: counts, ratios, and every loss with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText, encode
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.gui.models import text_facts as module
from explorer.gui.models.text_facts import text_facts, text_facts_steps
from explorer.labs.price import characters_in, words_of
from explorer.sources.exemplars import open_exemplar


def encoded(text: bytes, name: str = "chronicle", preset: str = "chapter-81", merges: int = 36) -> EncodedText:
    corpus = open_exemplar(name)
    return encode(train(corpus, Recipe.of(preset).asking(merges=merges)).table, text)


def published(text: bytes) -> EncodedText:
    corpus = Corpus.of_text(b"a tar rat\n")
    return encode(train(corpus, Recipe.of("published")).table, text)


def test_the_text_of_the_mockup_has_its_figures() -> None:
    text = "The Hollow has a café — 240 hobbs stand\tin it, 👩‍👩‍👧‍👦 too\none byte ".encode() + b"\xff"
    text += " is not text, but naïveté is\nyear 81: 240 hobbs standing in The Hollow, 1970 born and 1760 gone".encode()
    facts = text_facts(encoded(text))
    assert facts.counts == "164 characters, 35 words, 119 tokens"
    assert facts.ratios == "1.38 c/t, 3.40 t/w"
    assert facts.exact and facts.round_trip == "round trip exact" and facts.bytes == len(text)


def test_nothing_divides_by_nothing() -> None:
    facts = text_facts(encoded(b""))
    assert (facts.characters, facts.words, facts.tokens, facts.exact) == (0, 0, 0, True)
    assert facts.ratios == "– c/t, – t/w" and facts.characters_per_token is None and facts.tokens_per_word is None


def test_what_is_lost_is_told_with_its_place() -> None:
    facts = text_facts(published("rat zz tar\xa0\xffrat".encode("latin-1")))
    assert not facts.exact and facts.stand_ins == 4
    assert facts.round_trip == "4 characters lost: z at byte 4, z at byte 5, byte A0 at byte 10 and others; 1 space lost, at byte 6"
    assert text_facts(published("\u00a0a".encode())).round_trip == "1 character lost: U+00A0 at byte 0"
    facts = text_facts(published(b"rat   tar \na\n"))
    assert facts.round_trip == "3 spaces and 2 line ends lost, the first at byte 4"
    assert text_facts(published(b"rat  tar")).round_trip == "1 space lost, at byte 4"


def test_a_word_recipe_that_loses_nothing_is_exact() -> None:
    facts = text_facts(published(b"rat tar a"))
    assert facts.exact and facts.lost == ()


@given(st.lists(st.sampled_from(["a", "rat", " ", "\u00a0", "\n", "é", "👩‍👩‍👧", "z"])).map("".join), st.integers(1, 5), st.integers(1, 3))
def test_steps_of_any_size_count_the_same(text: str, size: int, tokens: int) -> None:
    data = text.encode() + b"\xe2\x80"
    for one in (published(data), encoded_bytes(data)):
        whole = text_facts(one)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "COUNTED_A_STEP", size)
            patch.setattr(module, "DECODED_A_STEP", tokens)
            assert text_facts(one) == whole
        assert whole.characters == characters_in(data) and whole.words == len(words_of(data))
        assert whole.exact == (one.decoded == data)


def encoded_bytes(data: bytes) -> EncodedText:
    return encode(train(Corpus.of_text(b"rat rat"), Recipe.of("chapter-81")).table, data)


def test_a_long_text_is_counted_in_many_steps() -> None:
    steps = list(text_facts_steps(encoded_bytes(b"rat " * 200_000)))
    assert len(steps) > 10
