"""What a game folder exports: frozen descriptions, no logic.

A game is its ``GAME = Game(...)``.  Everything that happens at the table is in the functions of its
``Rules``; everything that can be printed, paid or counted is described here.  Two words run through all of
it: a *circle* is a place on the layout where chips lie (Ante, Play, Blind, Aces Up ...), a *wager* is what a
person stakes as one (``main`` is the Ante with all its raises; each side wager is one).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.cards import Deck
from pitboss.core.rule import keep_state, no_cards, no_draws, rule
from pitboss.hands import NO_HAND

RuleFunction = Callable[..., Any]

NO_DECISION = -1
"""What ``Rules.decision`` returns when a seat has nothing to decide (any more)."""

UNSETTLED = -1
"""What ``Rules.settle`` returns for a wager that is not decided yet."""


class LegResult(IntEnum):
    """What becomes of the chips in a circle."""

    LOSE = -1
    PUSH = 0
    WIN = 1


@dataclass(frozen=True, slots=True)
class Leg:
    """What becomes of one circle.

    ``stake`` is in units of the wager's base (an Ante; for a side wager its own stake).  ``lines`` are the
    lines of pay table ``paytable_kind`` that are paid (WIN) or taken (LOSE); without lines a win is even money and
    a loss the stake.  Of several lines the pays add up, or with ``best_only`` the highest alone is paid.
    ``reason`` is what a dealer would say of this circle.  In it ``{option}`` is filled with that option's value;
    ``{mine}`` and ``{dealers}`` with what ``Rules.hands`` come to, ``{showdown}`` with how they stand; ``{made}`` with
    the first of them and a colon where the hand lies open, else with nothing; ``{paid}`` with the line that pays best;
    any other name with what the game's function in ``GameOption.words`` says.
    """

    circle: str
    stake: int
    result: LegResult
    reason: str
    lines: tuple[str, ...] = ()
    paytable_kind: str = ""
    best_only: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a wager can end: its name (INTERFACE names, joined by ``-``) and what becomes of each circle."""

    name: str
    legs: tuple[Leg, ...]


@dataclass(frozen=True, slots=True)
class CardSetCensus:
    """A wager decided by ``cards`` cards of the deck, every set of them equally likely.

    ``outcome(tables, mask, options)`` gives the index of the outcome.
    """

    cards: int
    outcome: RuleFunction


@dataclass(frozen=True, slots=True)
class LastCardCensus:
    """As ``CardSetCensus``, where it also matters which of the ``cards`` cards came last.

    ``outcome(tables, first_mask, last_mask, options)``; deals are sets times the cards of a set.
    """

    cards: int
    outcome: RuleFunction


@dataclass(frozen=True, slots=True)
class CardPositionCensus:
    """A wager decided by where in the deck one card lies: every place of a one-seat round is equally likely."""

    card: int


@dataclass(frozen=True, slots=True)
class HandPairCensus:
    """A wager decided by two disjoint hands of ``cards`` cards each and by nothing but the weaker's strength.

    ``strength(tables, mask, options)`` ranks a hand; ``outcome(mine, theirs, options)`` gives the outcome of two
    strengths.  It must be the same for every stronger hand, and for equal strengths or a weaker hand below
    ``lowest_strength`` it must be ``default_outcome``.
    """

    cards: int
    strength: RuleFunction
    outcome: RuleFunction
    lowest_strength: int
    default_outcome: int


Census = CardSetCensus | LastCardCensus | CardPositionCensus | HandPairCensus


class StakeConstraintKind(IntEnum):
    """How one wager binds another's stake."""

    AT_MOST = 0
    AT_LEAST = 1
    ONLY_WITH = 2


@dataclass(frozen=True, slots=True)
class StakeConstraint:
    """The stake is at most, at least, or only with that of ``bet``; ``option`` switches it ("on" or "off")."""

    kind: StakeConstraintKind
    bet: str
    ruling: str
    option: str = ""


@dataclass(frozen=True, slots=True)
class PayOrder:
    """An order of pays that the rules rely on: none of ``lower_lines`` pays more than ``line``.

    Rules see no pays (ALL-8).  Where a ruling asks for the best-paying of several lines, the rule takes one that this
    order makes the best, and a pay table that breaks the order is refused.
    """

    paytable_kind: str
    line: str
    lower_lines: tuple[str, ...]
    ruling: str


@dataclass(frozen=True, slots=True)
class StakeLimits:
    """What may be staked, in cents; stakes are whole multiples of ``unit_cents`` (ruling ALL-4)."""

    minimum_cents: int = 500
    maximum_cents: int = 40_000
    unit_cents: int = 100


ONE_DOLLAR = StakeLimits(100, 100, 100)
"""Progressive and Taxpayer's Fortune: exactly one dollar (ruling ALL-4)."""


class HandOwner(IntEnum):
    """On whose hand a wager stands."""

    OWN_HAND = 0
    OTHER_SEAT = 1
    DEALER = 2


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager: what may end it, what pays it, what it may be, and how it is counted.

    ``circles`` are the places on the layout that get one unit each when it is placed (its own id unless said
    otherwise), ``paytable_kinds`` the kinds of pay table it is paid by (none: even money). ``status_option`` names the
    option that makes it optional, mandatory or off. ``census`` says how its outcomes are counted exactly; None where
    they depend on a player's choices and a solver is needed, as it is while the on/off option ``census_option`` is off.
    ``pay_orders`` are the orders of pays that its rules rely on.
    ``settles_last``: after the seat's other wagers. ``depends_on_colour`` says that red and black matter: suits may
    then be exchanged only with their colours.
    """

    id: str
    name: str
    outcomes: tuple[Outcome, ...]
    paytable_kinds: tuple[str, ...] = ()
    circles: tuple[str, ...] = ()
    limits: StakeLimits = field(default_factory=StakeLimits)
    mandatory: bool = False
    status_option: str = ""
    constraints: tuple[StakeConstraint, ...] = ()
    hand_owner: HandOwner = HandOwner.OWN_HAND
    census: Census | None = None
    census_option: str = ""
    pay_orders: tuple[PayOrder, ...] = ()
    depends_on_colour: bool = False
    settles_last: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """A thing a casino may decide otherwise (a ruling): its values, their codes in the rules, the default."""

    name: str
    values: tuple[str, ...]
    default: str
    ruling: str
    meaning: str
    codes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """A legal word of a decision.

    ``discards`` is how many of one's own cards are given up, ``draws`` how many come from the stub, ``stake`` what it
    adds to the table in Antes and ``circle`` where it lies.
    """

    id: str
    discards: int = 0
    stake: int = 0
    circle: str = ""
    draws: int = 0


@dataclass(frozen=True, slots=True)
class ViewField:
    """How many cards a field of the view holds when a decision is asked, and what people call them if otherwise.

    Fields of one ``group`` are given together, in this order (``indicators`` are W1 and W2).
    """

    field: str
    min_cards: int
    max_cards: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question put to a seat.

    ``timeout_action`` is the action of a seat that does not answer (RULINGS, "If a decision times out"); with
    ``shows_dealer`` the dealer's hand is opened before it is asked.  ``view_fields`` is what lies before the seat then.
    """

    id: str
    question: str
    actions: tuple[Action, ...]
    timeout_action: str
    view_fields: tuple[ViewField, ...]
    shows_dealer: bool = False


@rule
def no_hands(_tables: Any, _state: tuple[int, ...], _options: Any) -> tuple[int, int]:
    """Return no strengths: the game does not compare hands."""
    return NO_HAND, NO_HAND


@dataclass(frozen=True, slots=True)
class Rules:
    """The rule functions of a game.  All but ``count_dealt`` take and return integers and named tuples of integers.

    A *state* is a named tuple of integers: all that has happened and will happen to one seat but for cards
    still to be drawn.  A *view* is a named tuple of card masks: what that seat may see, field by field (its
    own cards first, as ``player``).  ``tables`` are the hand tables, ``options`` the game's options as codes.

    ================================================================  =====================================
    ``dealt(seats) -> int``                                           cards dealt before any decision
    ``deal(deck, seats, seat, wagered) -> state``                     seat 0 is at the dealer's left; ``wagered``
                                                                      has bit i set for a stake on wager i
    ``decision(tables, state, options) -> int``                       index of its next decision, or NO_DECISION
    ``view(state) -> view``
    ``legal(tables, view, decision, stub, options) -> int``           bit i set: action i is legal; ``stub`` is
                                                                      how many cards could be served
    ``act(state, decision, action, cards) -> state``                  ``cards`` is the mask given up
    ``owed(tables, state, options) -> int``                           how many cards the seat now gets from the stub
    ``receive(state, drawn) -> state``                                gives it those cards
    ``released(state) -> int``                                        mask of cards the seat has given up for good
    ``dealer_owed(state)``, ``dealer_receives(state, drawn)``         cards the dealer takes from the stub: asked
                                                                      before his hand is shown and at the end
    ``show(state) -> state``                                          the dealer's hand is opened
    ``settle(tables, state, options) -> tuple``                       for each wager the index of its outcome, or
                                                                      OPEN while it is undecided
    ``hands(tables, state, options) -> (mine, dealers)``              strengths as the seat can know them now, for
                                                                      people to read; NO_HAND where it cannot
    ================================================================  =====================================
    """

    count_dealt: RuleFunction
    deal: RuleFunction
    next_decision: RuleFunction
    view: RuleFunction
    legal_actions: RuleFunction
    act: RuleFunction
    show_dealer: RuleFunction
    settle: RuleFunction
    count_draws: RuleFunction = no_draws
    receive_draw: RuleFunction = keep_state
    get_muck: RuleFunction = no_cards
    count_dealer_draws: RuleFunction = no_cards
    receive_dealer_draw: RuleFunction = keep_state
    evaluate_hands: RuleFunction = no_hands


@dataclass(frozen=True, slots=True)
class Zone:
    """Some cards in a row in the deal: ``cards`` to ``destination`` ("seat", "dealer", "community", "W1" ...)."""

    destination: str
    cards: int


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game: what it is called, what it is played with, and where its rules, pay tables and papers are.

    There is one object of each, so games compare by identity.

    ``options_type`` is the named tuple of option codes that the rules take, fields in the order of ``options``.
    ``deal_order`` lists the zones of the first deal in deck order (ruling ALL-10).  ``deck_backs`` names decks that
    alternate, one in play a round (LU-2).  ``undrawable_cards`` is how many cards of the stub no seat may draw.
    ``main_parts`` are parts of ``main`` that print as a bet of their own and are none: nothing is staked on them, they
    are not among ``wagers``, and each has a ``census`` by the rule that settles ``main``.  ``reason_fields`` are what
    reasons leave open for the game to say, by name: ``function(tables, state, options)`` returns it, and may leave open
    what a reason may.
    """

    id: str
    name: str
    summary: str
    deck: Deck
    deal_order: tuple[Zone, ...]
    wagers: tuple[Wager, ...]
    decisions: tuple[Decision, ...]
    options: tuple[Option, ...]
    options_type: Callable[..., Any]
    rules: Rules
    folder: Path
    seats: int = 6
    deck_backs: tuple[str, ...] = ()
    undrawable_cards: int = 0
    main_parts: tuple[Wager, ...] = ()
    solver: str = ""
    reason_fields: Mapping[str, Callable[..., str]] = field(default_factory=dict)


class PayUnit(StrEnum):
    """What a pay is counted in."""

    TO_ONE = "to_one"
    FOR_ONE = "for_one"
    DOLLARS = "dollars"
    PERCENT_OF_METER = "percent_of_meter"


@dataclass(frozen=True, slots=True)
class LinePay:
    """What a line pays: ``amount`` in ``unit``; ``sheet_text`` is the sheet's own text where it needs reading."""

    amount: Fraction
    unit: PayUnit
    sheet_text: str = ""
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class MeterPresets:
    """A meter's presets: ``seed_cents``, and what of each wager goes to meter and reserve, in basis points."""

    seed_cents: int
    meter_bps: int
    reserve_bps: int
    source: str


@dataclass(frozen=True, slots=True)
class PayTable:
    """One version of one pay table: lines in printed order (ruling ALL-8), each with its pay.

    ``kind`` is the kind, one of some wager's ``tables`` (the wager's id, or "blind", "instant-cash" ... within
    ``main``); ``source`` is where it is printed.  ``envy`` is what other seats are paid for a line, in dollars,
    ``progressive`` the meter's presets, ``claim`` a figure that the sheet prints about the table.
    """

    id: str
    bet: str
    kind: str
    lines: Mapping[str, LinePay]
    source: str
    default: bool = False
    claim: str = ""
    envy: Mapping[str, int] = field(default_factory=dict)
    progressive: MeterPresets | None = None
