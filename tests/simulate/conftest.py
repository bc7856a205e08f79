"""What tests of simulation share."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.simulate import runner
from pitboss.simulate.block_kernel import BlockFunction, BlockResult, build_block


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the interpreter play blocks: a few rounds end sooner than a kernel is compiled."""

    def build(*terms: Any) -> BlockFunction:
        play: Callable[..., BlockResult] = build_block(*terms)

        def play_listed(*terms: Any) -> BlockResult:
            *first, stub, player_data, cells = terms
            return play(*first, [0] * len(stub), player_data, cells)  # cards of an array would not be Python's integers

        return play_listed

    monkeypatch.setattr(runner, "compile_block", build)
    monkeypatch.setattr(runner, "_compile_kernel", vars(runner)["_compile_kernel"].__wrapped__)  # keeps nothing
