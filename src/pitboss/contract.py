"""The frozen dataclasses that describe a game: the contract of a game folder.

They have no logic.  A game folder exports ``GAME = Game(...)``.  The functions of its ``Rules`` decide what happens at
the table; the other classes describe what can be printed, paid or counted.  Two words run through all of them: a
*circle* is a place on the layout where chips lie (Ante, Play, Blind, Aces Up ...); a *wager* is what a player stakes as
one bet (``main`` is the Ante with all its raises; each side wager is one).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.cards import Deck
from pitboss.censuses import Census
from pitboss.core.rule import keep_state, no_cards, no_draws, rule
from pitboss.hands import NO_HAND

RuleFunction = Callable[..., Any]

NO_DECISION = -1
"""What ``Rules.next_decision`` returns when the seat has nothing (more) to decide."""

UNSETTLED = -1
"""What ``Rules.settle`` returns for a wager that is not settled yet."""


class LegResult(IntEnum):
    """The result of one leg: what happens to the chips in its circle."""

    LOSE = -1
    PUSH = 0
    WIN = 1


@dataclass(frozen=True, slots=True)
class Leg:
    """The end of a wager in one circle.

    ``stake`` is in units of the wager's base (an Ante; for a side wager its own stake).  ``lines`` are the lines of pay
    table ``paytable_kind`` that are paid (WIN) or taken (LOSE); without lines a win is even money and a loss the stake.
    The pays of several lines add up; with ``best_only`` only the highest is paid.  A bonus without chips of its own
    (``stake`` 0) is paid on ``pays_on`` of these units instead, as an Ante Bonus is on the Ante (1); else ``pays_on``
    is 0.  A push is ``pulled_back`` if the player took these chips back by an action, as in Let It Ride: the average
    wager leaves them out.  ``reason`` is what a dealer would say about this circle.  Its fields are filled in:
    ``{option}`` with the value of that option; ``{mine}`` and ``{dealers}`` with the hands of ``Rules.evaluate_hands``,
    ``{showdown}`` with their comparison; ``{made}`` with the seat's hand and a colon if the hand is open, else with
    nothing; ``{paid}`` with the line that pays best; any other name by the game's function in ``Game.reason_fields``.
    """

    circle: str
    stake: int
    result: LegResult
    reason: str
    lines: tuple[str, ...] = ()
    paytable_kind: str = ""
    best_only: bool = False
    pays_on: int = 0
    pulled_back: bool = False

    @property
    def paid_stake(self) -> int:
        """The stake that its lines are paid on, in units of the wager's base."""
        return self.stake or self.pays_on


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a wager can end: ids joined by ``-``, and its legs."""

    name: str
    legs: tuple[Leg, ...]


class StakeConstraintKind(IntEnum):
    """The ways in which one wager constrains the stake of another."""

    AT_MOST = 0
    AT_LEAST = 1
    ONLY_WITH = 2


@dataclass(frozen=True, slots=True)
class StakeConstraint:
    """A limit on a stake by the stake of ``bet``, in force unless ``option`` is off."""

    kind: StakeConstraintKind
    bet: str
    ruling: str
    option: str = ""


@dataclass(frozen=True, slots=True)
class PayOrder:
    """An order of pays that the rules rely on.

    None of ``lower_lines`` pays more than ``line``.  Rules do not see pays (ALL-8): where a ruling asks for the
    best-paying of several lines, they take the best by this order.  A pay table that breaks the order is rejected.
    """

    paytable_kind: str
    line: str
    lower_lines: tuple[str, ...]
    ruling: str


@dataclass(frozen=True, slots=True)
class StakeLimits:
    """The limits of a stake, in cents: a multiple of ``unit_cents`` (ruling ALL-4)."""

    minimum_cents: int = 500
    maximum_cents: int = 40_000
    unit_cents: int = 100


ONE_DOLLAR = StakeLimits(100, 100, 100)
"""Progressive and Taxpayer's Fortune: exactly one dollar (ruling ALL-4)."""


class HandOwner(IntEnum):
    """The owners of the hand that a wager is on."""

    OWN_HAND = 0
    OTHER_SEAT = 1
    DEALER = 2
    COMMUNITY = 3

    @property
    def is_seat(self) -> bool:
        """Whether it is the hand of a seat, which is turned up when the wager is settled."""
        return self in (HandOwner.OWN_HAND, HandOwner.OTHER_SEAT)


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager: how it can end, what pays it, its limits, and how it is counted.

    ``circles`` are the places on the layout that get one unit each when the wager is placed (default: its own id).
    ``paytable_kinds`` are the kinds of pay table that pay it (none: even money).  ``status_option`` names the option
    that makes it optional, mandatory or off.  ``census`` says how its outcomes are counted exactly.  It is None if the
    outcomes depend on a player's choices and need a solver; so it counts as None while the on/off option
    ``census_option`` is off.  ``pay_orders`` are the orders of pays that its rules rely on.  With ``settles_last`` it
    is settled after the seat's other wagers.  With ``depends_on_colour`` red and black matter: suits may then be
    exchanged only if suits of one colour stay suits of one colour.
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
    """A choice that the rules leave to the casino: its values and their codes."""

    name: str
    values: tuple[str, ...]
    default: str
    ruling: str
    meaning: str
    codes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """One answer to a decision.

    ``discards`` is how many of its cards the seat gives up, ``draws`` how many it gets from the stub.  ``stake`` is
    what the action adds to the layout, in Antes, and ``circle`` the circle where that lies.
    """

    id: str
    discards: int = 0
    stake: int = 0
    circle: str = ""
    draws: int = 0


@dataclass(frozen=True, slots=True)
class ViewField:
    """The number of cards that a field of the view holds at a decision.

    Users give the fields of one ``group`` together, under its name, in this order (``indicators`` are W1 and W2).
    """

    field: str
    min_cards: int
    max_cards: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question that a seat has to answer.

    ``timeout_action`` is the action for a seat that does not answer (RULINGS, "If a decision times out").  With
    ``shows_dealer`` the dealer's hand is opened before the question.  ``view_fields`` are the cards that the seat sees.
    """

    id: str
    question: str
    actions: tuple[Action, ...]
    timeout_action: str
    view_fields: tuple[ViewField, ...]
    shows_dealer: bool = False


@rule
def no_hands(_tables: Any, _state: tuple[int, ...], _options: Any) -> tuple[int, int]:
    """Return no strengths (games that do not compare hands)."""
    return NO_HAND, NO_HAND


@dataclass(frozen=True, slots=True)
class Rules:
    """The rule functions of a game.

    All but ``count_dealt`` take and return integers and named tuples of integers.  A *state* is a tuple of all that has
    happened and will happen to one seat, except cards still to be drawn.  A *view* is a tuple of card masks: what that
    seat may see, its own cards first (``player``).  ``tables`` are hand tables, ``options`` option codes.

    ================================================================  =====================================
    ``count_dealt(seats) -> int``                                     cards dealt before any decision
    ``deal(deck, seats, seat, wagered) -> state``                     seat 0 is at the dealer's left; ``wagered``
                                                                      has bit i set for a stake on wager i
    ``next_decision(tables, state, options) -> int``                  index of its next decision, or NO_DECISION
    ``view(state) -> view``                                           what the seat may see
    ``legal_actions(tables, view, decision, stub, options) -> int``   bit i is set if action i is legal; ``stub`` is
                                                                      how many cards it can still draw
    ``act(state, decision, action, cards) -> state``                  ``cards`` is the mask given up
    ``count_draws(tables, state, options) -> int``                    how many cards the seat now gets from the stub
    ``receive_draw(state, drawn) -> state``                           gives it those cards
    ``get_muck(state) -> int``                                        mask of cards the seat has given up for good
    ``count_dealer_draws(state) -> int``                              cards the dealer takes from the stub: asked
    ``receive_dealer_draw(state, drawn) -> state``                    before the hand is shown and at the end
    ``show_dealer(state) -> state``                                   opens the dealer's hand
    ``settle(tables, state, options) -> tuple``                       the index of each wager's outcome, or
                                                                      UNSETTLED while it is not settled
    ``evaluate_hands(tables, state, options) -> (mine, dealers)``     strengths as far as the seat knows them,
                                                                      for people to read; else NO_HAND
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
class Showdown:
    """The comparison of two hands that ends ``main``, in separate rules.

    The engine asks them one by one.

    ``mine(tables, state, options)`` and ``theirs(tables, state, options)`` rank the player's and the dealer's final
    hands, all cards known.  ``outcome(state, mine, theirs, options)`` returns the index of main's outcome; of
    ``state`` it reads only the actions taken, never a card.  ``settle`` uses the same rules.
    """

    mine: RuleFunction
    theirs: RuleFunction
    outcome: RuleFunction


@dataclass(frozen=True, slots=True)
class Zone:
    """Consecutive cards dealt to a destination: "seat", "dealer", "community", "W1"."""

    destination: str
    cards: int


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game: its deck, wagers, decisions, options, rules and folder of data files.

    Each game has one object, so games compare by identity.  ``options_type`` is the named tuple of option codes that
    the rules take, fields in the order of ``options``.  ``deal_order`` lists the zones of the first deal in deck order
    (ruling ALL-10).  ``deck_backs`` names decks that alternate, one in play in each round (LU-2).  ``undrawable_cards``
    is how many cards of the stub no seat may draw.  ``main_parts`` are parts of ``main`` that print like bets but are
    not bets: nothing is staked on them, they are not in ``wagers``, and each has a ``census`` by the rule that settles
    ``main``.  ``solver`` names the game's module with its ``Solver`` (``solver_api``).  ``reason_fields`` has a
    function for each field of a leg's ``reason`` that only the game can fill: ``function(tables, state, options)``
    returns the text, which may contain fields itself.  ``find_wild_cards(state) -> (mine, dealers)`` returns masks of
    each hand's wild cards; a game whose only wild cards are Jokers has none.  ``find_replaced_cards(state, options)``
    returns the mask of the dealer's cards that drawn ones replaced.  ``showdown`` declares the comparison that ends
    ``main``, if it ends in one.
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
    find_wild_cards: Callable[[Any], tuple[int, int]] | None = None
    find_replaced_cards: Callable[[Any, Any], int] | None = None
    showdown: Showdown | None = None

    @property
    def main(self) -> Wager:
        """The main wager: the first of ``wagers``."""
        return self.wagers[0]


class PayUnit(StrEnum):
    """The units of a pay.

    ``TO_ONE`` is chips for each chip staked, which is returned too; ``FOR_ONE`` is chips with the stake among them.
    ``DOLLARS`` are the same for any stake, and ``PERCENT_OF_METER`` is of a progressive's meter.
    """

    TO_ONE = "to_one"
    FOR_ONE = "for_one"
    DOLLARS = "dollars"
    PERCENT_OF_METER = "percent_of_meter"


@dataclass(frozen=True, slots=True)
class LinePay:
    """The pay of a line; ``sheet_text`` is the sheet's own text where it is unclear."""

    amount: Fraction
    unit: PayUnit
    sheet_text: str = ""
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class MeterPresets:
    """A meter's seed, and the parts of each wager for meter and reserve."""

    seed_cents: int
    meter_bps: int
    reserve_bps: int
    source: str


@dataclass(frozen=True, slots=True)
class PayTable:
    """A pay table: lines in printed order (ruling ALL-8), each with its pay.

    ``kind`` is one of a wager's ``paytable_kinds`` (the wager's id, or "blind", "instant-cash" ... within ``main``);
    ``source`` says where the table is printed.  ``envy`` is what other seats are paid for a line, in dollars,
    ``progressive`` the meter's presets, ``claim`` a figure that the rule sheet prints about the table, ``file`` the
    user's file it was read from.
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
    file: str = field(default="", compare=False)
