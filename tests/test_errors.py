"""Errors of bad input: one line, whatever was put in, in this process or another."""

import copy
import importlib
import pkgutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import pitboss
from pitboss.core.errors import PitbossError, UnknownNameError, quote
from pitboss.games import load_game


def list_kinds(kind: type[PitbossError] = PitbossError) -> Iterator[type[PitbossError]]:
    """Yield every type of error there is."""
    yield kind
    for each in kind.__subclasses__():
        yield from list_kinds(each)


for _module in ("ledger", "jackpot", "table", "web", "games"):
    package = importlib.import_module(f"pitboss.{_module}")
    for each in pkgutil.iter_modules(package.__path__, f"pitboss.{_module}."):
        if "migrations" not in each.name:
            importlib.import_module(each.name)


@pytest.mark.parametrize("kind", sorted(set(list_kinds()), key=str))
def test_an_error_is_the_same_after_a_copy_and_in_another_process(kind: type[PitbossError]) -> None:
    error = kind.__new__(kind)
    error.args = ("one line",)
    error.__dict__["seconds"] = 3
    copies: list[Any] = [copy.copy(error), copy.deepcopy(error)]  # by the method that pickles, too
    assert [(type(each), str(each), each.seconds) for each in copies] == [(kind, "one line", 3)] * 2


def test_an_error_of_a_process_comes_back() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        error = pool.submit(load_game, "x").exception()
    assert isinstance(error, UnknownNameError)
    assert str(error).startswith("unknown game 'x': known: lunar")


@pytest.mark.parametrize("value", [10**5_000, -(10**5_000)], ids=["huge", "negative"])
def test_a_number_that_python_does_not_write_is_quoted(value: int) -> None:
    assert quote(value) == "a number of too many digits"


def test_importing_the_package_is_all_that_a_caller_needs() -> None:
    assert pitboss.Error is PitbossError
