"""The examples in the scripts' docstrings; the folder itself is not collected, since its `test.py` is no test."""

import doctest
from types import ModuleType

import oldest_python
import pytest
import system_libraries
from benchmarking import ranks


@pytest.mark.parametrize("module", [oldest_python, system_libraries, ranks])
def test_the_examples_hold(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
