"""Nobody at a table of an example game is sent anything that depends on a card they cannot see."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from examples.loading import EXAMPLES, load_example
from table.test_secrecy import checked
from web.test_secrecy import DRAWN, compare_rounds
from web.twin_worlds import Houses

each_example = pytest.mark.parametrize("name", sorted(rules.parent.name for rules in EXAMPLES.glob("*/rules.py")))


@each_example
def test_what_a_chair_is_sent_depends_on_nothing_that_it_cannot_see(name: str) -> None:
    assert checked(load_example(name), seed=11, rounds=5) > 15


@pytest.mark.long
@each_example
def test_what_a_chair_is_sent_depends_on_nothing_that_it_cannot_see_in_many_rounds(name: str) -> None:
    assert sum(checked(load_example(name), seed, rounds=100) for seed in range(100, 120)) > 6_000


@pytest.mark.more
@each_example
def test_no_byte_of_any_answer_depends_on_a_card_that_is_not_seen(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.web.templating.uuid4", lambda: SimpleNamespace(hex="0" * 32))
    assert list(compare_rounds(Houses(tmp_path), load_example(name), seed=5, rounds=1, everything=True)) == []


@pytest.mark.long
@each_example
def test_no_byte_depends_on_a_card_that_is_not_seen_in_two_thousand_rounds(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.web.templating.uuid4", lambda: SimpleNamespace(hex="0" * 32))
    houses, game = Houses(tmp_path), load_example(name)
    for seed in range(1_000, 2_000):
        assert list(compare_rounds(houses, game, seed, rounds=2, one_of=DRAWN)) == []
