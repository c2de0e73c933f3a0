"""Looking for bytes and counting them in steps: the answers of `bytes`, however long a step is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.progress import Step, drain
from explorer.gui.models import finding
from explorer.gui.models.finding import Found, counting_steps, finding_steps, finding_texts_steps

texts = st.binary(max_size=40).map(lambda text: bytes(97 + letter % 2 for letter in text))
sought = texts.map(lambda text: text[:5]).filter(bool)


def expected(data: bytes, text: bytes, marked: tuple[int, int] | None, start: int, backwards: bool) -> tuple[Found, int]:
    """The same by whole searches."""
    if backwards:
        at = data.rfind(text, 0, max(0, (marked[1] if marked else start) - 1))
    else:
        at = data.find(text, marked[0] + 1 if marked else start)
    if at >= 0:
        return Found.FURTHER_ON, at
    other = data.rfind(text) if backwards else data.find(text)
    return (Found.FROM_THE_OTHER_END, other) if other >= 0 else (Found.NOWHERE, -1)


@given(texts, sought, st.integers(0, 40), st.integers(1, 6), st.booleans(), st.booleans(), st.integers(1, 9))
def test_found_is_what_a_whole_search_finds(
    data: bytes, text: bytes, start: int, width: int, mark: bool, backwards: bool, step: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "BYTES_A_STEP", step)
        start = min(start, len(data))
        marked = (start, min(len(data), start + width)) if mark else None
        assert drain(finding_steps(data, text, marked, start, backwards=backwards)) == expected(data, text, marked, start, backwards)
        assert drain(counting_steps(data, text)) == data.count(text)


def test_nothing_is_found_nowhere() -> None:
    assert drain(finding_steps(b"abc", b"", None, 0, backwards=False)) == (Found.NOWHERE, -1)


@given(st.lists(texts.filter(bool), min_size=1, max_size=6, unique=True), sought)
def test_texts_are_looked_through_apart(words: list[bytes], text: bytes) -> None:
    corpus = Corpus.of_counts(dict.fromkeys(words, 1))
    assert drain(finding_texts_steps(corpus, text)) == [number for number, word in enumerate(words) if text in word]


class Watched(bytes):
    """Bytes that note how many of them one search looks through at most."""

    most = 0

    def find(self, sub: bytes, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        self.most = max(self.most, (len(self) if end is None else end) - start)
        return super().find(sub, start, end)

    def rfind(self, sub: bytes, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        self.most = max(self.most, (len(self) if end is None else end) - start)
        return super().rfind(sub, start, end)


@pytest.mark.parametrize("backwards", [False, True])
def test_no_step_looks_through_more_than_a_megabyte(backwards: bool) -> None:
    data = Watched(3 * finding.BYTES_A_STEP)
    steps: list[Step] = []
    searching = finding_steps(data, b"needle", None, 1_000, backwards=backwards)
    while True:
        try:
            steps.append(next(searching))
        except StopIteration as end:
            assert end.value == (Found.NOWHERE, -1)
            break
    assert 0 < data.most <= finding.BYTES_A_STEP + len(b"needle")
    assert len(steps) >= 3
    assert all(step.done <= step.total for step in steps)
