"""The exemplars: each is the file that was shipped, opens, and shows what its line says."""

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from explorer import places
from explorer.core.recipe import Joints
from explorer.core.training import Training, train
from explorer.errors import CorpusFileError, ExplorerError
from explorer.sources.exemplars import EXEMPLARS, exemplar_named, open_exemplar

NAMES = [exemplar.name for exemplar in EXEMPLARS]

# texts, bytes of text, length at zero merges, merges learned, length at the end, under the recipe each opens with
FIGURES = {
    "chronicle": (91, 7123, 7123, 256, 1419),
    "eighteen": (1, 781, 648, 85, 263),
    "four-words": (4, 20, 79, 10, 22),
    "taste": (3, 16, 102, 12, 20),
    "joints": (4, 18, 180, 9, 40),
    "script": (4, 19, 36, 5, 19),
    "standing-in": (1, 11, 11, 1, 9),
}


def trained(name: str) -> Training:
    return train(open_exemplar(name), exemplar_named(name).recipe)


@pytest.mark.parametrize("name", NAMES)
def test_an_exemplar_opens_and_trains_to_its_figures(name: str) -> None:
    corpus, training = open_exemplar(name), trained(name)
    assert corpus.name == name
    assert (len(corpus), len(corpus.data), training.length_at_zero, training.learned, training.length(training.learned)) == FIGURES[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_digest_pinned_is_that_of_the_file(name: str) -> None:
    exemplar = exemplar_named(name)
    data = places.exemplar(exemplar.file).read_bytes()
    facts = open_exemplar(name).file
    assert hashlib.sha256(data).hexdigest() == exemplar.sha256
    assert facts is not None
    assert (facts.name, facts.bytes, facts.sha256) == (exemplar.file, len(data), exemplar.sha256)


def test_every_corpus_file_of_the_folder_is_an_exemplar() -> None:
    files = {path.name for path in places.exemplars_dir().iterdir() if path.is_file() and not path.name.startswith(".")}
    assert files == {exemplar.file for exemplar in EXEMPLARS}
    assert [exemplar.name for exemplar in EXEMPLARS] == [Path(exemplar.file).stem for exemplar in EXEMPLARS]


def test_the_chronicle_is_called_a_reconstruction() -> None:
    assert "reconstruction" in exemplar_named("chronicle").shows


def test_joints_are_offered_and_used_only_when_asked_for() -> None:
    corpus, recipe = open_exemplar("joints"), exemplar_named("joints").recipe
    assert dict(corpus.joints) == {b"undo": (b"un", b"do"), b"untie": (b"un", b"tie"), b"redo": (b"re", b"do"), b"retie": (b"re", b"tie")}
    joined = train(corpus, replace(recipe, joints=Joints.of(corpus.joints)))
    assert (trained("joints").length(9), joined.length(joined.learned)) == (40, 80)


def test_the_chronicle_is_its_published_text() -> None:
    corpus = open_exemplar("chronicle")
    assert corpus.sha256 == "72efb1a5d28fb0d409496ba32b01fc720335f458b8878e7d44dd7f842032bf7a"
    assert corpus.ended
    assert list(corpus.rows.columns) == ["entry", "tick", "kind", "text"]
    assert corpus.rows.cells(90) == ("91", "287550", "count", "year 80: 238 hobbs standing in The Hollow, 1965 born and 1756 gone")


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(ExplorerError, match=r"'chronicles'.*chronicle, eighteen, four-words, taste, joints, script, standing-in"):
        open_exemplar("chronicles")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_was_changed_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _elsewhere(tmp_path, monkeypatch)
    file = tmp_path / "exemplars" / exemplar_named(name).file
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(CorpusFileError, match=f"not the exemplar '{name}' that was shipped"):
        open_exemplar(name)


def test_a_file_that_is_gone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _elsewhere(tmp_path, monkeypatch)
    (tmp_path / "exemplars" / "taste.tsv").unlink()
    with pytest.raises(CorpusFileError, match=r"taste\.tsv"):
        open_exemplar("taste")


def _elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exemplars in a folder of the test's own."""
    shutil.copytree(places.exemplars_dir(), folder / "exemplars")
    monkeypatch.setattr(places, "_folder", lambda name: folder / name)
