"""The rules of games made at random.

Who sees which cards when, what is asked and what is paid come from the options; but what ``deal`` and ``view`` must
know comes from the wagers staked: those from ``FIRST_SWITCH`` on are switches.  So all games with as many decisions are
the same compiled code.

Six places are dealt.  ``own`` is the player's; ``extra``, ``board`` and ``hidden`` are seen from some decision on, or
at the end; what is left is burnt.  Six actions are the same at each decision: fold, stay, raise, exchange one card,
exchange two, buy one.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pitboss.cards import (
    FIRST_JOKER,
    RANK_COUNT,
    count_jokers,
    get_rank,
    get_ranks,
    get_suit_ranks,
    popcount,
    take_cards,
)
from pitboss.contract import NO_DECISION, UNSETTLED
from pitboss.core.rule import rule
from pitboss.hands import NO_HAND

DEALT = 6

FOLD, STAY, RAISE, EXCHANGE_ONE, EXCHANGE_TWO, BUY = range(6)
ACTIONS = ("fold", "stay", "raise", "exchange-1", "exchange-2", "buy")
DISCARDS = (0, 0, 0, 1, 2, 0)
DRAWS = (0, 0, 0, 1, 2, 1)

RESULTS, MOST_RAISES, SIDE_OUTCOMES = 4, 3, 3
FIRST_PLAYED = MOST_RAISES + 1
MAIN_OUTCOMES = FIRST_PLAYED + RESULTS * (MOST_RAISES + 1)

FIRST_SWITCH = 3
"""The wagers before: main, one on the player's cards, one on the dealer's."""

SWITCHES = {
    "own": 2, "extra": 1, "board": 2, "hidden": 2, "extra_at": 2, "board_at": 2, "hidden_at": 2, "face_down": 1,
    "dealer_draws": 2,
}  # fmt: skip
"""The switches: how many bits each has.

Sizes of groups; the decision from which a group is seen, 3 if only the end shows it; whether drawn cards lie face down;
whether the dealer may draw before (1) or after (2) his hand is shown.
"""

SWITCH_BITS = sum(SWITCHES.values())
OWN, EXTRA, BOARD, HIDDEN, EXTRA_AT, BOARD_AT, HIDDEN_AT, FACE_DOWN, DEALER_DRAWS = (
    sum(list(SWITCHES.values())[:place]) for place in range(len(SWITCHES))
)
NEVER = 3

SETTLED_SWITCHES = (0,) * SWITCH_BITS


class State(NamedTuple):
    """One seat's round: the cards of each group, those given up and drawn, and what was decided."""

    own: int
    extra: int
    board: int
    hidden: int
    given: int
    drawn: int
    dealers: int
    late: int
    switches: int
    passed: int
    path: int
    raises: int
    folded: int
    owed: int
    shown: int


class View(NamedTuple):
    """What the seat sees."""

    player: int
    extra: int
    board: int
    hidden: int
    drew: int
    discarded: int


class Options(NamedTuple):
    """What tells one game from another, as integers.

    A decision with an odds of 0 is always asked.  Legal actions are bits.
    """

    decisions: int
    opening: int
    seed: int
    suited: int
    coloured: int
    odds_first: int
    odds_second: int
    odds_third: int
    legal_first: int
    legal_second: int
    legal_third: int
    legal_varies: int
    automatic: int
    comparison: int
    path_counts: int
    side_waits: int
    fold_loses: int


@rule
def mix(value: int, number: int) -> int:
    """Mix a number into a hash below 9973."""
    return (31 * value + number + 7) % 9973


@rule
def hash_sets(one: int, two: int, three: int, seed: int, options: Options) -> int:
    """Hash three sets of cards; suits matter by which cards share one, and by their colours where these count."""
    total = mix(mix(mix(seed, get_ranks(one)), get_ranks(two)), get_ranks(three))
    total = mix(mix(total, 9 * count_jokers(one) + 3 * count_jokers(two) + count_jokers(three)), popcount(one))
    if options.suited:
        # Spades and clubs, then hearts and diamonds: sums do not tell the two suits of a colour apart.
        black = (_hash_suit(one, two, three, 0, seed) + _hash_suit(one, two, three, 3, seed)) % 9973
        red = (_hash_suit(one, two, three, 1, seed) + _hash_suit(one, two, three, 2, seed)) % 9973
        total += black * black + red * red if options.coloured else black + red
    return total % 9973


@rule
def _hash_suit(one: int, two: int, three: int, suit: int, seed: int) -> int:
    value = mix(seed, get_suit_ranks(one, suit))
    value = mix(mix(value * value, get_suit_ranks(two, suit)), get_suit_ranks(three, suit))
    return value * value % 9973


@rule
def read_switch(switches: int, first: int, bits: int) -> int:
    """Return a number of so many bits."""
    return switches >> first & (1 << bits) - 1


@rule
def count_dealt(_seats: int) -> int:
    """Count the cards dealt."""
    return DEALT


@rule
def deal(deck: Sequence[int], _seats: int, _seat: int, wagered: int) -> State:
    """Deal the groups one after another; what is left of the cards is burnt."""
    switches = wagered >> FIRST_SWITCH
    extra = read_switch(switches, OWN, 2)
    board = extra + read_switch(switches, EXTRA, 1)
    hidden = board + read_switch(switches, BOARD, 2)
    return State(
        take_cards(deck, 0, extra),
        take_cards(deck, extra, board - extra),
        take_cards(deck, board, hidden - board),
        take_cards(deck, hidden, read_switch(switches, HIDDEN, 2)),
        0,
        0,
        0,
        0,
        switches,
        0,
        0,
        0,
        0,
        0,
        0,
    )


@rule
def get_hand(state: State) -> int:
    """Return the cards that the player holds."""
    return (state.own | state.drawn) & ~state.given


@rule
def is_asked(state: State, decision: int, options: Options) -> bool:
    """Tell whether a decision is asked: always, or by the cards that are seen then."""
    odds = options.odds_first if decision == 0 else options.odds_second if decision == 1 else options.odds_third
    if odds == 0:
        return True
    board = state.board if state.passed >= read_switch(state.switches, BOARD_AT, 2) else 0
    shown = state.hidden if decision >= options.opening and state.shown else 0
    return hash_sets(state.own, board, shown, options.seed + decision, options) % odds != 0


@rule
def next_decision(_tables: Any, state: State, options: Options) -> int:
    """Return the first decision that is asked, unless the seat folded or waits for a card."""
    if state.folded or state.owed:
        return NO_DECISION
    for decision in range(state.passed, options.decisions):
        if is_asked(state, decision, options):
            return decision
    return NO_DECISION


@rule
def legal_actions(_tables: Any, view: View, decision: int, stub: int, options: Options) -> int:
    """Allow what the options do and the stub can serve; where it varies, no raise with some cards."""
    legal = options.legal_first if decision == 0 else options.legal_second if decision == 1 else options.legal_third
    if options.legal_varies and hash_sets(view.player, view.board, view.hidden, options.seed, options) % 3 == 0:
        legal &= ~(1 << RAISE)
    for action in range(EXCHANGE_ONE, len(DRAWS)):
        if stub < DRAWS[action] or popcount(view.player) < DISCARDS[action]:
            legal &= ~(1 << action)
    return legal or 1 << STAY


@rule
def act(state: State, decision: int, action: int, cards: int) -> State:
    """Note the action, the cards given up and those owed."""
    return State(
        state.own,
        state.extra,
        state.board,
        state.hidden,
        state.given | cards,
        state.drawn,
        state.dealers,
        state.late,
        state.switches,
        decision + 1,
        8 * state.path + action + 1,
        state.raises + (1 if action == RAISE else 0),
        1 if action == FOLD else 0,
        DRAWS[action],
        state.shown,
    )


@rule
def _replace_cards(state: State, drawn: int, dealers: int, late: int, shown: int) -> State:
    return State(
        state.own,
        state.extra,
        state.board,
        state.hidden,
        state.given,
        drawn,
        dealers,
        late,
        state.switches,
        state.passed,
        state.path,
        state.raises,
        state.folded,
        state.owed if drawn == state.drawn else 0,
        shown,
    )


@rule
def count_draws(_tables: Any, state: State, options: Options) -> int:
    """Count the cards owed; where draws are automatic, one for a seat whose first decision is not asked."""
    if options.automatic and state.passed == 0 and state.drawn == 0 and not is_asked(state, 0, options):
        return 1
    return state.owed


@rule
def receive_draw(state: State, drawn: int) -> State:
    """Give the seat the cards drawn."""
    return _replace_cards(state, state.drawn | drawn, state.dealers, state.late, state.shown)


@rule
def count_dealer_draws(state: State) -> int:
    """Let the dealer draw a card by his cards, before his hand is shown or after."""
    draws = read_switch(state.switches, DEALER_DRAWS, 2)
    if state.shown == 0:
        return 1 if draws & 1 and state.dealers == 0 and get_ranks(state.hidden) % 3 else 0
    return 1 if draws & 2 and state.late == 0 and get_ranks(state.hidden | state.dealers) % 5 > 1 else 0


@rule
def receive_dealer_draw(state: State, drawn: int) -> State:
    """Give the dealer a card, before or after his hand is shown."""
    if state.shown:
        return _replace_cards(state, state.drawn, state.dealers, drawn, 1)
    return _replace_cards(state, state.drawn, drawn, state.late, 0)


@rule
def show_dealer(state: State) -> State:
    """Show every card."""
    return _replace_cards(state, state.drawn, state.dealers, state.late, 1)


@rule
def _get_seen(state: State, cards: int, first: int) -> int:
    start = read_switch(state.switches, first, 2)
    return cards if state.shown or (start != NEVER and state.passed >= start) else 0


@rule
def view(state: State) -> View:
    """Show each group from its decision on, and all at the end."""
    drew = 0 if read_switch(state.switches, FACE_DOWN, 1) and state.shown == 0 else state.drawn
    return View(
        (state.own | drew) & ~state.given,
        _get_seen(state, state.extra, EXTRA_AT),
        _get_seen(state, state.board, BOARD_AT),
        _get_seen(state, state.hidden | state.dealers | state.late, HIDDEN_AT),
        drew,
        state.given,
    )


@rule
def settle_main(state: State, options: Options) -> int:
    """Settle main by a hash of all cards, or by a comparison of hands: win, tie, lose, or the dealer is too low."""
    mine, theirs = get_hand(state) | state.board, state.hidden | state.extra | state.dealers | state.late
    seed = options.seed + (state.path if options.path_counts else 0)
    result = hash_sets(mine, theirs, state.given, seed, options) % RESULTS
    if options.comparison == 1:
        high, low = get_ranks(mine), get_ranks(theirs)
        result = 3 if low % 4 == 1 else 0 if high > low else 1 if high == low else 2
    elif options.comparison == 2:
        high, low = hash_sets(mine, 0, 0, seed, options) % 16, hash_sets(theirs, 0, 0, seed, options) % 16
        result = 0 if high > low else 1 if high == low else 2
    return FIRST_PLAYED + RESULTS * state.raises + result


@rule
def settle_side(state: State, options: Options) -> int:
    """Settle the side wager on the cards dealt first, with the board if it waits; a fold may lose it."""
    if state.folded and options.fold_loses:
        return SIDE_OUTCOMES - 1
    if options.side_waits and state.shown == 0:
        return UNSETTLED
    return hash_sets(state.own, state.board if options.side_waits else 0, 0, options.seed, options) % SIDE_OUTCOMES


@rule
def settle_late(state: State, options: Options) -> int:
    """Settle the wager on the dealer's and the drawn cards when all is shown."""
    return hash_sets(state.hidden | state.dealers, state.drawn, state.own, options.seed, options) % SIDE_OUTCOMES


@rule
def settle(tables: Any, state: State, options: Options) -> tuple[int, ...]:
    """Settle main at a fold or at the end, the wagers on the player's and on the dealer's cards, and the switches."""
    ends = state.shown and count_dealer_draws(state) == 0 and next_decision(tables, state, options) == NO_DECISION
    main = state.raises if state.folded else settle_main(state, options) if ends else UNSETTLED
    late = settle_late(state, options) if ends else UNSETTLED
    return main, settle_side(state, options), late, *SETTLED_SWITCHES


@rule
def evaluate_hands(_tables: Any, state: State, options: Options) -> tuple[int, int]:
    """Return the category of the player's hand as a strength, or no hand."""
    if options.suited == 0:
        return NO_HAND, NO_HAND
    return hash_sets(get_hand(state), 0, 0, options.seed, options) % 5 << 20 | 1, NO_HAND


@rule
def choose(tables: Any, seen: View, asked: int, numbers: Any, options: Options) -> tuple[int, int]:
    """Follow a strategy: take a legal action by a hash of what is seen, and exchange the lowest cards, only once.

    ``numbers`` has a number for the hash, and how many cards the stub has at least.
    """
    legal = legal_actions(tables, seen, asked, numbers[1], options)
    if seen.drew or seen.discarded:
        legal &= (1 << EXCHANGE_ONE) - 1
    action = hash_sets(seen.player, seen.board | seen.extra, seen.hidden, numbers[0] + asked, options) % len(ACTIONS)
    while legal >> action & 1 == 0:
        action = (action + 1) % len(ACTIONS)
    cards = 0
    for _ in range(DISCARDS[action]):
        cards |= find_lowest_card(seen, cards)
    return action, cards


@rule
def find_lowest_card(seen: View, without: int) -> int:
    """Return the lowest card held, Jokers last; of one rank that of the suit of which most is seen."""
    lowest, least = 0, 1 << 60
    for card in range(FIRST_JOKER + 2):
        if (seen.player & ~without) >> card & 1:
            order = RANK_COUNT << 40
            if card < FIRST_JOKER:
                suit = card // RANK_COUNT
                shown = get_suit_ranks(seen.player, suit) << 13 | get_suit_ranks(seen.board | seen.extra, suit)
                order = get_rank(card) << 40 | (1 << 40) - 1 - (shown << 13 | get_suit_ranks(seen.hidden, suit))
            if order < least:
                lowest, least = 1 << card, order
    return lowest
