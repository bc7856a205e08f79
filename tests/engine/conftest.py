"""What tests of the engine share."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.contract import Game
from pitboss.engine import census, census_classes, census_hands


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the interpreter run the census: games made at random would all be compiled."""
    compiled: Callable[..., Any] = census.get_census_kernel
    compiled_ranks: Callable[..., Any] = census_classes.get_rank_kernel

    def get_plain(game: Game, form: Any, choose: Any = None) -> Any:
        kernel = compiled(game, form, choose)
        return getattr(kernel, "py_func", kernel)

    def set_item(fields: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
        return (*fields[:index], value, *fields[index + 1 :])

    def get_plain_ranks(game: Game, rank: Any, fields: tuple[int, ...]) -> Any:
        kernel = compiled_ranks(game, rank, fields)
        return getattr(kernel, "py_func", kernel)

    monkeypatch.setattr(census, "get_census_kernel", get_plain)
    monkeypatch.setattr(census_classes, "get_rank_kernel", get_plain_ranks)
    monkeypatch.setattr(census_hands, "to_fixed_tuple", lambda array, size: tuple(array[:size].tolist()))
    monkeypatch.setattr(census_hands, "tuple_setitem", set_item)
