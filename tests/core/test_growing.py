"""Arrays that grow in place keep what they hold, in any number of slices."""

import numpy as np
import pytest

from explorer.core import growing
from explorer.core.growing import grow


@pytest.mark.parametrize("slice_bytes", [8, 24, 1 << 22])
def test_what_an_array_holds_stays_and_what_is_added_is_zero(slice_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "SLICE", slice_bytes)
    array, rows = np.arange(1, 6), np.ones((2, 3), np.int32)
    grow(array, 100)
    assert array.tolist() == [1, 2, 3, 4, 5] + [0] * 95
    grow(rows, 7)
    assert rows.tolist() == [[1, 1, 1]] * 2 + [[0, 0, 0]] * 5


def test_an_array_is_never_cut() -> None:
    array = np.arange(5)
    grow(array, 3)
    assert array.tolist() == [0, 1, 2, 3, 4]
