"""The terms of a position to study: pay tables and options.

A link says only those that differ from the rule sheet's.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pitboss.analysis.game_terms import GameTerms
from pitboss.builders import capitalize_first, display_value
from pitboss.contract import Game, Wager
from pitboss.games import load_games
from pitboss.options import parse_options, resolve_options
from pitboss.paytables import load_builtin_paytables, resolve_selection, select_paytables
from pitboss.web.pages.house_rules import list_option_values, list_paytable_kinds
from pitboss.web.pages.sheet_choices import verify_known

_PAYTABLE, _OPTION = "paytable-", "option-"


class TermField(NamedTuple):
    """A choice of the form, with its values and the one that is chosen.

    ``usual`` is the value of the rule sheet, and ``ruling`` the label of the ruling that has it.
    """

    name: str
    words: str
    values: Sequence[tuple[str, str]]
    usual: str
    chosen: str
    ruling: str = ""


class ChosenTerms(NamedTuple):
    """The terms that differ from the rule sheet's, as a link says them."""

    paytables: tuple[str, ...]
    options: tuple[str, ...]


def read_terms(game: Game, paytables: Sequence[str], options: Sequence[str], fields: Mapping[str, str]) -> ChosenTerms:
    """Return the terms of a query, from a link and from the form.

    Raises:
        PitbossError: a pay table, an option or its value is unknown, or one is chosen twice.
    """
    tables = load_builtin_paytables(game)
    for each in paytables:
        verify_known("pay table", each.rpartition("=")[2], [table.id for table in tables], ())  # never a file
    linked = {kind for each in paytables for kind in resolve_selection(game, each)}
    chosen = list(paytables)
    for kind in dict.fromkeys(table.kind for table in tables):
        ids, name = [table.id for table in tables if table.kind == kind], fields.get(_PAYTABLE + kind, "")
        verify_known("pay table", name, ids, _list_other_tables(game))
        chosen += [name] if name in ids and kind not in linked else []
    named = {each.partition("=")[0] for each in options}
    typed = [f"{option.name}={fields.get(_OPTION + option.name, '')}" for option in game.options]
    values = parse_options(
        game, [*options, *(each for each in typed if each[-1] != "=" and each.partition("=")[0] not in named)]
    )
    usual, in_force = resolve_options(game, {}), select_paytables(game, chosen)
    return ChosenTerms(
        tuple(table.id for table in in_force.values() if not table.default),
        tuple(f"{name}={value}" for name, value in values.items() if value != usual[name]),
    )


def list_term_fields(game: Game, terms: GameTerms, played: Sequence[Wager]) -> Iterator[TermField]:
    """Yield the choices of the form: pay tables that matter, then options.

    The play depends on the pay tables of main and of the side wagers ``played``.
    """
    kinds = {kind for wager in (game.main, *game.main_parts, *played) for kind in wager.paytable_kinds}
    for kind in list_paytable_kinds(game):
        if kind.id in kinds and len(kind.tables) > 1:
            usual = next(table.id for table in kind.tables if table.default)
            tables = [(each.id, kind.describe(each) + (" (default)" if each.default else "")) for each in kind.tables]
            yield TermField(_PAYTABLE + kind.id, f"Pays of {kind.name}", tables, usual, terms.paytables[kind.id].id)
    for option in game.options:
        words, values = capitalize_first(option.meaning), list_option_values(option)
        chosen = terms.options[option.name]
        yield TermField(_OPTION + option.name, words, values, option.default, chosen, option.ruling)


def describe_terms(game: Game, chosen: ChosenTerms) -> tuple[str, ...]:
    """Describe the terms that differ from the rule sheet's.

    >>> from pitboss.games import load_game
    >>> describe_terms(load_game("six-card"), ChosenTerms(("SCP-02",), ("dealer_qualifies=always",)))
    ('SCP-02', 'the lowest hand with which the dealer qualifies: always')
    """
    values = dict(each.split("=", 1) for each in chosen.options)
    options = (each for each in game.options if each.name in values)
    return (*chosen.paytables, *(f"{each.meaning}: {display_value(values[each.name])}" for each in options))


def _list_other_tables(game: Game) -> Iterator[str]:
    """Yield the tables of other games.

    Without a script, a form may still name one of the game shown before.
    """
    for other in load_games().values():
        if other is not game:
            yield from (table.id for table in load_builtin_paytables(other))
