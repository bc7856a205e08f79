"""One round of one to six seats at the table's pace, from the rule functions of a game alone.

The procedure is that of the table (``table/domain``), without its events and money: each decision is put to every
seat in order, draws are served from the stub, the dealer's hand is opened after the last decision or before the
first that may see it.  Chance and choices are arguments: what is built here lays no card and decides nothing.

It neither allocates nor holds a list, so that the same functions run in Python, in kernels and on a GPU.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from pitboss.cards import popcount
from pitboss.contract import Game, HandOwner
from pitboss.core.rule import no_cards, no_draws, rule
from pitboss.kernels.compile import inlined_helper
from pitboss.simulate.seat_states import REPEAT_STATE, REPLACE_STATE

RuleFunction = Callable[..., Any]

LEGAL = -1
"""What a round returns for a fault when there was none."""


class RoundShape(NamedTuple):
    """What a round looks like to what drives it.

    ``outcomes`` are how many each wager has, ``on_other_seat`` is 1 for a wager that stands on another seat's hand.
    ``actions`` are how many each decision has and ``gives[decision][action]`` is how many cards an action gives up,
    rows of one length; the dealer's hand is opened before decision ``dealer_opens_before``, which is their number where
    none may see it.  ``deck_cards`` is how many cards there are and ``undrawable_cards`` how many of the stub no seat
    may draw.
    """

    outcomes: tuple[int, ...]
    on_other_seat: tuple[int, ...]
    actions: tuple[int, ...]
    discards: tuple[tuple[int, ...], ...]
    dealer_opens_before: int
    deck_cards: int
    kept_back: int


def compute_round_shape(game: Game) -> RoundShape:
    """Return the shape of a game's rounds.

    >>> from pitboss.games import load_game
    >>> compute_round_shape(game_named("six-card"))[:4]
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
    """Where chance comes from.

    ``lay(stub, size, laid, until, chance) -> laid`` lays out cards of the stub until so many lie in order, and
    ``below(chance, number, bound)`` draws the ``number``-th of the draws that shuffle cards given up.
    """

    shuffle_until: RuleFunction
    draw_below: RuleFunction


class RoundResult(NamedTuple):
    """Seats before they are settled: their states, how often the stub was renewed, and the first fault.

    A ``fault`` is seat x decisions + decision of the first action that was not legal, after which nothing was played;
    ``LEGAL`` if there was none.
    """

    states: tuple[Any, ...]
    renewed: int
    fault: int


@rule
def take_cards(stub: Any, top: int, count: int) -> int:
    """Return the set of the next ``count`` cards of the stub."""
    cards = 0
    for place in range(top, top + count):
        cards |= 1 << stub[place]
    return cards


@rule
def append_cards(stub: Any, bottom: int, cards: int) -> int:
    """Put a set of cards below the stub in their order and return the new bottom."""
    card = 0
    while cards >> card:
        if cards >> card & 1:
            stub[bottom] = card
            bottom += 1
        card += 1
    return bottom


@rule
def is_legal(allowed: int, actions: int, action: int) -> bool:
    """Tell whether an action is one of the ``actions`` that there are, and allowed now."""
    return 0 <= action < actions and allowed >> action & 1 == 1


@rule
def can_discard(held: int, count: int, cards: int) -> bool:
    """Tell whether ``cards`` are ``count`` of those held."""
    return cards & ~held == 0 and popcount(cards) == count


def build_round(rules: Any, shape: RoundShape, seats: int, source: RandomSource, choose: RuleFunction) -> RuleFunction:
    """Return a round of a game for so many seats: plain Python that kernels may call.

    ``played(tables, stub, chance, wagered, options, again, record) -> Played`` lays out the deal and plays all seats
    together; its arguments are those of ``build_seats``.
    """
    dealt, lay, deck = rules.count_dealt, source.shuffle_until, shape.deck_cards
    seats_played = build_seats(rules, shape, seats, seats, source, choose)

    @inlined_helper
    def played(tables: Any, stub: Any, chance: Any, wagered: Any, options: Any, again: int, record: Any) -> Any:
        laid = lay(stub, deck, 0, dealt(seats), chance)
        return seats_played(tables, stub, laid, 0, chance, wagered, options, again, record)

    return played


def count_seats_together(rules: Any, seats: int) -> int:
    """Return how many seats of a table must be played together: one where no card comes from the stub, else all."""
    apart = rules.count_draws is no_draws and rules.count_dealer_draws is no_cards
    return 1 if apart else seats


def build_seats(
    rules: Any, shape: RoundShape, seats: int, together: int, source: RandomSource, choose: RuleFunction
) -> RuleFunction:
    """Return what plays so many seats ``together`` of a table of ``seats``.

    The attributes of ``rules`` are the game's rule functions, as ``contract.Rules`` describes them.

    ``played(tables, stub, laid, first, chance, wagered, options, again, record) -> Played`` plays the seats from
    ``first`` on.  It takes a stub with room for as many cards again as the deck has, of which ``laid`` lie in order,
    those of the deal at least; what ``source`` draws from; what ``deal`` takes as wagered, by seat; the game's options;
    and whether cards given up by others serve when the stub runs short (LU-11).
    ``chosen(tables, view, asked, allowed, chance, turn, seat, options, record) -> (action, cards)`` chooses;
    ``turn`` counts choices, and cards shuffled again, from the start of the round, and ``record`` is its own affair.
    """
    decision, legal, view, act = rules.next_decision, rules.legal_actions, rules.view, rules.act
    dealt, deal, owed, receive = rules.count_dealt, rules.deal, rules.count_draws, rules.receive_draw
    actions, gives, opened_before = shape.actions, shape.discards, shape.dealer_opens_before
    decisions, deck, kept_back = len(shape.discards), shape.deck_cards, shape.kept_back
    lay, alike, with_state = source.shuffle_until, REPEAT_STATE[together - 1], REPLACE_STATE[together - 1]
    given_up, renewed_stub = _build_list_discards(rules, together), _build_renew_stub(source)
    dealer_served = _build_serve_dealer(rules, shape, together, source)

    @inlined_helper
    def played(
        tables: Any,
        stub: Any,
        laid: int,
        first: int,
        chance: Any,
        wagered: Any,
        options: Any,
        again: int,
        record: Any,
    ) -> RoundResult:
        top = dealt(seats)
        states = alike(deal(stub, seats, first, wagered[first]))
        for seat in range(1, together):
            states = with_state(states, seat, deal(stub, seats, first + seat, wagered[first + seat]))
        bottom, returned, renewed, turn = deck, 0, 0, first * decisions
        for asked in range(decisions):
            if asked == opened_before:
                states, top, laid = dealer_served(states, stub, top, laid, chance, 1)
            for seat in range(together):
                state = states[seat]
                reusable = given_up(states, seat) & ~returned if again else 0
                spare = bottom - top - kept_back
                if decision(tables, state, options) == asked:
                    seen = view(state)
                    allowed = legal(tables, seen, asked, spare + popcount(reusable), options)
                    action, cards = choose(tables, seen, asked, allowed, chance, turn, first + seat, options, record)
                    if not is_legal(allowed, actions[asked], action):
                        return RoundResult(states, renewed, (first + seat) * decisions + asked)
                    if not can_discard(seen.player, gives[asked][action], cards):
                        return RoundResult(states, renewed, (first + seat) * decisions + asked)
                    state = act(state, asked, action, cards)
                    turn += 1
                count = owed(tables, state, options)
                if spare < count:
                    bottom, turn = renewed_stub(stub, bottom, reusable, chance, turn)
                    returned |= reusable
                    renewed += 1
                if count:
                    laid = lay(stub, deck, laid, top + count, chance)
                    state = receive(state, take_cards(stub, top, count))
                    top += count
                states = with_state(states, seat, state)
        if opened_before == decisions:
            states, top, laid = dealer_served(states, stub, top, laid, chance, 1)
        states, top, laid = dealer_served(states, stub, top, laid, chance, 0)
        return RoundResult(states, renewed, LEGAL)

    return played


def _build_list_discards(rules: Any, seats: int) -> RuleFunction:
    """Return what tells the cards that other seats have given up."""
    released = rules.get_muck

    @inlined_helper
    def given_up(states: Any, seat: int) -> int:
        cards = 0
        for other in range(seats):
            if other != seat:
                cards |= released(states[other])
        return cards

    return given_up


def _build_renew_stub(source: RandomSource) -> RuleFunction:
    """Return what lays cards below the stub in an order that chance decides; ``turn`` counts every card."""
    below = source.draw_below

    @inlined_helper
    def renewed_stub(stub: Any, bottom: int, cards: int, chance: Any, turn: int) -> tuple[int, int]:
        first = bottom
        bottom = append_cards(stub, bottom, cards)
        for last in range(bottom - 1, first, -1):
            chosen = first + below(chance, turn + bottom - 1 - last, last - first + 1)
            moved = stub[last]
            stub[last] = stub[chosen]
            stub[chosen] = moved
        return bottom, turn + bottom - first

    return renewed_stub


def _build_serve_dealer(rules: Any, shape: RoundShape, seats: int, source: RandomSource) -> RuleFunction:
    """Return the dealer's turn: what one seat asks him to take serves every seat that asks; then he may open."""
    dealer_owed, dealer_receives, show = rules.count_dealer_draws, rules.receive_dealer_draw, rules.show_dealer
    lay, deck, with_state = source.shuffle_until, shape.deck_cards, REPLACE_STATE[seats - 1]

    @inlined_helper
    def dealer_served(
        states: Any, stub: Any, top: int, laid: int, chance: Any, opens: int
    ) -> tuple[tuple[Any, ...], int, int]:
        count = 0
        for seat in range(seats):
            count = max(count, dealer_owed(states[seat]))
        laid = lay(stub, deck, laid, top + count, chance)
        drawn = take_cards(stub, top, count)
        for seat in range(seats):
            state = states[seat]
            if dealer_owed(state):
                state = dealer_receives(state, drawn)
            if opens:
                state = show(state)
            states = with_state(states, seat, state)
        return states, top + count, laid

    return dealer_served
