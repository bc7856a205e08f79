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
from pitboss.counting.compile import inner_part
from pitboss.simulate.states import ALIKE, REPLACED

RuleFunction = Callable[..., Any]

LEGAL = -1
"""What a round returns for a fault when there was none."""


class Shape(NamedTuple):
    """What a round looks like to what drives it.

    ``outcomes`` are how many each wager has, ``elsewhere`` is 1 for a wager that stands on another seat's hand.
    ``actions`` are how many each decision has and ``gives[decision][action]`` is how many cards an action gives up,
    rows of one length; the dealer's hand is opened before decision ``opened_before``, which is their number where none
    may see it.  ``deck`` is how many cards there are and ``undrawable_cards`` how many of the stub no seat may draw.
    """

    outcomes: tuple[int, ...]
    elsewhere: tuple[int, ...]
    actions: tuple[int, ...]
    gives: tuple[tuple[int, ...], ...]
    opened_before: int
    deck: int
    kept_back: int


def shape_of(game: Game) -> Shape:
    """Return the shape of a game's rounds.

    >>> from pitboss.games import game_named
    >>> shape_of(game_named("six-card"))[:4]
    ((7, 10, 9, 7), (0, 0, 0, 0), (2,), ((0, 0),))
    """
    width = max(len(decision.actions) for decision in game.decisions)
    shown = [index for index, decision in enumerate(game.decisions) if decision.shows_dealer]
    return Shape(
        outcomes=tuple(len(wager.outcomes) for wager in game.wagers),
        elsewhere=tuple(int(wager.hand_owner is HandOwner.OTHER_SEAT) for wager in game.wagers),
        actions=tuple(len(decision.actions) for decision in game.decisions),
        gives=tuple(
            tuple(action.discards for action in decision.actions) + (0,) * (width - len(decision.actions))
            for decision in game.decisions
        ),
        opened_before=shown[0] if shown else len(game.decisions),
        deck=game.deck.size,
        kept_back=game.undrawable_cards,
    )


class Source(NamedTuple):
    """Where chance comes from.

    ``lay(stub, size, laid, until, chance) -> laid`` lays out cards of the stub until so many lie in order, and
    ``below(chance, number, bound)`` draws the ``number``-th of the draws that shuffle cards given up.
    """

    lay: RuleFunction
    below: RuleFunction


class Played(NamedTuple):
    """Seats before they are settled: their states, how often the stub was renewed, and the first fault.

    A ``fault`` is seat x decisions + decision of the first action that was not legal, after which nothing was played;
    ``LEGAL`` if there was none.
    """

    states: tuple[Any, ...]
    renewed: int
    fault: int


@rule
def cards_at(stub: Any, top: int, count: int) -> int:
    """Return the set of the next ``count`` cards of the stub."""
    cards = 0
    for place in range(top, top + count):
        cards |= 1 << stub[place]
    return cards


@rule
def put_below(stub: Any, bottom: int, cards: int) -> int:
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
def may_give(held: int, count: int, cards: int) -> bool:
    """Tell whether ``cards`` are ``count`` of those held."""
    return cards & ~held == 0 and popcount(cards) == count


def round_of(rules: Any, shape: Shape, seats: int, source: Source, chosen: RuleFunction) -> RuleFunction:
    """Return a round of a game for so many seats: plain Python that kernels may call.

    ``played(tables, stub, chance, wagered, options, again, record) -> Played`` lays out the deal and plays all seats
    together; its arguments are those of ``seats_of``.
    """
    dealt, lay, deck = rules.count_dealt, source.lay, shape.deck
    seats_played = seats_of(rules, shape, seats, seats, source, chosen)

    @inner_part
    def played(tables: Any, stub: Any, chance: Any, wagered: Any, options: Any, again: int, record: Any) -> Any:
        laid = lay(stub, deck, 0, dealt(seats), chance)
        return seats_played(tables, stub, laid, 0, chance, wagered, options, again, record)

    return played


def together_of(rules: Any, seats: int) -> int:
    """Return how many seats of a table must be played together: one where no card comes from the stub, else all."""
    apart = rules.count_draws is no_draws and rules.count_dealer_draws is no_cards
    return 1 if apart else seats


def seats_of(rules: Any, shape: Shape, seats: int, together: int, source: Source, chosen: RuleFunction) -> RuleFunction:
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
    actions, gives, opened_before = shape.actions, shape.gives, shape.opened_before
    decisions, deck, kept_back = len(shape.gives), shape.deck, shape.kept_back
    lay, alike, with_state = source.lay, ALIKE[together - 1], REPLACED[together - 1]
    given_up, renewed_stub = _given_up(rules, together), _renewed_stub(source)
    dealer_served = _dealer_served(rules, shape, together, source)

    @inner_part
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
    ) -> Played:
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
                    action, cards = chosen(tables, seen, asked, allowed, chance, turn, first + seat, options, record)
                    if not is_legal(allowed, actions[asked], action):
                        return Played(states, renewed, (first + seat) * decisions + asked)
                    if not may_give(seen.player, gives[asked][action], cards):
                        return Played(states, renewed, (first + seat) * decisions + asked)
                    state = act(state, asked, action, cards)
                    turn += 1
                count = owed(tables, state, options)
                if spare < count:
                    bottom, turn = renewed_stub(stub, bottom, reusable, chance, turn)
                    returned |= reusable
                    renewed += 1
                if count:
                    laid = lay(stub, deck, laid, top + count, chance)
                    state = receive(state, cards_at(stub, top, count))
                    top += count
                states = with_state(states, seat, state)
        if opened_before == decisions:
            states, top, laid = dealer_served(states, stub, top, laid, chance, 1)
        states, top, laid = dealer_served(states, stub, top, laid, chance, 0)
        return Played(states, renewed, LEGAL)

    return played


def _given_up(rules: Any, seats: int) -> RuleFunction:
    """Return what tells the cards that other seats have given up."""
    released = rules.get_muck

    @inner_part
    def given_up(states: Any, seat: int) -> int:
        cards = 0
        for other in range(seats):
            if other != seat:
                cards |= released(states[other])
        return cards

    return given_up


def _renewed_stub(source: Source) -> RuleFunction:
    """Return what lays cards below the stub in an order that chance decides; ``turn`` counts every card."""
    below = source.below

    @inner_part
    def renewed_stub(stub: Any, bottom: int, cards: int, chance: Any, turn: int) -> tuple[int, int]:
        first = bottom
        bottom = put_below(stub, bottom, cards)
        for last in range(bottom - 1, first, -1):
            chosen = first + below(chance, turn + bottom - 1 - last, last - first + 1)
            moved = stub[last]
            stub[last] = stub[chosen]
            stub[chosen] = moved
        return bottom, turn + bottom - first

    return renewed_stub


def _dealer_served(rules: Any, shape: Shape, seats: int, source: Source) -> RuleFunction:
    """Return the dealer's turn: what one seat asks him to take serves every seat that asks; then he may open."""
    dealer_owed, dealer_receives, show = rules.count_dealer_draws, rules.receive_dealer_draw, rules.show_dealer
    lay, deck, with_state = source.lay, shape.deck, REPLACED[seats - 1]

    @inner_part
    def dealer_served(
        states: Any, stub: Any, top: int, laid: int, chance: Any, opens: int
    ) -> tuple[tuple[Any, ...], int, int]:
        count = 0
        for seat in range(seats):
            count = max(count, dealer_owed(states[seat]))
        laid = lay(stub, deck, laid, top + count, chance)
        drawn = cards_at(stub, top, count)
        for seat in range(seats):
            state = states[seat]
            if dealer_owed(state):
                state = dealer_receives(state, drawn)
            if opens:
                state = show(state)
            states = with_state(states, seat, state)
        return states, top + count, laid

    return dealer_served
