"""Tokens written down for other programs, and the words of a token's card."""

import json

from explorer.core.corpus import Corpus
from explorer.core.encoding import EncodedText, encode
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.gui.models.token_lists import TokenFormat, token_list_steps
from explorer.gui.models.token_words import bytes_place, hex_lines, piece_card, token_card


def encoded(text: bytes, preset: str = "chapter-81") -> EncodedText:
    return encode(train(Corpus.of_text(b"abab abab"), Recipe.of(preset)).table, text)


def written(one: EncodedText, wanted: TokenFormat) -> str:
    return drain(token_list_steps(one, wanted))


def test_ids_pieces_and_table() -> None:
    one = encoded("abab é\n".encode())
    assert written(one, TokenFormat.IDS) == "257 32 195 169 10"
    assert json.loads(written(one, TokenFormat.JSON)) == [257, 32, 195, 169, 10]
    assert written(one, TokenFormat.PIECES) == "abab\n \n<C3>\n<A9>\n<0A>\n"
    rows = [line.split("\t") for line in written(one, TokenFormat.TABLE).splitlines()]
    assert rows[0] == ["n", "id", "bytes", "piece", "start", "end"]
    assert rows[1] == ["0", "257", "61 62 61 62", "abab", "0", "4"] and rows[3] == ["2", "195", "c3", "<C3>", "5", "6"]


def test_a_kept_character_has_no_id() -> None:
    one = encoded(b"ab z", "script")
    assert written(one, TokenFormat.IDS).split() == [*map(str, one.ids.tolist()[:-1]), "-"]
    assert json.loads(written(one, TokenFormat.JSON))[-1] is None
    assert written(one, TokenFormat.TABLE).splitlines()[-1].split("\t")[1:4] == ["-", "7a", "z"]
    assert token_card(one, len(one) - 1).title == "no token"


def test_long_lists_are_whole_whatever_the_steps() -> None:
    one = encoded(b"abab " * 30_000)
    assert len(written(one, TokenFormat.IDS).split()) == len(one) == len(json.loads(written(one, TokenFormat.JSON)))
    assert len(written(one, TokenFormat.PIECES).splitlines()) == len(one)


def test_a_card_tells_id_merge_place_and_bytes() -> None:
    one = encoded(b"x abab")
    card = token_card(one, 2)
    assert (card.title, card.place, card.hex) == ("token 257", "merge 1, bytes 2–5", ("61 62 61 62",))
    assert token_card(one, 0).place == "byte value, byte 0"
    assert piece_card(one.table, 257).place == "merge 1"
    assert "token 257" in card.spoken() and "61 62" in card.spoken()


def test_a_card_tells_of_the_character_that_is_cut() -> None:
    one = encoded("東".encode())
    assert [token_card(one, n).notes for n in range(3)] == [("holds part of 東 (E6 9D B1)",)] * 3
    assert token_card(encoded(b"\xe6\x9d"), 0).notes == ()


def test_a_card_of_a_stand_in_tells_what_is_lost() -> None:
    one = encoded(b"z", "published")
    card = token_card(one, 0)
    assert card.notes == ("stands in for z, which is lost",) and card.hex == ("7A",)


def test_places_and_hex() -> None:
    assert [bytes_place(3, 4), bytes_place(3, 6)] == ["byte 3", "bytes 3–5"]
    assert [bytes_place(3, 3), bytes_place(0, 0)] == ["behind byte 2", "before byte 0"]
    assert hex_lines(b"a" * 100)[-1] == "… 100 bytes" and len(hex_lines(b"a" * 100)) == 3
