"""What the page *Study* shows: the cards seen, and what each action is worth.

A worker finds the position and values it.
"""

from collections.abc import Collection
from math import lcm
from typing import Any, NamedTuple

from pitboss.analysis.draw_chances import compute_draw_chances
from pitboss.analysis.fees import count_fees
from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hint_request import HintRequest, parse_hint_request
from pitboss.analysis.outcome_chances import OutcomeChances, compute_outcome_chances
from pitboss.analysis.position import Position, format_view_cards
from pitboss.analysis.side_stakes import select_played_stakes
from pitboss.builders import capitalize_first, display_name
from pitboss.cards import format_cards
from pitboss.cards.typed import parse_typed_cards
from pitboss.contract import Game
from pitboss.reports.chance_text import (
    describe_best_fold,
    describe_chances,
    describe_draw_odds,
    describe_fees,
    describe_kept_hand,
)
from pitboss.reports.formatting import explain_left_out_wagers, name_valued_wagers
from pitboss.table.round import CardsDealt, Round
from pitboss.table.session import TableSession
from pitboss.value_units import name_value_unit
from pitboss.web.jobs.action_values import value_actions
from pitboss.web.jobs.coach import (
    ActionAdvice,
    compute_advice,
    get_side_stakes,
    is_not_fold,
    list_taken,
    select_best_forms,
)
from pitboss.web.jobs.spec import STUDIED, JobSpec
from pitboss.web.jobs.study_reasons import CountedAction, StudyReasons, ValueParts
from pitboss.web.jobs.value_bars import ValueBar, describe_bars, measure_values

_MOST_LISTED = 40
"""The most choices of cards that a page lists."""

_NOTE = "The values count every card that can come, and the best choice after it."
"""What the values are of, where how often a choice wins cannot be counted."""


class StudyRequest(NamedTuple):
    """A position: the texts of the cards seen by their names, and earlier actions."""

    game: Game
    terms: GameTerms
    cards: tuple[tuple[str, str], ...]
    taken: tuple[str, ...]


class StudyContent(NamedTuple):
    """A valued position.

    ``order`` has the actions of the decision as the game lists them, and ``seen`` the cards of each name.  ``actions``
    has each action once with its bar, and ``choices`` every action with every choice of
    cards, best first.  ``data`` is the JSON document of ``pitboss hint --json``.  ``wagers`` are those that the
    values are of, "" if that is the main wager alone, and ``without`` says which staked ones they leave out.
    """

    question: str
    order: tuple[str, ...]
    unit: str
    seen: tuple[tuple[str, tuple[str, ...]], ...]
    actions: tuple[tuple[ActionAdvice, ValueBar], ...]
    choices: tuple[ActionAdvice, ...]
    data: dict[str, Any]
    wagers: str = ""
    without: str = ""

    def include_choice(self, choice: ActionAdvice | None) -> "StudyContent":
        """Return the content with a choice of cards among the actions, and the next best."""
        if choice is None:
            return self
        shown = dict.fromkeys((*(each for each, _ in self.actions), choice, *self.choices[1:2]))
        ranked = sorted(shown, key=lambda each: each.cost)
        return self._replace(actions=tuple(zip(ranked, measure_values(ranked), strict=True)))

    @property
    def bars(self) -> str:
        """How to read the bars of the actions, "" if there is only one."""
        return describe_bars([bar for _, bar in self.actions])

    @property
    def listed(self) -> tuple[ActionAdvice, ...]:
        """The best choices of cards, for a list; none if each action has one."""
        return self.choices[:_MOST_LISTED] if len(self.choices) > len(self.actions) else ()

    @property
    def left_out(self) -> int:
        """The number of choices that are not listed."""
        return max(0, len(self.choices) - _MOST_LISTED)

    @property
    def buttons(self) -> list[tuple[str, str]]:
        """The name and the id of each action.

        Actions that give up cards share one button, without an id.
        """
        as_listed = sorted((each for each, _ in self.actions), key=lambda each: self.order.index(each.action))
        ranked = sorted(as_listed, key=lambda each: is_not_fold(each.action))
        given = [each.name for each in ranked if each.cards]
        together = [(given[0] if len(given) == 1 else "Exchange the chosen cards", "")] if given else []
        return [(each.name, each.action) for each in ranked if not each.cards] + together

    @property
    def gives(self) -> list[int]:
        """The numbers of cards that actions give up, fewest first."""
        return sorted({len(each.cards) for each, _ in self.actions if each.cards})

    def find_choice(self, action: str, cards: Collection[str]) -> ActionAdvice | None:
        """Return an action that gives up these cards; None if there is none.

        An action that gives up none is found with any.  Without ``action``, the cards say which action it is.
        """
        for each in self.choices:
            is_asked = each.action == action or (not action and each.cards)
            if is_asked and (not each.cards or set(each.cards) == set(cards)):
                return each
        return None


def describe_seen(game_round: Round, seat_index: int) -> dict[str, str]:
    """Return the cards that a seat sees at its decision, as texts by their names.

    They are in the order of the deal, as they lie on the table.
    """
    if game_round.turn is None:
        raise ValueError("no seat has to decide")
    named = format_view_cards(
        game_round.get_view(seat_index), game_round.game.decisions[game_round.turn[1]], game_round.game.deck
    )
    dealt = [card for event in game_round.events if isinstance(event, CardsDealt) for card in event.cards]
    order = format_cards(dict.fromkeys(dealt), game_round.game.deck)
    return {name: " ".join(_order_cards(text, order)) for name, text in named.items()}


def _order_cards(text: str, order: str) -> tuple[str, ...]:
    """Return the cards of a text in the order of another.

    Those that are not in it come last.

    >>> _order_cards("As 9d 7c 2s", "2s 7c As")
    ('2s', '7c', 'As', '9d')
    """
    first = order.split()
    return tuple(sorted(text.split(), key=lambda card: first.index(card) if card in first else len(first)))


def build_table_why_job(session: TableSession) -> JobSpec | None:
    """Build the job that explains the decision of the seat whose turn it is.

    It says how often each action wins and loses.  There is none at a table with pays of its own: a result is kept by
    the names of the pay tables.
    """
    game_round, seat = session.round, session.turn
    if game_round is None or seat is None or session.terms.own_paytables:
        return None
    return build_why_job(make_study_request(game_round, session.round_seats.index(seat)))


def make_study_request(game_round: Round, seat_index: int) -> StudyRequest:
    """Make the request for the values of a seat's decision in a round."""
    terms = GameTerms(game_round.paytables, game_round.options, get_side_stakes(game_round, seat_index))
    return StudyRequest(
        game_round.game, terms, tuple(describe_seen(game_round, seat_index).items()), list_taken(game_round, seat_index)
    )


def build_study_job(request: StudyRequest) -> JobSpec:
    """Build the job that values a position for a page."""
    tables = tuple(table.id for table in request.terms.paytables.values())
    terms = tables, tuple(request.terms.options.items()), tuple(request.terms.stakes.items())
    key = request.game.id, terms, request.cards, request.taken
    return JobSpec(STUDIED, key, study_position, (request,))


def build_why_job(request: StudyRequest) -> JobSpec:
    """Build the job that says how often each action at a position wins and loses."""
    spec = build_study_job(request)
    return JobSpec(STUDIED, ("why", spec.key), explain_position, (request,))


def explain_position(request: StudyRequest) -> StudyReasons:
    """Return how often each action wins and loses, Fold first.

    Of an action that gives up cards it is about the best choice of them.  Where the chances cannot be found, it says
    so, what draws make of the hand, and which fees are lost.

    Raises:
        PitbossError: as ``parse_hint_request`` and ``value_actions``.
    """
    game, terms = request.game, request.terms
    asked = parse_hint_request(game, terms, dict(request.cards), request.taken)
    position, stakes = asked.position, asked.terms.stakes
    chances = {
        (each.action, each.cards): each
        for each in compute_outcome_chances(game, terms.paytables, terms.options, position, stakes)
    }
    if not chances:
        return _explain_draws(asked)
    ranked = value_actions(game, terms.paytables, terms.options, position, stakes)
    played = select_played_stakes(game, terms.options, stakes)
    best = {each.action.id: each for each in reversed(ranked)}
    forms = [
        (compute_advice(game, best[action], best[action]), chances[action, best[action].cards])
        for action in sorted(best, key=is_not_fold)
    ]
    others = [
        (compute_advice(game, each, ranked[0]), chances[each.action.id, each.cards])
        for each in ranked
        if each is not best[each.action.id]
    ]

    def describe(form: ActionAdvice, chance: OutcomeChances) -> str:
        name, fees = " ".join((form.name, *form.cards)), count_fees(game, position, form.action)
        counted = game.main.name if played else ""
        return describe_chances(name, chance, fees, counted=counted, unit=name_value_unit(game))

    return StudyReasons(
        tuple(describe(form, chance) for form, chance in forms),
        tuple(_count(form, chance) for form, chance in forms),
        tuple(describe(form, chance) for form, chance in others),
        parts=tuple(_part_value(game, form, chance) for form, chance in (*forms, *others) if played),
    )


def _part_value(game: Game, form: ActionAdvice, chances: OutcomeChances) -> ValueParts:
    """Return what each wager is worth after an action."""
    nets = dict(chances.sides)
    sides = ((wager.name, nets[wager.id]) for wager in game.wagers if wager.id in nets)
    return ValueParts(" ".join((form.name, *form.cards)), ((game.main.name, chances.won - chances.lost), *sides))


def _explain_draws(asked: HintRequest) -> StudyReasons:
    """Say how often draws make which hand, and which actions pay a fee.

    Wins cannot be counted.  What a fold costs comes first where that is best.  Of an action that gives up cards it is
    about the best choice of them first.
    """
    game, position, terms = asked.game, asked.position, asked.terms
    reasons = _explain_fees(game, position)
    chances = {(each.action, each.cards): each for each in compute_draw_chances(game, terms.options, position)}
    ranked = value_actions(game, terms.paytables, terms.options, position, terms.stakes)
    fold = _explain_best_fold(asked, compute_advice(game, ranked[0], ranked[0]))
    if not chances:
        return reasons._replace(sentences=fold)
    held = next(iter(chances.values())).held
    best, others = dict[str, str](), list[str]()
    for each in ranked:
        form, action = compute_advice(game, each, ranked[0]), each.action.id
        name, drawn = " ".join((form.name, *form.cards)), chances.get((action, each.cards))
        if not is_not_fold(action):
            continue
        sentence = describe_draw_odds(name, drawn) if drawn else describe_kept_hand(name, held)
        if action in best:
            others.append(sentence)
        best.setdefault(action, sentence)
    return reasons._replace(sentences=(*fold, *best.values()), others=tuple(others))


def _explain_best_fold(asked: HintRequest, best: ActionAdvice) -> tuple[str, ...]:
    """Say what the best action costs if it is a fold; nothing if it is not.

    With side wagers that count, what a fold costs may depend on cards to come: it is not said either.
    """
    if is_not_fold(best.action) or select_played_stakes(asked.game, asked.terms.options, asked.terms.stakes):
        return ()
    cost = -best.value
    return (describe_best_fold(best.name, int(cost)),) if cost.denominator == 1 else ()


def _explain_fees(game: Game, position: Position) -> StudyReasons:
    """Say what the values count where wins cannot be, and which actions pay a fee."""
    by_fees: dict[int, list[str]] = {}
    for action in position.decision.actions:
        by_fees.setdefault(count_fees(game, position, action.id), []).append(capitalize_first(display_name(action.id)))
    return StudyReasons(
        note=_NOTE, fees=" ".join(describe_fees(names, fees) for fees, names in by_fees.items() if fees)
    )


def _count(form: ActionAdvice, chances: OutcomeChances) -> CountedAction:
    """Count how an action ends, in whole numbers.

    >>> from fractions import Fraction
    >>> form = ActionAdvice("play", "Play", (), Fraction(0), Fraction(0))
    >>> chances = OutcomeChances("play", 0, Fraction(1, 2), Fraction(1, 6), Fraction(1, 3), Fraction(1, 4))
    >>> _count(form, chances)
    CountedAction(name='Play', cards=(), ways=12, wins=6, pushes=2, loses=4, unqualified=3, folds=0)
    """
    shares = (chances.wins, chances.pushes, chances.loses, chances.unqualified, chances.folds)
    ways = lcm(*(each.denominator for each in shares))
    return CountedAction(form.name, form.cards, ways, *(int(each * ways) for each in shares))


def study_position(request: StudyRequest) -> StudyContent:
    """Find a position and value every action.

    Raises:
        PitbossError: as ``parse_hint_request`` and ``value_actions``.
    """
    game, terms = request.game, request.terms
    asked = parse_hint_request(game, terms, dict(request.cards), request.taken)
    position, staked = asked.position, asked.terms.stakes
    played = select_played_stakes(game, terms.options, staked)
    ranked = value_actions(game, terms.paytables, terms.options, position, staked)
    choices = tuple(compute_advice(game, each, ranked[0]) for each in ranked)
    best_forms = tuple(select_best_forms(choices))
    seen = format_view_cards(position.view, position.decision, game.deck)
    typed = {name: format_cards(parse_typed_cards(text, game.deck), game.deck) for name, text in request.cards}
    return StudyContent(
        position.decision.question,
        tuple(each.id for each in position.decision.actions),
        name_value_unit(game),
        tuple((name, _order_cards(text, typed.get(name, ""))) for name, text in seen.items()),
        tuple(zip(best_forms, measure_values(best_forms), strict=True)),
        choices,
        asked.as_json(ranked),
        name_valued_wagers(game, played),
        explain_left_out_wagers(game, [bet for bet, stake in staked.items() if stake and bet not in played]),
    )
