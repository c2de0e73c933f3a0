"""An exemplar brings a text of its own that fits it, in place of another exemplar's; what a person wrote stays."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from explorer.core.corpus import Corpus
from explorer.core.encoding import encode
from explorer.core.recipe import Recipe
from explorer.core.training import train
from explorer.sources.exemplars import EXEMPLARS, Exemplar, exemplar_named, exemplar_of, open_exemplar
from explorer.workspace.workspace import Workspace


@pytest.fixture
def workspace(qapp: QApplication) -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.close()
    made.deleteLater()


@pytest.mark.parametrize("exemplar", EXEMPLARS, ids=lambda exemplar: exemplar.name)
def test_a_sample_is_cut_by_the_merges_of_its_exemplar(exemplar: Exemplar) -> None:
    corpus = open_exemplar(exemplar.name)
    assert exemplar_of(corpus) is exemplar
    encoded = encode(train(corpus, exemplar.recipe).table, exemplar.sample.encode())
    lost = exemplar.name == "eighteen"  # its sentence is there to show what is lost: the z
    assert encoded.stand_ins == lost and len(encoded) < len(exemplar.sample)


def test_samples_follow_the_exemplars_until_a_person_writes(workspace: Workspace) -> None:
    workspace.set_text(exemplar_named("chronicle").sample.encode())
    for name in ("chronicle", "four-words", "taste"):
        workspace.open_exemplar(name, at_once=True)
        assert workspace.text.decode() == exemplar_named(name).sample
    workspace.undo()
    assert workspace.text.decode() == exemplar_named("four-words").sample
    workspace.open_exemplar("joints", at_once=True)
    assert workspace.text.decode() == exemplar_named("joints").sample, "after undo too"
    workspace.set_text(b"my own words")
    workspace.open_exemplar("eighteen", at_once=True)
    assert workspace.text == b"my own words"
    workspace.set_text(b"")
    workspace.open_exemplar("script", at_once=True)
    assert workspace.text == b"", "what was cleared stays so"


def test_a_corpus_of_ones_own_brings_no_text(workspace: Workspace) -> None:
    sample = exemplar_named("chronicle").sample.encode()
    workspace.set_text(sample)
    workspace.open_corpus(Corpus.of_text(b"low low"), recipe=Recipe.of("published"), at_once=True)
    assert workspace.text == sample and exemplar_of(Corpus.of_text(b"x")) is None


def test_the_words_of_another_exemplar_that_a_person_typed_stay(workspace: Workspace) -> None:
    workspace.set_text(exemplar_named("chronicle").sample.encode())
    workspace.open_exemplar("chronicle", at_once=True)
    typed = exemplar_named("script").sample.encode()
    workspace.set_text(typed)
    workspace.open_exemplar("taste", at_once=True)
    assert workspace.text == typed
    workspace.undo()
    workspace.open_exemplar("taste", at_once=True)
    assert workspace.text == typed
