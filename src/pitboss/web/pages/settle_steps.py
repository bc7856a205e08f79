"""What a drill says at a step that settles a seat: the wagers, and its hand."""

from collections.abc import Iterable

from pitboss.core.joined_words import join_words
from pitboss.table.layout_snapshot import LayoutPlace
from pitboss.table.round import Round
from pitboss.table.training.dealer_question import DealerQuestion
from pitboss.table.training.seat_facts import find_open_stakes, list_early_wagers
from pitboss.table.training.step_texts import describe_settle_step


def describe_settled_hands(played: Round, task: DealerQuestion | None, places: Iterable[LayoutPlace]) -> dict[str, str]:
    """Say of each step that settles a seat which wagers, and how its hand lies.

    The wagers are named before the first decision, when only some are settled.  The layout shows the hand too.  Both
    are said of the wrong seats as well, so that they do not mark the right one.
    """
    seats = [each for each in places if each.name.startswith("Seat ")]
    if task is None:
        return {}
    of_step = {
        describe_settle_step(seat): "; ".join(
            filter(None, (_name_early_wagers(played, task, seat), _describe_hand(each)))
        )
        for seat, each in enumerate(seats)
    }
    return {choice: of_step[choice] for choice in task.choices if choice in of_step}


def _name_early_wagers(played: Round, task: DealerQuestion, seat: int) -> str:
    """Name the wagers of a seat that are settled before any decision, "" after it."""
    left = {stake.bet for stake in find_open_stakes(played, task.event_count) if stake.seat == seat}
    return ", ".join(wager.name for wager in list_early_wagers(played, task.event_count) if wager.id in left)


def _describe_hand(place: LayoutPlace) -> str:
    if place.is_folded:
        return "folded"
    if not place.cards:
        return "no hand there"
    return "hand face down" if None in place.cards else "hand turned up"


def explain_unshown_hands(played: Round) -> str:
    """Say what a hand left face down means, "" where nothing is settled early."""
    names = [wager.name for wager in list_early_wagers(played, 0)]
    if not names:
        return ""
    settled = f"{join_words(names)} {'are' if len(names) > 1 else 'is'} settled before any decision"
    return (
        f"{settled}. Players turn up a hand that wins; a wager on a hand that stays face down loses: take it (ALL-6)."
    )
