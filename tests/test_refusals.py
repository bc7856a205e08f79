"""Every refusal names its code where it is made, and all wordings stand in one list."""

import importlib
import pkgutil
import re
from functools import cache
from inspect import Parameter, signature

import pitboss
from pitboss.core.errors import PitbossError
from refusals import LIST, Raised, list_raised, write_list


@cache
def find_raised() -> tuple[Raised, ...]:
    return tuple(list_raised())


def test_every_place_that_makes_an_error_names_its_code() -> None:
    assert [each.place for each in find_raised() if each.code is None] == []


def test_no_error_type_keeps_a_name_from_its_fields() -> None:
    """What an error's constructor takes is positional, so that a field may have any name."""
    for kind in list_error_types():
        taken = [each for each in signature(kind.__init__).parameters.values() if each.name not in {"self", "code"}]
        if any(each.kind is Parameter.VAR_KEYWORD for each in taken):
            assert Parameter.POSITIONAL_OR_KEYWORD not in {each.kind for each in taken}, kind


def list_error_types() -> set[type[PitbossError]]:
    for module in pkgutil.walk_packages(pitboss.__path__, "pitboss."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found, waiting = set[type[PitbossError]](), [PitbossError]
    while waiting:
        kind = waiting.pop()
        found.add(kind)
        waiting += kind.__subclasses__()
    return found


def test_codes_are_a_few_words_joined_by_hyphens() -> None:
    codes = {each.code for each in find_raised() if each.code}
    assert {code for code in codes if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){1,4}", code)} == set()


def test_the_list_of_wordings_is_up_to_date() -> None:
    """A reworded refusal changes this file, and no test beside it."""
    assert LIST.read_text(encoding="utf-8") == write_list(find_raised()), "run: python tests/refusals.py"
