"""Several pay tables of a bet side by side: their names, and what differs.

A table is known by its id.  Two files may use the same id, and a file may use the id of a printed table: then the
file's name is added, as much of its path as tells the two apart.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.par_sheet import ParSheet, format_fraction
from pitboss.contract import Game, PayTable
from pitboss.paytables import load_builtin_paytables, resolve_selection, select_paytables

ALL = "all"

TablesByKind = Mapping[str, list[PayTable]]


def is_all(selection: str) -> bool:
    """Tell whether a selection is ``[BET=]all``, every built-in table."""
    return selection.rpartition("=")[2] == ALL


def collect_paytables(game: Game, selections: Iterable[str]) -> tuple[dict[str, PayTable], TablesByKind]:
    """Return the pay table of each kind that pays, and all tables to show.

    The tables of a kind have the order in which they are selected; the first one pays where another bet's sheet needs a
    single table.  ``[BET=]all`` stands for the built-in tables that are not in the list yet.  A kind that is not
    selected has its default table.

    >>> from pitboss.games import load_game
    >>> _, tables = collect_paytables(load_game("six-card"), ["aces-up=SCP-03", "aces-up=all"])
    >>> [table.id for table in tables["aces-up"]]
    ['SCP-03', 'SCP-01', 'SCP-02', 'SCP-04']

    Raises:
        PayTableError: a file is not valid (``paytables.read_paytables``).
        UnknownNameError: a bet or an id is unknown.
    """
    tables: dict[str, list[PayTable]] = {}
    for selection in selections:
        for table in _list_selected(game, selection):
            of_kind = tables.setdefault(table.kind, [])
            if _make_key(game, table) not in [_make_key(game, each) for each in of_kind]:
                of_kind.append(table)
    chosen = select_paytables(game) | {kind: of_kind[0] for kind, of_kind in tables.items()}
    return chosen, {kind: tables.get(kind, [table]) for kind, table in chosen.items()}


def _list_selected(game: Game, selection: str) -> Iterable[PayTable]:
    if not is_all(selection):
        return resolve_selection(game, selection).values()
    bet = selection.rpartition("=")[0]
    wagers = [find_bet(game, bet)] if bet else (*game.wagers, *game.main_parts)
    kinds = {kind for wager in wagers for kind in wager.paytable_kinds}
    return [table for table in load_builtin_paytables(game) if table.kind in kinds]


def _make_key(game: Game, table: PayTable) -> tuple[str, str, str]:
    """Return the kind, the id and the file of a table; "own" for one without a file."""
    is_printed = not table.file and table in load_builtin_paytables(game)
    return table.kind, table.id, "" if is_printed else table.file or "own"


def name_paytables(game: Game, tables: Iterable[PayTable]) -> list[str]:
    """Name each table by its id, and its file if another table has that id."""
    keys = [_make_key(game, table) for table in tables]
    known = {*keys, *((table.kind, table.id, "") for table in load_builtin_paytables(game))}

    def name(key: tuple[str, str, str]) -> str:
        rivals = [each[2] for each in known if each[:2] == key[:2] and each != key]
        return f"{key[1]} ({_shorten(key[2], rivals)})" if key[2] and rivals else key[1]

    return [name(key) for key in keys]


def _shorten(file: str, rivals: Sequence[str]) -> str:
    """Return the shortest end of a path that no rival's path ends with."""
    parts = Path(file).parts
    for length in range(1, len(parts)):
        if all(Path(rival).parts[-length:] != parts[-length:] for rival in rivals):
            return "/".join(parts[-length:])
    return file


def name_sheets(sheets: Sequence[ParSheet]) -> list[str]:
    """Name the sheets of a game by their pay tables, "" where none pays."""
    tables = [table for sheet in sheets for table in sheet.paytables]
    names = iter(name_paytables(sheets[0].game, tables) if tables else ())
    return [" ".join(next(names) for _ in sheet.paytables) for sheet in sheets]


def compare_as_json(name: str, first: ParSheet, other: ParSheet) -> dict[str, Any]:
    """Return what differs from the first of several sheets of a bet, as JSON data.

    ``name`` is the name of the first.
    """
    change = other.house_edge - first.house_edge
    pairs = zip(first.lines, other.lines, strict=True)
    return {
        "compared_with": name,
        "different_outcomes": [one.outcome.name for one, two in pairs if one.net != two.net],
        "house_edge_change": float(change),
        "house_edge_change_exact": format_fraction(change),
    }
