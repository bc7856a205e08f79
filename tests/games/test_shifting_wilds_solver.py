"""The exact solution of Shifting Wilds: small decks deal by deal, then positions of the whole deck."""

from collections.abc import Sequence

import pytest

from oracle import shifting_wilds as oracle
from pitboss.analysis.solutions import main_nets
from pitboss.games import game_named
from pitboss.games.shifting_wilds.solver.booking import solve_deck
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose, outcome_net
from pitboss.solving import Problem

GAME = game_named("shifting-wilds")
NETS = main_nets(GAME, choose(GAME))
# Pays that make ties, folds and unqualified dealers matter.
ODD_NETS = (-5, *(7 * place % 11 - 5 for place in range(1, len(NETS))))


def quiet(_done: int, _total: int) -> None:
    """Tell nobody."""


def side_nets(stake: int, *bets: str) -> dict[str, tuple[int, ...]]:
    """Return what the wagers that depend on the play net at this stake, in Antes."""
    return {
        wager.id: tuple(int(outcome_net(outcome, choose(GAME), 100) / 100) * stake for outcome in wager.outcomes)
        for wager in GAME.wagers[1:3]
        if wager.id in bets
    }


def problem(nets: Sequence[int] = NETS, stake: int = 0, *bets: str, **options: str) -> Problem:
    return Problem(option_codes(GAME, option_values(GAME, options)), tuple(nets), side_nets(stake, *bets))


SMALL: list[tuple[tuple[int, ...], Problem]] = [
    ((2, 3, 4), problem()),
    ((0, 3, 12), problem(ODD_NETS, dealer_qualifies="pair-of-A")),
    ((8, 9, 12), problem(NETS, 1, "regular-bonus", wild_flush="any_card", dealer_qualifies="always")),
    ((10, 11, 12), problem(ODD_NETS, 3, "regular-bonus", "bad-beat", dealer_qualifies="ace-king")),
    ((2, 3, 4), problem(NETS, 1, "bad-beat", bad_beat_unlisted="push", dealer_qualifies="pair-of-4")),
]


def agree(ranks: Sequence[int], of: Problem) -> None:
    """Compare a solution with every deal of a deck."""
    solution = solve_deck(ranks, of, quiet)
    played = oracle.play_out(ranks, of)
    assert list(solution.counts) == played.counts.tolist()
    assert sum(solution.counts) == oracle.deals_of(ranks)
    assert dict(solution.actions) == played.actions
    assert solution.equal_value_positions == played.equal_first + played.equal_second
    assert [list(each) for each in solution.beside["regular-bonus"]] == played.bonus.tolist()
    assert [each[0] for each in solution.beside["bad-beat"]] == played.beat[:,0].tolist()


@pytest.mark.compiled
@pytest.mark.parametrize(("ranks", "of"), SMALL)
def test_three_ranks_are_played_out_deal_by_deal(ranks: tuple[int, ...], of: Problem) -> None:
    agree(ranks, of)
