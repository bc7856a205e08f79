"""Learn the shape of a declared showdown before which one card is drawn.

There is one decision, at which the seat sees its own cards alone.  It may give up some of them, and then draws a card
or none; the dealer may draw one too.  Nothing is public, so each side's hands are classes up to suits.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from math import comb
from operator import or_
from typing import Any, NamedTuple

from pitboss.cards import SUIT_COUNT, draw_below, get_suit_ranks, make_mask, seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game
from pitboss.engine.paths import find_opening
from pitboss.engine.places import PlaceGroup, clear_cards, deal_one_seat, learn_place_groups
from pitboss.engine.showdown import MOST_CARDS, ShowdownShape, verify_outcome
from pitboss.engine.showdown_outcomes import (
    Ending,
    NoCensusError,
    find_cuts,
    find_read_fields,
    list_strengths,
    make_ending,
    tabulate_outcomes,
)
from pitboss.hands import load_hand_tables
from pitboss.kernels.subsets import first_subset, next_subset

NOT_ASKED = -1
"""The action of a round in which the decision is not asked."""

_DEALS = 400


class DrawShape(NamedTuple):
    """What the engine learned of a showdown after a draw.

    ``shape`` is that of the showdown, its endings by action.  ``endings[1 + action]`` is the index of an action's
    ending, -1 if the action is never legal; the first is that of a round that asks nothing.  ``base`` is a state
    without cards, ``early`` and ``late`` how many cards the dealer draws before showing the hand and after.
    """

    shape: ShowdownShape
    endings: tuple[int, ...]
    base: Any
    early: int
    late: int

    @property
    def own(self) -> int:
        """How many cards the player is dealt."""
        return len(self.shape.groups[self.shape.own].places)

    @property
    def theirs(self) -> int:
        """How many cards the dealer has in the end."""
        return len(self.shape.groups[self.shape.hidden].places) + self.early + self.late


class _Played(NamedTuple):
    """One deal, played to the end with one action."""

    deck: tuple[int, ...]
    action: int
    given: int
    drawn: int
    dealers: tuple[int, int]
    state: Any


def learn_draws(game: Game, options: Any, cards: Sequence[int]) -> DrawShape:
    """Learn the showdown that a game declares, and verify it on some deals.

    Raises:
        NoCensusError: the game declares none, or decides, deals or draws otherwise than this module says.
        PitbossError: the declaration disagrees with ``settle``; the message has the deal.
    """
    _require_one_decision(game)
    if game.showdown is None:
        raise NoCensusError(f"{game.id} declares no showdown", code="no-showdown", game=game.id)
    groups, bits = learn_place_groups(game), seeded_bits(1)
    written: dict[str, set[str]] = {"act": set(), "draw": set(), "dealer": set()}
    rounds = [list(_play(game, options, shuffle_cards(cards, bits), bits, written)) for _ in range(_DEALS)]
    states = [[each.state for each in played] for played in rounds]
    read = [find_read_fields(rule, options, states) for rule in (game.showdown.mine, game.showdown.theirs)]
    own, hidden = _find_hands(game, groups, read, written)
    _verify_seen(game, groups[own], rounds)
    strengths = list_strengths(game.showdown, options, states)
    endings, numbers = list[Ending](), dict[int, int]()
    for played in rounds:
        for each in played:
            if each.action not in numbers:
                numbers[each.action] = len(endings)
                actions = (None if each.action == NOT_ASKED else each.action,)
                endings.append(make_ending(game.showdown, options, actions, each.state, strengths))
    draws = {
        tuple(map(int.bit_count, each.dealers))
        for played in rounds
        for each in played
        if endings[numbers[each.action]].outcome < 0
    } or {(0, 0)}
    if len(draws) > 1:
        raise NoCensusError(
            f"how many cards the dealer of {game.id} draws depends on the deal", code="no-showdown", game=game.id
        )
    early, late = draws.pop()
    cuts, dealer_cuts = find_cuts(game.showdown, options, endings, states)
    outcomes = tuple(tabulate_outcomes(game.showdown, options, ending, cuts, dealer_cuts) for ending in endings)
    shape = ShowdownShape(
        groups=groups,
        own=own,
        hidden=hidden,
        blind=True,
        alike=False,
        classes=True,
        limited=True,
        public=((), ()),
        endings=tuple(endings),
        cuts=cuts,
        dealer_cuts=dealer_cuts,
        outcomes=outcomes,
    )
    base = clear_cards(groups, deal_one_seat(game, cards))
    known = tuple(numbers.get(action, -1) for action in range(NOT_ASKED, len(game.decisions[0].actions)))
    learned = DrawShape(shape, known, base, early, late)
    _require_small(game, learned, cards)
    for played in rounds:
        for each in played:
            _verify(game, options, learned, each, numbers[each.action])
    return learned


def _require_one_decision(game: Game) -> None:
    """Require that the seat decides once, without the dealer's cards.

    Raises:
        NoCensusError: it does not.
    """
    if game.main.depends_on_colour:
        raise NoCensusError(f"the rules of {game.id} distinguish red and black cards", code="no-showdown", game=game.id)
    if len(game.decisions) != 1 or find_opening(game) == 0:
        raise NoCensusError(
            f"cards of {game.id} are drawn, but not after its only decision", code="no-showdown", game=game.id
        )
    if max(action.draws for action in game.decisions[0].actions) > 1:
        raise NoCensusError(f"more than one card is drawn in {game.id}", code="no-showdown", game=game.id)


def _require_small(game: Game, learned: DrawShape, cards: Sequence[int]) -> None:
    """Require that hands can be listed by classes up to suits.

    Raises:
        NoCensusError: they cannot.
    """
    deck = make_mask(cards)
    if len({get_suit_ranks(deck, suit) for suit in range(SUIT_COUNT)}) > 1:
        raise NoCensusError(f"the suits of {game.id} do not have the same ranks", code="no-showdown", game=game.id)
    if learned.early + learned.late > 1 or max(1 + learned.own, learned.theirs) > MOST_CARDS:
        raise NoCensusError(f"the hands of {game.id} are too large", code="no-showdown", game=game.id)
    if learned.own + learned.theirs >= len(cards):
        raise NoCensusError(f"the deck of {game.id} has no card left to draw", code="no-showdown", game=game.id)


def _play(
    game: Game, options: Any, deck: tuple[int, ...], bits: BitSource, written: dict[str, set[str]]
) -> Iterator[_Played]:
    """Play a deal with each legal action, and note which fields cards change."""
    rules, tables, start = game.rules, load_hand_tables(), deal_one_seat(game, deck)

    def move(kind: str, before: Any, after: Any) -> Any:
        written[kind] |= {field for field in before._fields if getattr(before, field) != getattr(after, field)}
        return after

    asked = rules.next_decision(tables, start, options) == 0
    view, top = rules.view(start), rules.count_dealt(1)
    spare = len(deck) - top - game.undrawable_cards
    legal = rules.legal_actions(tables, view, 0, spare, options) if asked else 0
    for action in range(NOT_ASKED, len(game.decisions[0].actions)):
        if asked and not (action >= 0 and legal >> action & 1):
            continue
        if not asked and action >= 0:
            break
        state, given, at = start, 0, top
        if asked:
            given = _choose(view.player, game.decisions[0].actions[action].discards, bits)
            state = move("act", state, rules.act(state, 0, action, given))
        drawn = make_mask(deck[at : at + rules.count_draws(tables, state, options)])
        state = move("draw", state, rules.receive_draw(state, drawn)) if drawn else state
        at += drawn.bit_count()
        dealers = []
        for opens in (True, False):
            dealers.append(make_mask(deck[at : at + rules.count_dealer_draws(state)]))
            if dealers[-1]:
                state = move("dealer", state, rules.receive_dealer_draw(state, dealers[-1]))
            state, at = rules.show_dealer(state) if opens else state, at + dealers[-1].bit_count()
        yield _Played(deck, action, given, drawn, (dealers[0], dealers[1]), state)


def _choose(held: int, size: int, bits: BitSource) -> int:
    """Choose cards to give up at random."""
    cards = first_subset(held, size)
    for _ in range(draw_below(max(1, comb(held.bit_count(), size)), bits)):
        cards = next_subset(held, cards)
    return cards


def _find_hands(
    game: Game, groups: Sequence[PlaceGroup], read: Sequence[set[str]], written: dict[str, set[str]]
) -> tuple[int, int]:
    """Find the group of the player's hand and that of the dealer's.

    Raises:
        NoCensusError: there is not one of each, or a hand has cards that the other side draws.
    """
    mine, theirs = ({index for index, each in enumerate(groups) if fields & {*each.fields}} for fields in read)
    if len(mine) != 1 or len(theirs) != 1 or mine == theirs:
        raise NoCensusError(
            f"{game.id} does not have one private hand on either side", code="no-showdown", game=game.id
        )
    if read[0] & written["dealer"] or read[1] & (written["act"] | written["draw"]):
        raise NoCensusError(
            f"a hand of {game.id} has cards that the other side draws", code="no-showdown", game=game.id
        )
    return mine.pop(), theirs.pop()


def _verify_seen(game: Game, own: PlaceGroup, rounds: Sequence[Sequence[_Played]]) -> None:
    """Verify that the seat sees its own cards when it decides, and no others.

    Raises:
        NoCensusError: it sees more or less.
    """
    for played in rounds:
        deck = played[0].deck
        view, cards = game.rules.view(deal_one_seat(game, deck)), make_mask([deck[place] for place in own.places])
        if not reduce(or_, view) == view.player == cards:
            raise NoCensusError(
                f"a seat of {game.id} does not see its own cards alone", code="no-showdown", game=game.id
            )


def _verify(game: Game, options: Any, learned: DrawShape, played: _Played, ending: int) -> None:
    """Verify on one deal what was learned.

    Each hand is ranked by its own cards, and the outcome is that of ``settle``.

    Raises:
        NoCensusError: a hand's strength depends on the other side.
        PitbossError: ``settle`` gives another outcome.
    """
    showdown, shape, tables = game.showdown, learned.shape, load_hand_tables()
    verify_outcome(game, options, shape, played.deck, ending, played.state)
    if showdown is None or shape.endings[ending].outcome >= 0:
        return
    mine = reach_player(game, learned, _find_dealt(played, shape, shape.own), played)
    theirs = reach_dealer(game, learned, _find_dealt(played, shape, shape.hidden), played.dealers)
    for rank, alone in ((showdown.mine, mine), (showdown.theirs, theirs)):
        if rank(tables, alone, options) != rank(tables, played.state, options):
            raise NoCensusError(
                f"a hand of {game.id} is ranked by cards of the other side", code="no-showdown", game=game.id
            )


def _find_dealt(played: _Played, shape: ShowdownShape, group: int) -> int:
    return make_mask([played.deck[place] for place in shape.groups[group].places])


def reach_player(game: Game, learned: DrawShape, dealt: int, played: Any) -> Any:
    """Return the state in the end with the player's cards alone.

    ``played`` has the ``action``, the cards ``given`` up and those ``drawn``.
    """
    shape = learned.shape
    state = learned.base._replace(**dict.fromkeys(shape.groups[shape.own].fields, dealt))
    if played.action != NOT_ASKED:
        state = game.rules.act(state, 0, played.action, played.given)
    state = game.rules.receive_draw(state, played.drawn) if played.drawn else state
    return game.rules.show_dealer(state)


def reach_dealer(game: Game, learned: DrawShape, dealt: int, drawn: Sequence[int]) -> Any:
    """Return the state in the end with the dealer's cards alone.

    ``drawn`` are those drawn before the hand is shown and after.
    """
    shape = learned.shape
    state = learned.base._replace(**dict.fromkeys(shape.groups[shape.hidden].fields, dealt))
    state = game.rules.receive_dealer_draw(state, drawn[0]) if drawn[0] else state
    state = game.rules.show_dealer(state)
    return game.rules.receive_dealer_draw(state, drawn[1]) if drawn[1] else state
