"""The games, bets and pay tables of pages with sheets, and the choice of one."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from pitboss.analysis import exact_par_sheet
from pitboss.contract import Game, PayTable, Wager
from pitboss.core.errors import PayTableError, UnknownNameError
from pitboss.core.strict_model import parse_toml
from pitboss.games import load_games
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, parse_paytables, select_paytables
from pitboss.web.game_lists import list_games_with_rules

MAX_OWN_LENGTH = 2_500


def choose_wager(game: Game, bet: str, list_wagers: Callable[[Game], Sequence[Wager]]) -> Wager | None:
    """Return the bet that is asked for, else the first; None if the game has none.

    Raises:
        UnknownNameError: no game has this bet.
    """
    bets = {each.id: each for each in list_wagers(game)}
    if bets:
        everywhere = (each.id for other in list_games_with_rules() for each in list_wagers(other))
        verify_known("bet", bet, bets, everywhere)
    return bets.get(bet) or next(iter(bets.values()), None)


def verify_known(kind: str, name: str, here: Collection[str], anywhere: Iterable[str]) -> None:
    """Refuse a name that is neither ``here`` nor ``anywhere``.

    Without a script, a form may still name a choice of the game shown before, so a name of another game is allowed.
    """
    if name and name not in here and name not in anywhere:
        raise UnknownNameError(kind, name, here)


def list_sheet_wagers(game: Game) -> list[Wager]:
    """Return the bets of a game that have a PAR sheet."""
    return exact_par_sheet.list_sheet_wagers(game, resolve_options(game, {}))


def list_sheet_games() -> list[Game]:
    """Return the games that have a PAR sheet."""
    return [game for game in list_games_with_rules() if list_sheet_wagers(game)]


def list_wager_paytables(game: Game, wager: Wager) -> list[PayTable]:
    """Return the built-in pay tables of a bet's first kind."""
    return [table for table in load_builtin_paytables(game) if table.kind in wager.paytable_kinds[:1]]


def parse_own_paytables(game: Game, wager: Wager, text: str, name: str) -> list[PayTable]:
    """Return a visitor's own pay tables for a bet's first kind.

    ``text`` is that of a file, and ``name`` is what errors call it.

    Raises:
        PayTableError: the text is too long, is not a file of pay tables, or has none for the bet.
    """
    if len(text) > MAX_OWN_LENGTH:
        raise PayTableError(
            f"{name} has {len(text):,} characters: at most {MAX_OWN_LENGTH:,}", code="file-too-long", name=name
        )
    tables = parse_paytables(parse_toml(text, name, PayTableError), game, name)
    fitting = [table for table in tables if table.kind in wager.paytable_kinds[:1]]
    if not fitting:
        raise PayTableError(
            f"{name} has no pay table for {wager.id}: it is for {', '.join(each.bet for each in tables)}",
            code="no-pay-table",
            bet=wager.id,
        )
    return fitting


def choose_paytables(game: Game, wager: Wager | None, paytable: str) -> Mapping[str, PayTable]:
    """Return the pay tables of a game with the built-in one that is asked for a bet.

    Raises:
        UnknownNameError: no game has this table.
    """
    tables = [table.id for table in list_wager_paytables(game, wager)] if wager else []
    everywhere = (each.id for other in load_games().values() for each in load_builtin_paytables(other))
    verify_known("pay table", paytable, tables, everywhere)
    return select_paytables(game, (f"{wager.id}={paytable}",) if wager and paytable in tables else ())
