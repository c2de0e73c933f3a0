"""The corpora of the benchmark, made small and without network: what the digests rest on is pinned here."""

import gzip
import hashlib
import random
from pathlib import Path

import pytest
from benchmarking import corpora

PINNED = "4e6e75a320c1f936d671e95bbee2259580e208552c6cbb89715f4b9c5fd4cb63"  # of `packages` below, cut to 100 kB


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Unpacked packages as Debian lays them out, with next to nothing inside."""
    at = tmp_path / "corpora" / "packages"
    lines = b"".join(b"entry %d of the dictionary\r\n" % number for number in range(9000))
    put(at / "dict-gcide/usr/share/dictd/gcide.dict.dz", gzip.compress(lines))
    for kind in ("noun", "verb", "adj", "adv"):
        put(at / f"wordnet-base/usr/share/wordnet/data.{kind}", f"00001 x | a gloss of a {kind}\nno gloss\n".encode())
    put(at / "python3.11-doc/usr/share/b.rst.txt", b"Documentation\n")
    put(at / "python3.11-doc/usr/share/a/a.rst.txt", b"More of it")
    put(at / "debian-handbook/usr/share/en-US/x.html", b"<html><head>no</head><p>The &amp; handbook</p>\n\n\n\nend   \n")
    put(at / "debian-handbook/usr/share/fr-FR/x.html", b"<p>pas en anglais</p>")
    put(at / "libreoffice-help-en-us/usr/x.html", b"<p>Help</p>")
    put(at / "linux-doc-6.1/usr/x.html.gz", gzip.compress(b"<p>Kernel</p>"))
    return at


def make(folder: Path, *names: str) -> dict[str, corpora.Made | str]:
    return corpora.make(folder, names, lambda words: None)


def test_the_same_packages_give_the_same_bytes(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(corpora.SIZES, "en1", 100_000)
    made = make(packages.parent, "en1")["en1"]
    assert isinstance(made, corpora.Made)
    assert made.sha256 == hashlib.sha256(made.path.read_bytes()).hexdigest() == PINNED
    assert made.size == made.path.stat().st_size
    assert "other package versions" in made.note



def test_a_smaller_corpus_is_the_head_of_a_larger_one(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(corpora.SIZES, "en1", 70_000)
    monkeypatch.setitem(corpora.SIZES, "en10", 200_000)
    made = make(packages.parent, "en1", "en10")
    small, large = (Path(found.path).read_bytes() for found in made.values() if isinstance(found, corpora.Made))
    assert 60_000 < len(small) <= 70_000 < len(large)
    assert large.startswith(small)


def test_documents_are_taken_in_a_fixed_order_and_their_tags_out(packages: Path) -> None:
    documents = corpora.english_documents(packages)
    assert documents[-6:] == ["a gloss of a adv\n", "Documentation\n", "More of it", "The & handbook\n\nend\n", "Help", "Kernel"]
    assert sorted(corpora.english(packages, random.Random(1))) == sorted(documents)


def test_what_is_there_is_left_alone(packages: Path) -> None:
    put(packages.parent / "en1.txt", b"mine\n")
    made = make(packages.parent, "en1")["en1"]
    assert isinstance(made, corpora.Made)
    assert made.path.read_bytes() == b"mine\n"


def test_text_is_cut_after_a_whole_line_and_has_line_feeds_alone(tmp_path: Path) -> None:
    corpora.write(tmp_path / "out.txt", ["one\r\ntwo\0", "", f"three\n{'a long line' * 500}\n", "never\n"], 4110)
    assert (tmp_path / "out.txt").read_bytes() == b"one\ntwo\nthree\n"
    assert not (tmp_path / "out.part").exists()


def test_without_network_python_s_sources_stand_in_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unpack(packages: object, where: Path) -> Path:
        raise corpora.CorpusError("apt-get does not run here")

    monkeypatch.setattr(corpora, "unpack", unpack)
    monkeypatch.setitem(corpora.SIZES, "en1", 50_000)
    made = make(tmp_path, "en1", "en100", "multi10")
    assert isinstance(made["en1"], corpora.Made)
    assert made["en1"].path.name == "stand-in-for-en1.txt"
    assert 0 < made["en1"].size <= 50_000
    assert made["en1"].note == "not en1 but as much of the sources of Python's library: apt-get does not run here"
    assert made["en100"] == "no corpus en100: apt-get does not run here"
    assert made["multi10"] == "no corpus multi10: apt-get does not run here"


def test_what_apt_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no apt-get in it
    with pytest.raises(corpora.CorpusError, match=r"apt-get does not run here \(FileNotFoundError\)"):
        corpora.unpack(["some-package"], tmp_path / "packages")


def test_every_byte_but_the_line_feed_is_a_letter_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(bytes(range(256)))
    corpora.map_letters(tmp_path / "in.txt", tmp_path / "in.map")
    letters = (tmp_path / "in.map").read_bytes().decode()
    assert letters[ord("\n")] == "\n"
    assert bytes(ord(letter) - corpora.FIRST_LETTER for letter in letters.replace("\n", "")) == bytes(range(256)).replace(b"\n", b"")
    assert all(letter.isalnum() for letter in letters.replace("\n", ""))  # none is punctuation, at which the peer would cut
