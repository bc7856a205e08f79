"""What each discard is worth at one position: every card drawn, every dealer's hand.

Four cards kept and one drawn make few strengths.  One count of all sixes of the 49 unseen cards, and of those that hold
each card (``counting.unseen``), tells how many dealer hands without the card drawn lie at and between them.
"""

from collections import defaultdict
from fractions import Fraction
from math import comb

from pitboss.cards import DECK_54, bit
from pitboss.core.errors import IllegalActionError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.games.wild_six_card.rules import (
    DISCARDED,
    FOUR_OR_BETTER,
    STOOD,
    UNDECIDED,
    WildSixState,
    WildSixView,
    is_automatic_winner,
    legal_actions,
    rank_hand,
    settle_main,
)
from pitboss.hands import load_hand_tables
from pitboss.kernels.enumeration import IntArray
from pitboss.kernels.opponent_histogram import HAND as DEALERS
from pitboss.kernels.opponent_histogram import count_opponents
from pitboss.solver_api import ActionValue, SolverProblem


def hint(
    problem: SolverProblem, view: WildSixView, asked: int, progress: ProgressCallback = ignore_progress
) -> tuple[ActionValue, ...]:
    """Return what each discard is worth with the cards ``view.player``, and standing where the house allows it.

    Raises:
        IllegalActionError: the five cards have won at once (W6-2).
        ValueError: ``problem.beside`` has a wager: none of this game's depends on the play.
    """
    if problem.side_nets:
        raise ValueError("no side wager of Wild Six Card Poker depends on the play")
    tables, options, five = load_hand_tables(), problem.options, view.player
    if is_automatic_winner(tables, WildSixState(five, 0, 0, 0, 0, 0, UNDECIDED, 0), options):
        raise IllegalActionError("a straight or better has won: nothing is discarded (W6-2)")
    discards = [bit(code) for code in DECK_54.cards if five >> code & 1]
    draws = [code for code in DECK_54.cards if not five >> code & 1]
    made = {
        (discard, drawn): rank_hand(tables, five & ~discard | bit(drawn), options)
        for discard in discards
        for drawn in draws
    }
    own = rank_hand(tables, five, options)
    strengths = sorted({own, FOUR_OR_BETTER, *made.values()})
    dealers = count_opponents(rank_hand, options, DECK_54.mask & ~five, strengths)
    valued = []
    for discard in discards:
        met: dict[int, IntArray] = defaultdict(lambda: 0 * dealers.hands)
        for drawn in draws:
            met[made[discard, drawn]] += dealers.hands - dealers.by_card[:, drawn]
        total = sum(_total_net(problem.nets, DISCARDED, mine, strengths, hands) for mine, hands in met.items())
        deals = len(draws) * comb(len(draws) - 1, DEALERS)
        valued.append(ActionValue("discard", discard, Fraction(total, deals)))
    if legal_actions(tables, view, asked, len(draws) - DEALERS, options) >> 1 & 1:
        total = _total_net(problem.nets, STOOD, own, strengths, dealers.hands)
        valued.append(ActionValue("stand", 0, Fraction(total, comb(len(draws), DEALERS))))
    progress(1, 1)
    return tuple(valued)


def _total_net(nets: tuple[int, ...], choice: int, mine: int, strengths: list[int], hands: IntArray) -> int:
    """Return what a hand nets in all against dealers' ``hands``, given by level as a ``Tally`` has them.

    Between two of ``strengths``, four of a kind among them, dealers are alike to the rule; where no whole number lies
    between two there is no hand.
    """
    dealers = [level for strength in strengths for level in (strength - 1, strength)]
    dealers.append(strengths[-1] + 1)
    booked = zip(dealers, hands.tolist(), strict=True)
    return sum(nets[settle_main(choice, mine, dealer)] * count for dealer, count in booked)
