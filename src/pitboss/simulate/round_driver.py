"""Drive one round of one to six seats with the rule functions of a game.

The procedure is that of the table (``table.round``), without its events and money: each decision is put to every
seat in order, draws come from the stub, and the dealer's hand is opened after the last decision or before the first
that may see it.  The random source and the choice of actions are arguments; nothing here draws or decides.

The functions neither allocate nor hold a list, so the same ones run in Python, in kernels and on a GPU.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from pitboss.cards import popcount, take_cards
from pitboss.contract import Game, HandOwner
from pitboss.core.rule import no_cards, no_draws, rule
from pitboss.kernels.compile import inlined_helper
from pitboss.simulate.seat_states import REPEAT_STATE, REPLACE_STATE

RuleFunction = Callable[..., Any]

LEGAL = -1
"""The ``fault`` of a round in which every action was legal."""


class RoundShape(NamedTuple):
    """The sizes and counts of a game's rounds that the driver needs.

    ``outcomes`` has the number of outcomes of each wager; ``on_other_seat`` is 1 for a wager on another seat's hand.
    ``actions`` has the number of actions of each decision, and ``discards[decision][action]`` the number of cards an
    action gives up, in rows of one length.  The dealer's hand is opened before decision ``dealer_opens_before``; this
    is the number of decisions where none may see it.  ``deck_cards`` is the size of the deck, and ``kept_back`` the
    number of cards of the stub that no seat may draw.
    """

    outcomes: tuple[int, ...]
    on_other_seat: tuple[int, ...]
    actions: tuple[int, ...]
    discards: tuple[tuple[int, ...], ...]
    dealer_opens_before: int
    deck_cards: int
    kept_back: int


def compute_round_shape(game: Game) -> RoundShape:
    """Compute the shape of a game's rounds.

    >>> from pitboss.games import load_game
    >>> compute_round_shape(load_game("six-card"))[:4]
    ((7, 10, 9, 7), (0, 0, 0, 0), (2,), ((0, 0),))
    """
    width = max(len(decision.actions) for decision in game.decisions)
    shown = [index for index, decision in enumerate(game.decisions) if decision.shows_dealer]
    return RoundShape(
        outcomes=tuple(len(wager.outcomes) for wager in game.wagers),
        on_other_seat=tuple(int(wager.hand_owner is HandOwner.OTHER_SEAT) for wager in game.wagers),
        actions=tuple(len(decision.actions) for decision in game.decisions),
        discards=tuple(
            tuple(action.discards for action in decision.actions) + (0,) * (width - len(decision.actions))
            for decision in game.decisions
        ),
        dealer_opens_before=shown[0] if shown else len(game.decisions),
        deck_cards=game.deck.size,
        kept_back=game.undrawable_cards,
    )


class RandomSource(NamedTuple):
    """The two functions through which chance enters a round.

    ``shuffle_until(stub, size, shuffled, until, rng) -> shuffled`` shuffles the stub until its first ``until`` cards
    are in their final order, and ``draw_below(rng, number, bound)`` makes the ``number``-th of the draws that shuffle
    cards given up.
    """

    shuffle_until: RuleFunction
    draw_below: RuleFunction


class RoundResult(NamedTuple):
    """The result of a round: the seats' states, and the first fault.

    ``states`` are those before settlement; ``reshuffles`` is how often the stub was reshuffled.  A ``fault`` is
    seat x decisions + decision of the first illegal action; the round stops there.  It is ``LEGAL`` if all actions were
    legal.
    """

    states: tuple[Any, ...]
    reshuffles: int
    fault: int


@rule
def append_cards(stub: Any, bottom: int, cards: int) -> int:
    """Append a set of cards below the stub, and return the new bottom.

    The cards are in order of their codes.
    """
    card = 0
    while cards >> card:
        if cards >> card & 1:
            stub[bottom] = card
            bottom += 1
        card += 1
    return bottom


@rule
def is_legal(allowed: int, actions: int, action: int) -> bool:
    """Tell whether an action is legal.

    It must be a number below ``actions`` and in the set ``allowed``.
    """
    return 0 <= action < actions and allowed >> action & 1 == 1


@rule
def can_discard(held: int, count: int, cards: int) -> bool:
    """Tell whether ``cards`` are exactly ``count`` of the cards held."""
    return cards & ~held == 0 and popcount(cards) == count


def build_round(rules: Any, shape: RoundShape, seats: int, source: RandomSource, choose: RuleFunction) -> RuleFunction:
    """Build a function that plays a round of ``seats`` seats.

    It is plain Python that kernels may call.
    ``play(tables, stub, rng, wagered, options, reuse_discards, record) -> RoundResult`` shuffles the cards of the deal
    and plays all seats together; its arguments are those of ``build_seats``.
    """
    count_dealt, shuffle_until, deck_cards = rules.count_dealt, source.shuffle_until, shape.deck_cards
    play_seats = build_seats(rules, shape, seats, seats, source, choose)

    @inlined_helper
    def play(tables: Any, stub: Any, rng: Any, wagered: Any, options: Any, reuse_discards: int, record: Any) -> Any:
        shuffled = shuffle_until(stub, deck_cards, 0, count_dealt(seats), rng)
        return play_seats(tables, stub, shuffled, 0, rng, wagered, options, reuse_discards, record)

    return play


def count_seats_together(rules: Any, seats: int) -> int:
    """Return how many seats must be played together.

    It is one where no card comes from the stub, else all.
    """
    apart = rules.count_draws is no_draws and rules.count_dealer_draws is no_cards
    return 1 if apart else seats


def build_seats(
    rules: Any, shape: RoundShape, seats: int, together: int, source: RandomSource, choose: RuleFunction
) -> RuleFunction:
    """Build a function that plays ``together`` seats of a table of ``seats``.

    ``rules`` has the game's rule functions (``contract.Rules``).  ``play_seats`` plays the seats from ``first`` on.
    ``stub`` has twice the places of the deck; its first ``shuffled`` cards, at least those of the deal, are in their
    final order.  ``source`` draws from ``rng``; ``wagered`` has for each seat what ``deal`` takes; ``reuse_discards``
    is 1 where cards that others gave up serve when the stub runs short (LU-11).  ``choose`` returns an action and a set
    of cards; ``path`` is what the seat did before, ``turn`` counts choices and cards shuffled again, ``record`` is its.
    """
    next_decision, legal_actions, view, act = rules.next_decision, rules.legal_actions, rules.view, rules.act
    count_dealt, deal, count_draws, receive_draw = rules.count_dealt, rules.deal, rules.count_draws, rules.receive_draw
    actions, discards, dealer_opens_before = shape.actions, shape.discards, shape.dealer_opens_before
    decisions, deck_cards, kept_back = len(shape.discards), shape.deck_cards, shape.kept_back
    repeat_state, replace_state = REPEAT_STATE[together - 1], REPLACE_STATE[together - 1]
    list_discards, reshuffle_stub = _build_list_discards(rules, together), _build_reshuffle_stub(source)
    serve_dealer, shuffle_until = _build_serve_dealer(rules, shape, together, source), source.shuffle_until

    @inlined_helper
    def play_seats(
        tables: Any,
        stub: Any,
        shuffled: int,
        first: int,
        rng: Any,
        wagered: Any,
        options: Any,
        reuse_discards: int,
        record: Any,
    ) -> RoundResult:
        top = count_dealt(seats)
        states = repeat_state(deal(stub, seats, first, wagered[first]))
        for seat in range(1, together):
            states = replace_state(states, seat, deal(stub, seats, first + seat, wagered[first + seat]))
        bottom, returned, reshuffles, turn, paths = deck_cards, 0, 0, first * decisions, repeat_state(0)
        for asked in range(decisions):
            if asked == dealer_opens_before:
                states, top, shuffled = serve_dealer(states, stub, top, shuffled, rng, 1)
            for seat in range(together):
                state, place = states[seat], first + seat
                reusable = list_discards(states, seat) & ~returned if reuse_discards else 0
                spare, digit = bottom - top - kept_back, 0
                if next_decision(tables, state, options) == asked:
                    seen = view(state)
                    allowed = legal_actions(tables, seen, asked, spare + popcount(reusable), options)
                    action, cards = choose(tables, seen, asked, allowed, paths[seat], rng, turn, place, options, record)
                    if not is_legal(allowed, actions[asked], action):
                        return RoundResult(states, reshuffles, place * decisions + asked)
                    if not can_discard(seen.player, discards[asked][action], cards):
                        return RoundResult(states, reshuffles, place * decisions + asked)
                    state = act(state, asked, action, cards)
                    turn, digit = turn + 1, action + 1
                count = count_draws(tables, state, options)
                if spare < count:
                    bottom, turn = reshuffle_stub(stub, bottom, reusable, rng, turn)
                    returned |= reusable
                    reshuffles += 1
                if count:
                    shuffled = shuffle_until(stub, deck_cards, shuffled, top + count, rng)
                    state = receive_draw(state, take_cards(stub, top, count))
                    top += count
                states = replace_state(states, seat, state)
                paths = replace_state(paths, seat, paths[seat] * (actions[asked] + 1) + digit)
        if dealer_opens_before == decisions:
            states, top, shuffled = serve_dealer(states, stub, top, shuffled, rng, 1)
        states, top, shuffled = serve_dealer(states, stub, top, shuffled, rng, 0)
        return RoundResult(states, reshuffles, LEGAL)

    return play_seats


def _build_list_discards(rules: Any, seats: int) -> RuleFunction:
    """Build a function that returns the set of cards that other seats have given up."""
    get_muck = rules.get_muck

    @inlined_helper
    def list_discards(states: Any, seat: int) -> int:
        cards = 0
        for other in range(seats):
            if other != seat:
                cards |= get_muck(states[other])
        return cards

    return list_discards


def _build_reshuffle_stub(source: RandomSource) -> RuleFunction:
    """Build a function that shuffles cards and puts them below the stub.

    ``turn`` counts every card.
    """
    draw_below = source.draw_below

    @inlined_helper
    def reshuffle_stub(stub: Any, bottom: int, cards: int, rng: Any, turn: int) -> tuple[int, int]:
        first = bottom
        bottom = append_cards(stub, bottom, cards)
        for last in range(bottom - 1, first, -1):
            other = first + draw_below(rng, turn + bottom - 1 - last, last - first + 1)
            moved = stub[last]
            stub[last] = stub[other]
            stub[other] = moved
        return bottom, turn + bottom - first

    return reshuffle_stub


def _build_serve_dealer(rules: Any, shape: RoundShape, seats: int, source: RandomSource) -> RuleFunction:
    """Build the dealer's turn.

    It draws the same cards for every seat whose rules ask for them, then shows the dealer's hand if ``opens``.
    """
    count_dealer_draws, receive_dealer_draw, show_dealer = (
        rules.count_dealer_draws,
        rules.receive_dealer_draw,
        rules.show_dealer,
    )
    shuffle_until, deck_cards, replace_state = source.shuffle_until, shape.deck_cards, REPLACE_STATE[seats - 1]

    @inlined_helper
    def serve_dealer(
        states: Any, stub: Any, top: int, shuffled: int, rng: Any, opens: int
    ) -> tuple[tuple[Any, ...], int, int]:
        count = 0
        for seat in range(seats):
            count = max(count, count_dealer_draws(states[seat]))
        shuffled = shuffle_until(stub, deck_cards, shuffled, top + count, rng)
        drawn = take_cards(stub, top, count)
        for seat in range(seats):
            state = states[seat]
            if count_dealer_draws(state):
                state = receive_dealer_draw(state, drawn)
            if opens:
                state = show_dealer(state)
            states = replace_state(states, seat, state)
        return states, top + count, shuffled

    return serve_dealer
