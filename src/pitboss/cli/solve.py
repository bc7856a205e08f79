"""``pitboss solve``: the best play of a game's main wager, found once and kept."""

from pitboss.cli.arguments import AsJson, GameName, Options, PayTables
from pitboss.cli.par import par
from pitboss.games import game_named


def solve(
    game: GameName,
    paytable: PayTables = None,
    option: Options = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Find the best play of a game's main wager, keep it, and print its exact PAR sheet.

    A solution holds for the rules, options and pays it was found with; `pitboss par` uses it where it is kept, and
    finds it where it is not.

    For example:

        pitboss solve wild-six-card
        pitboss solve wild-six-card --option stand_pat=on --json
    """
    par(game, game_named(game).wagers[0].id, paytable, option, as_json=as_json)
