"""Stretches of a row: what touches is one, and what lies between is a gap."""

from explorer.gui.text.stretches import gaps, joined


def test_what_touches_is_one() -> None:
    assert joined([(20.0, 30.0), (0.0, 10.0), (10.2, 15.0)]) == [(0.0, 15.0), (20.0, 30.0)]
    assert joined([(0.0, 30.0), (5.0, 10.0), (40.0, 40.0)]) == [(0.0, 30.0), (40.0, 40.0)] and joined([]) == []


def test_gaps() -> None:
    assert gaps([(0.0, 10.0), (20.0, 30.0)], 0.0, 40.0) == [(10.0, 20.0), (30.0, 40.0)]
    assert gaps([], 0.0, 5.0) == [(0.0, 5.0)] and gaps([(0.0, 5.2)], 0.0, 5.0) == []
