"""Bytes that stay on the disk are, to everybody who reads them, the bytes of the file."""

import gc
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

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
from explorer.errors import TooLargeError

PARTS_OF = 7  # bytes searched at a time here, so that everything crosses their edges


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "PART", PARTS_OF)
    monkeypatch.setattr("explorer.core.corpus.PART", PARTS_OF)


def on_disk(data: bytes) -> MappedBytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapped, "MAPPED_FROM", 1)
        store = ByteStore()
        store.write(data)
        made = store.data()
    assert isinstance(made, MappedBytes)
    return made


letters = st.binary(min_size=1, max_size=60).map(lambda data: bytes(b"ab\n"[each % 3] for each in data))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(letters, letters.map(lambda sub: sub[:4]), st.integers(0, 70), st.integers(0, 70))
def test_it_is_searched_as_bytes_are(data: bytes, sub: bytes, start: int, end: int) -> None:
    found = on_disk(data)
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


def test_it_is_read_as_bytes_are() -> None:
    data = bytes(range(256)) * 3
    found = on_disk(data)
    assert len(found) == len(data)
    assert found[200] == 200
    assert found[:] == data
    assert found == data
    assert found == on_disk(data)
    assert found != data[:-1] + b"?"
    assert found != data[:-1]
    assert np.array_equal(np.frombuffer(found, np.uint8), np.frombuffer(data, np.uint8))
    assert hashlib.sha256(found).digest() == hashlib.sha256(data).digest()
    found.let_go()
    assert found[:] == data


def test_memory_is_let_go_of_after_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    found, times = on_disk(b"abc" * 100), []
    monkeypatch.setattr(mapped, "LET_GO_AFTER", 100)
    monkeypatch.setattr(MappedBytes, "let_go", lambda self: times.append(self._sliced))
    for _ in range(6):
        found[:40]
    assert times == [120, 160, 200, 240]  # as nothing was let go of here, it is asked for again


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


@pytest.mark.parametrize(("expected", "size"), [(10, 10), (500, 480), (500, 9), (10, 0), (9, 500)])
def test_more_or_less_may_come_than_was_expected(expected: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "MAPPED_FROM", 10)
    store = ByteStore(expected)
    for at in range(0, size, 3):
        store.write(b"abc"[: size - at])
    data = store.data()
    assert len(data) == size == len(store)
    assert data == (b"abc" * size)[:size]
    assert isinstance(data, MappedBytes) == (size >= 10)
    assert ByteStore(expected).data() == b""


def test_a_full_disk_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(dir: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(mapped, "MAPPED_FROM", 10)
    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(TooLargeError, match="No space left on device"):
        ByteStore().write(b"more than ten bytes")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_disk_that_gets_full_is_told_of_and_the_file_closed_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    unheard: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", unheard.append)
    monkeypatch.setattr(mapped, "MAPPED_FROM", 10)
    monkeypatch.setattr("tempfile.TemporaryFile", lambda dir: Path("/dev/full").open("w+b"))  # noqa: SIM115 - the store closes it
    store = ByteStore()
    store.write(b"more than ten bytes")
    with pytest.raises(TooLargeError, match="No space left on device"):
        for _ in range(1000):
            store.write(bytes(1000))
    del store
    gc.collect()
    assert not unheard


def test_a_disk_without_room_is_told_of_before_anything_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "MAPPED_FROM", 10)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=12_345))
    ByteStore(12_345)
    with pytest.raises(TooLargeError, match="needs 12\N{THIN SPACE}346 bytes"):
        ByteStore(12_346)


def test_bytes_are_laid_down_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "DISK", str(tmp_path))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)
    assert mapped.folder() == str(tmp_path)
    monkeypatch.setenv("TMPDIR", "elsewhere")
    assert mapped.folder() == tempfile.gettempdir()
    monkeypatch.delenv("TMPDIR")
    monkeypatch.setattr(mapped, "DISK", str(tmp_path / "missing"))
    assert mapped.folder() == tempfile.gettempdir()


def counted(ended: list[bool]) -> Generator[Step, None, str]:
    try:
        for done in (0, 1, 2, 30, 31, 5):
            yield Step(Stage.CUTTING, done, 0)
    finally:
        ended.append(True)
    return "done"


def test_work_that_lets_go_is_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    found, ended, times = on_disk(b"abc"), [], []
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


def test_a_corpus_on_the_disk_trains_as_one_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    data = "It's the end, it's the end.\r\n  für Öl\n\n".encode() * 400
    for preset in ("chapter-81", "published", "byte-words", "gpt2"):
        recipe = replace(Recipe.of(preset), line_ends=LineEnds.LF).asking(merges=30)
        there = train(Corpus.of_text(data), recipe)
        monkeypatch.setattr(mapped, "MAPPED_FROM", 1000)
        on = Corpus("text", on_disk(data), np.array([0, len(data)], np.int64))
        here = train(on, recipe)
        assert isinstance(here.corpus.data, MappedBytes)
        assert here.merges == there.merges
        assert here.pretokens == there.pretokens
        assert list(cut_text(recipe, on.data)) == list(cut_text(recipe, data))


def test_what_is_read_is_not_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/proc/self/statm").exists() or not hasattr(os, "sysconf"):
        pytest.skip("the system does not say")
    found = on_disk(b"0123456789abcdef" * (40 << 16))
    monkeypatch.setattr(mapped, "LET_GO_AFTER", 8 << 20)
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
