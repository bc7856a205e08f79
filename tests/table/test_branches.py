"""What if: a settled round played again is the same with the same choices, and goes by the rules with others."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import pytest

from conformance.drawing import each_game
from pitboss.cards import draw_below, format_cards, make_mask, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.core.errors import IllegalActionError
from pitboss.table.branches import Branch, SeatChoice, list_seat_choices, play_branch
from pitboss.table.round import CardsDealt, DecisionMade, RoundClosed
from pitboss.table.round.awards import apply_fixed_awards
from pitboss.table.round.events import FixedAward
from pitboss.table.session import TableSession, TableTerms, TakeAction, replay_events
from table.laying import LUNAR, SIX_CARD, Laid
from table.seated import dealt, done, evening_with_events

Steps = list[TableSession]


def list_rounds(game: Game, seed: int, options: dict[str, str] | None = None) -> Iterator[Steps]:
    """Yield the sessions that each settled round of an evening went through, one for every event."""
    session, every = None, Steps()
    for events, _ in evening_with_events(game, seed, rounds=9, options=options):
        for event in events:
            session = replay_events((event,), session)
            every.append(session)
    for number, group in groupby(every, lambda each: each.last_round_number):
        steps = list(group)
        settled = next((place for place, each in enumerate(steps) if each.is_settled), None)
        if number and settled is not None and steps[0].round is not None:
            yield steps[: settled + 1]


def decide_at_random(steps: Steps, seat: int, bits: BitSource) -> tuple[Branch, list[SeatChoice]]:
    """Play a round again with choices drawn for a seat; return its end and the choices."""
    choices = list[SeatChoice]()
    while (branch := play_branch(steps, seat, choices)).round.turn:
        legal = branch.round.list_legal_actions()
        action = legal[draw_below(len(legal), bits)]
        view = branch.round.get_view(branch.session.round_seats.index(seat))
        held = shuffle_cards([card for card in branch.round.game.deck.cards if view.player >> card & 1], bits)
        choices.append(SeatChoice(action.id, tuple(sorted(held[: action.discards]))))
    return branch, choices


@each_game
def test_the_same_choices_lead_to_the_same_round(game: Game) -> None:
    seen = 0
    for steps in list_rounds(game, 11):
        settled = steps[-1].round
        assert settled
        for seat in steps[-1].round_seats:
            branch = play_branch(steps, seat, list_seat_choices(steps[-1], seat))
            assert branch.round.is_closed
            assert not branch.hindered
            assert branch.round.events[-1] == settled.events[-1]
            assert branch.round.states == settled.states
            seen += 1
    assert seen


@each_game
def test_other_choices_meet_the_same_deck_and_the_same_decisions_of_others(game: Game) -> None:
    bits, others = seeded_bits(3), 0
    for steps in (each for seed in (3, 4, 5) for each in list_rounds(game, seed)):
        settled = steps[-1].round
        assert settled
        for seat in steps[-1].round_seats:
            branch, choices = decide_at_random(steps, seat, bits)
            own = branch.session.round_seats.index(seat)
            made = [event for event in branch.round.events if isinstance(event, DecisionMade)]
            assert [each.action for each in choices] == [event.action for event in made if event.seat == own]
            closed = branch.round.events[-1]
            assert isinstance(closed, RoundClosed)
            dealt = [card for event in branch.round.events if isinstance(event, CardsDealt) for card in event.cards]
            before = [card for event in settled.events if isinstance(event, CardsDealt) for card in event.cards]
            shared = min(len(dealt), len(before), game.deck.size)  # after that come discards, shuffled again
            assert dealt[:shared] == before[:shared]
            for index, number in enumerate(steps[-1].round_seats):
                if index != own and number not in branch.hindered:
                    then = [(event.decision, event.action) for event in made if event.seat == index]
                    really = [
                        (event.decision, event.action)
                        for event in settled.events
                        if isinstance(event, DecisionMade) and event.seat == index
                    ]
                    assert then == really[: len(then)]
                    others += 1
    assert others


def test_a_seat_that_cannot_do_what_it_did_takes_the_action_of_a_timeout() -> None:
    """Six hands and the dealer's leave 17 cards: after three exchanges of five there are not five for a fourth."""
    terms, seats = TableTerms(game="lunar", options={"short_deck": "refuse"}), (1, 2, 3, 4, 5, 6)
    now = dealt(terms, *seats)
    steps = [now]
    for seat in seats:
        assert now.round
        held = [card for card in LUNAR.deck.cards if now.round.get_view(seat - 1).player >> card & 1]
        action, cards = (
            ("play", ()) if seat in (1, 5, 6) else ("exchange-5", tuple(format_cards(held, LUNAR.deck).split()))
        )
        now = done(now, TakeAction(seat=seat, action=action, cards=cards), f"p{seat}")
        steps.append(now)
    while now.turn and now.round:
        now = done(now, TakeAction(seat=now.turn, action=now.round.list_legal_actions()[0].id), f"p{now.turn}")
        steps.append(now)
    first = steps[0].round
    assert first
    own = tuple(card for card in LUNAR.deck.cards if first.get_view(0).player >> card & 1)
    branch = play_branch(steps, 1, [SeatChoice("exchange-5", own)])
    assert branch.hindered == (4,)
    assert [each.action for each in list_seat_choices(branch.session, 4)] == [LUNAR.decisions[0].timeout_action]


def test_a_choice_too_many_and_one_that_is_not_legal_are_refused() -> None:
    steps = next(list_rounds(LUNAR, 1))
    seat = steps[-1].round_seats[0]
    with pytest.raises(IllegalActionError, match="over before play"):
        play_branch(steps, seat, [SeatChoice("fold"), SeatChoice("play")])
    with pytest.raises(IllegalActionError, match="takes 2 of your cards"):
        play_branch(steps, seat, [SeatChoice("exchange-2")])
    now = steps[0].round
    assert now
    other = next(card for card in LUNAR.deck.cards if not make_mask([card]) & now.get_view(0).player)
    with pytest.raises(IllegalActionError, match="takes 2 of your cards"):
        play_branch(steps, seat, [SeatChoice("exchange-2", (other, other))])


def test_an_award_that_a_linked_progressive_fixed_is_paid_again() -> None:
    laid = Laid()
    laid.lay(SIX_CARD, "As Ks Qs Js Ts 2h 9d 8d 7c 4c 3c 2c")
    first = dealt(TableTerms(game="six-card"), 1, bets=("progressive",), bits=laid)
    last = done(first, TakeAction(seat=1, action="play"), "p1")
    assert last.round
    fixed = apply_fixed_awards(last.round, [FixedAward(0, 1_234_500)])
    assert fixed.events[-1] != last.round.events[-1]
    branch = play_branch([first, replace(last, round=fixed)], 1, [SeatChoice("play")])
    assert branch.round.events[-1] == fixed.events[-1]
    assert branch.round.awards == fixed.awards
