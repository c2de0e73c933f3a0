"""Bytes that stay on the disk are, to everybody who reads them, the bytes of the file."""

import hashlib
import os
import re
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.core import mapped
from explorer.core.corpus import Corpus
from explorer.core.engines import train
from explorer.core.mapped import ByteStore, MappedBytes, letting_go
from explorer.core.progress import Stage, Step, drain
from explorer.core.recipe import LineEnds, Recipe
from explorer.core.splitting import cut_text
from explorer.errors import CorpusFileError, TooLargeError

PARTS_OF = 7  # bytes searched at a time here, so that everything crosses their edges


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "PART", PARTS_OF)
    monkeypatch.setattr("explorer.core.corpus.PART", PARTS_OF)


def on_disk(folder: Path, data: bytes) -> MappedBytes:
    path = folder / "corpus.txt"
    path.write_bytes(data)
    with path.open("rb") as file:
        return MappedBytes.of_file(file)


letters = st.binary(min_size=1, max_size=60).map(lambda data: bytes(b"ab\n"[each % 3] for each in data))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(letters, letters.map(lambda sub: sub[:4]), st.integers(0, 70), st.integers(0, 70))
def test_it_is_searched_as_bytes_are(tmp_path_factory: pytest.TempPathFactory, data: bytes, sub: bytes, start: int, end: int) -> None:
    found = on_disk(tmp_path_factory.mktemp("mapped"), data)
    assert found.find(sub, start, end) == data.find(sub, start, end)
    assert found.rfind(sub, start, end) == data.rfind(sub, start, end)
    assert found.find(sub) == data.find(sub)
    assert found.rfind(sub) == data.rfind(sub)
    assert found.count(sub) == data.count(sub)
    assert found.count(sub, start, end) == data.count(sub, start, end)
    assert (sub in found) == (sub in data)
    assert found.endswith(sub) == data.endswith(sub)
    assert found[start:end] == data[start:end]
    assert [each.span() for each in re.finditer(rb"a+", found)] == [each.span() for each in re.finditer(rb"a+", data)]


def test_it_is_read_as_bytes_are(tmp_path: Path) -> None:
    data = bytes(range(256)) * 3
    found = on_disk(tmp_path, data)
    assert len(found) == len(data)
    assert found[200] == 200
    assert found[:] == data
    assert found == data
    (tmp_path / "other").mkdir()
    assert found == on_disk(tmp_path / "other", data)
    assert found != data[:-1] + b"?"
    assert found != data[:-1]
    assert np.array_equal(np.frombuffer(found, np.uint8), np.frombuffer(data, np.uint8))
    assert hashlib.sha256(found).digest() == hashlib.sha256(data).digest()
    found.let_go()
    assert found[:] == data


def test_memory_is_let_go_of_after_so_many_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, times = on_disk(tmp_path, b"abc" * 100), []
    monkeypatch.setattr(mapped, "LET_GO_AFTER", 100)
    monkeypatch.setattr(MappedBytes, "let_go", lambda self: times.append(self._sliced))
    for _ in range(6):
        found[:40]
    assert times == [120, 160, 200, 240]  # as nothing was let go of here, it is asked for again


def test_a_file_that_is_changed_is_told_of(tmp_path: Path) -> None:
    data = b"one line\n" * 1000
    found = on_disk(tmp_path, data)
    (tmp_path / "corpus.txt").write_bytes(b"short")
    for read in (lambda: found[0], lambda: found[5000:], lambda: found.find(b"line"), found.check):
        with pytest.raises(CorpusFileError, match="changed while it was open"):
            read()
    steps = letting_go((Step(Stage.CUTTING, done, 9) for done in range(9)), found, every=2)
    assert next(steps).done == 0
    with pytest.raises(CorpusFileError, match="changed"):
        list(steps)


def test_a_file_that_takes_its_place_is_another_one(tmp_path: Path) -> None:
    found = on_disk(tmp_path, b"the old one")
    (tmp_path / "new").write_bytes(b"another")
    try:
        (tmp_path / "new").replace(tmp_path / "corpus.txt")
    except PermissionError:
        pytest.skip("an open file is not replaced here")
    assert found[:] == b"the old one"


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 500])
def test_what_is_gathered_is_in_memory_or_on_the_disk(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "MAPPED_FROM", 10)
    store = ByteStore()
    for at in range(size):
        store.write(bytes([at % 256]))
        assert len(store) == at + 1
    data = store.data()
    assert data == bytes(at % 256 for at in range(size))
    assert isinstance(data, MappedBytes) == (size >= 10)


def test_a_full_disk_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(mapped, "MAPPED_FROM", 10)
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(TooLargeError, match="No space left on device"):
        ByteStore().write(b"more than ten bytes")


def counted(ended: list[bool]) -> Generator[Step, None, str]:
    try:
        for done in (0, 1, 2, 30, 31, 5):
            yield Step(Stage.CUTTING, done, 0)
    finally:
        ended.append(True)
    return "done"


def test_work_that_lets_go_is_the_same_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, ended, times = on_disk(tmp_path, b"abc"), [], []
    monkeypatch.setattr(MappedBytes, "let_go", lambda self: times.append(True))
    assert drain(letting_go(counted(ended), found, every=10)) == "done"
    assert len(times) == 3  # at 30, at 5, and in the end
    assert drain(letting_go(counted(ended), b"abc")) == "done"
    assert len(times) == 3
    steps = letting_go(counted(ended), found)
    next(steps)
    steps.close()
    assert ended == [True] * 3


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(st.lists(st.text("a\r\n", max_size=30).map(str.encode), min_size=1, max_size=4))
def test_line_ends_are_made_one_lf_wherever_they_are_cut(texts: list[bytes]) -> None:
    for corpus in (Corpus.of_rows(texts), Corpus.of_text(b"".join(texts))):
        read = corpus.with_line_feeds()
        given = texts if corpus.ended else [b"".join(texts)]
        wanted = [re.sub(rb"\r\n?", b"\n", text) + b"\n" * corpus.ended for text in given]
        assert [read.data[start:end] for start, end, _ in read.texts()] == wanted
        assert read.sha256 == hashlib.sha256(b"".join(wanted)).hexdigest()


def test_a_corpus_on_the_disk_trains_as_one_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = "It's the end, it's the end.\r\n  für Öl\n\n".encode() * 400
    for preset in ("chapter-81", "published", "byte-words", "gpt2"):
        recipe = replace(Recipe.of(preset), line_ends=LineEnds.LF).asking(merges=30)
        there = train(Corpus.of_text(data), recipe)
        monkeypatch.setattr(mapped, "MAPPED_FROM", 1000)
        on = Corpus("text", on_disk(tmp_path, data), np.array([0, len(data)], np.int64))
        here = train(on, recipe)
        assert isinstance(here.corpus.data, MappedBytes)
        assert here.merges == there.merges
        assert here.pretokens == there.pretokens
        assert list(cut_text(recipe, on.data)) == list(cut_text(recipe, data))


def test_what_is_read_is_not_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/proc/self/statm").exists() or not hasattr(os, "sysconf"):
        pytest.skip("the system does not say")
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.write(b"0123456789abcdef" * (40 << 16))
    monkeypatch.setattr(mapped, "LET_GO_AFTER", 8 << 20)
    with path.open("rb") as file:
        found = MappedBytes.of_file(file)
    before, most = resident(), 0
    for at in range(0, len(found), 1 << 20):
        found[at : at + (1 << 20)]
        most = max(most, resident() - before)
    assert most < 20 << 20
    found.let_go()
    assert resident() - before < 6 << 20


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
