"""What tests of the engine share."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.engine import (
    census,
    census_classes,
    census_hands,
    draw_census,
    hints,
    leak_visit,
    showdown_hints,
    visit,
    visit_play,
)


def make_plain(build: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that returns the same kernels, as the interpreter runs them."""

    def get_plain(*terms: Any) -> Any:
        kernel = build(*terms)
        return getattr(kernel, "py_func", kernel)

    return get_plain


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the interpreter run kernels: games made at random would all be compiled."""

    def set_item(fields: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
        return (*fields[:index], value, *fields[index + 1 :])

    kernels = {
        census: "get_census_kernel",
        census_classes: "build_rank_kernel",
        hints: "build_action_kernel",
        leak_visit: "build_choice_kernel",
        showdown_hints: "build_dealer_kernel",
        visit: "build_walk_kernel",
        visit_play: "build_position_kernel",
    }
    for name in ("build_query_kernel", "build_dealer_kernel", "build_decision_kernel"):
        monkeypatch.setattr(draw_census, name, make_plain(vars(draw_census)[name]))
    for module, name in kernels.items():
        monkeypatch.setattr(module, name, make_plain(vars(module)[name]))
    monkeypatch.setattr(census_hands, "to_fixed_tuple", lambda array, size: tuple(array[:size].tolist()))
    monkeypatch.setattr(census_hands, "tuple_setitem", set_item)
