"""Rules in kernels: nested rules, rules marked later, and no stale rule from the cache."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import pitboss
from pitboss.core.errors import PitbossError
from pitboss.core.rule import rule
from pitboss.kernels.compile import kernel
from refusals import refusal


@rule
def half(number: int) -> int:
    """Return half a number, rounded down."""
    return number // 2


@rule
def quarter(number: int) -> int:
    """Return a quarter of a number, by way of another rule."""
    return half(half(number))


@pytest.mark.compiled
def test_a_kernel_calls_rules_that_call_rules() -> None:
    @kernel
    def compiled(number: int) -> int:
        return quarter(number) + half(number)

    assert compiled(42) == quarter(42) + half(42) == 31


@pytest.mark.compiled
def test_a_rule_marked_after_a_kernel_was_compiled_serves_the_next_one() -> None:
    @kernel
    def first(number: int) -> int:
        return half(number)

    assert first(10) == 5

    @rule
    def late(number: int) -> int:
        """Return a quarter less one."""
        return quarter(number) - 1

    @kernel
    def second(number: int) -> int:
        return late(number)

    assert second(42) == late(42) == 9


@pytest.mark.more
@pytest.mark.compiled
def test_a_rule_changed_in_another_file_is_never_answered_from_the_cache(tmp_path: Path) -> None:
    package = tmp_path / "pitboss"
    shutil.copytree(Path(pitboss.__path__[0]), package, ignore=shutil.ignore_patterns("__pycache__"))
    told = package / "cards" / "told.py"
    told.write_text("from pitboss.core.rule import rule\n\n@rule\ndef told():\n    return 1\n", encoding="utf-8")
    asked = "from pitboss.cards.told import told\nfrom pitboss.kernels.compile import kernel\n\n"
    asked += "@kernel\ndef asked():\n    return told()\n\nprint(asked(), sum(asked.stats.cache_hits.values()))\n"
    (package / "kernels" / "asked.py").write_text(asked, encoding="utf-8")

    def answer() -> str:
        environment = os.environ | {"PYTHONPATH": str(tmp_path), "PITBOSS_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, "-m", "pitboss.kernels.asked"]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.strip()

    assert answer() == "1 0"
    assert answer() == "1 1"
    told.write_text(told.read_text(encoding="utf-8").replace("return 1", "return 2"), encoding="utf-8")
    assert answer() == "2 0"


missing = 1


@rule
def count_in_a_list(number: int) -> int:
    return max([number])


@rule
def use_what_is_not_there(number: int) -> int:
    return number + missing


globals().pop("missing")  # the rule is wrong now


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("wrong", "text"),
    [(count_in_a_list, "return max([number])"), (use_what_is_not_there, "name 'missing' is not defined")],
)
def test_a_rule_that_cannot_be_compiled_is_refused_in_a_line_that_says_where(
    wrong: Callable[[int], int], text: str
) -> None:
    @kernel
    def call(number: int) -> int:
        return wrong(number)

    with pytest.raises(
        PitbossError, match=re.escape(text), check=refusal("rule-not-compiled", path=__file__)
    ) as raised:
        call(7)
    assert "\n" not in str(raised.value)


@pytest.mark.compiled
@pytest.mark.parametrize("kept", [b"cpitboss.games.none\nState\n.", b"cpitboss.cards\nNone_such\n.", b"", b"no pickle"])
def test_a_kept_kernel_that_cannot_be_read_is_compiled_again(
    kept: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))

    def add_one(number: int) -> int:
        return number + 1

    assert kernel(add_one)(1) == 2
    (file,) = tmp_path.rglob("*.kernel")
    file.write_bytes(kept)
    assert kernel(add_one)(1) == 2
    assert file.read_bytes() != kept


@pytest.mark.compiled
def test_types_of_one_name_in_two_modules_have_a_kernel_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("first_rules", "other_rules"):
        source = "from typing import NamedTuple\n\nclass Options(NamedTuple):\n    most: int\n"
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")

    def read_most(options: Any) -> int:
        return int(options.most)

    for number, name in enumerate(("first_rules", "other_rules"), 1):
        assert kernel(read_most)(import_module(name).Options(number)) == number
        assert len(list(tmp_path.rglob("*.kernel"))) == number
