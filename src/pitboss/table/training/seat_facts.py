"""Facts of a seat that make a step there wrong: folded, asked, or all settled.

The order of the seats does not justify leaving out a seat that has nothing left: a correction names the fact instead.
"""

from collections.abc import Iterator, Sequence

from pitboss.contract import HandOwner, Wager
from pitboss.table.round import DecisionMade, Round, Stake, WagerSettled
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.wagers import get_circle_name, get_wager
from pitboss.table.training.procedure import load_house_procedure
from pitboss.table.training.step_texts import (
    SEAT_IS_SETTLED,
    describe_ask_step,
    describe_settle_step,
    describe_turn_up_step,
)


def find_open_stakes(played: Round, before: int) -> list[Stake]:
    """Find the stakes that are not settled after a number of events."""
    events = played.events[:before]
    settled = {(each.seat, each.bet, each.on) for each in events if isinstance(each, WagerSettled)}
    return [each for each in played.stakes if (each.seat, each.bet, each.on) not in settled]


def list_early_wagers(played: Round, before: int) -> list[Wager]:
    """List the side wagers that are settled before the first decision, of every seat.

    There are none once it is made.
    """
    first = next((place for place, each in enumerate(played.events) if isinstance(each, DecisionMade)), 0)
    if before > first:
        return []
    settled = {each.bet for each in played.events[:first] if isinstance(each, WagerSettled)}
    bets = settled - {stake.bet for stake in find_open_stakes(played, first)} - {played.game.main.id}
    return [wager for wager in played.game.wagers if wager.id in bets]


def list_foreign_circles(played: Round, before: int, seat: int) -> list[str]:
    """List the circles of a seat's wagers that are not on its own hand.

    They are named as the layout names them.
    """
    foreign = (
        (stake, get_wager(played.game, stake.bet))
        for stake in find_open_stakes(played, before)
        if stake.seat == seat
        if get_wager(played.game, stake.bet).hand_owner is not HandOwner.OWN_HAND
    )
    return [
        get_circle_name(circle, played.game) + (f" on seat {stake.on + 1}" if stake.on is not None else "")
        for stake, wager in foreign
        for circle in wager.circles or (wager.id,)
    ]


def find_live_hands(played: Round, before: int) -> set[int]:
    """Find the seats on whose hand a wager is not settled after a number of events."""
    return {
        stake.seat if stake.on is None else stake.on
        for stake in find_open_stakes(played, before)
        if get_wager(played.game, stake.bet).hand_owner.is_seat
    }


def explain_wrong_seats(
    played: Round, before: int, mucked: Sequence[int], choices: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Explain the choices that name a seat with nothing left to do there."""
    facts = dict(_iter_facts(played, before, mucked))
    return tuple((text, facts[text]) for text in choices if text in facts)


def _iter_facts(played: Round, before: int, mucked: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the steps at a seat that a fact makes wrong."""
    folded_seats, live = find_folded_seats(played.events[:before]), find_live_hands(played, before)
    staked = {stake.seat for stake in find_open_stakes(played, before)}
    clause = load_house_procedure(played).settle_fold
    for seat in range(played.seats):
        name, is_folded = f"seat {seat + 1}", seat in folded_seats
        if is_folded:
            yield from ((describe_ask_step(each, seat), f"{name} has folded") for each in played.game.decisions)
        else:
            yield from _iter_question_facts(played, before, seat)
        if seat not in staked:
            folded = f"{name} has folded, and no wager of it is left{f' ({clause})' if clause else ''}"
            yield describe_settle_step(seat), folded if is_folded else f"{SEAT_IS_SETTLED} {name} is settled"
        if seat not in live:
            folded = f"{name} has folded, and " if is_folded else ""
            hand = "its hand" if is_folded else f"the hand of {name}"
            gone = f"{hand} is collected" if seat in mucked else f"no wager on {hand} is left"
            stays = describe_staying_wagers(played, before, seat)
            yield describe_turn_up_step(seat), f"{folded}{gone}{f'; {stays}' if stays else ''}"


def _iter_question_facts(played: Round, before: int, seat: int) -> Iterator[tuple[str, str]]:
    """Yield the questions to a seat that are not due, each with why."""
    name, decisions, when = f"seat {seat + 1}", played.game.decisions, load_house_procedure(played).asks
    made = [
        (place, each.decision)
        for place, each in enumerate(played.events)
        if isinstance(each, DecisionMade) and each.seat == seat
    ]
    answered = [decision for place, decision in made if place < before]
    left = [decision for place, decision in made if place >= before]
    places = {each.id: place for place, each in enumerate(decisions)}
    for each in decisions:
        reason = f": that one is {when[each.id]}" if each.id in when else ""
        if each.id in answered:
            yield describe_ask_step(each, seat), f"{name} has answered that question"
        elif left and places[each.id] > places[left[0]]:
            yield describe_ask_step(each, seat), f"{name} has an earlier question to answer{reason}"
        elif left and left[0] != each.id and reason:
            yield describe_ask_step(each, seat), f"{name} is not asked that question{reason}"


def describe_staying_wagers(played: Round, before: int, seat: int) -> str:
    """Say which wagers of a seat stay without its hand, "" for none.

    It is said of each on which hand it is.
    """
    texts = []
    for stake in find_open_stakes(played, before):
        wager = get_wager(played.game, stake.bet)
        if stake.seat == seat and wager.hand_owner is not HandOwner.OWN_HAND:
            texts.append(f"its {wager.name} stays, because it is on {_name_hand(wager.hand_owner, stake.on)}")
    return "; ".join(texts)


def _name_hand(owner: HandOwner, seat: int | None) -> str:
    if seat is not None:
        return f"the hand of seat {seat + 1}"
    return "the dealer's hand" if owner is HandOwner.DEALER else "the community cards"
