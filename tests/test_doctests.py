"""The examples in docstrings print what stands below them."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from test_tidy import ROOT, SOURCES, name_of

DOCUMENTED = [path for path in SOURCES if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", DOCUMENTED, ids=name_of)
def test_the_examples_of_a_module(path: Path) -> None:
    words = path.relative_to(ROOT / "src").with_suffix("").parts
    module = import_module(".".join(words).removesuffix(".__init__"))
    ran = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert ran.attempted
    assert ran.failed == 0
