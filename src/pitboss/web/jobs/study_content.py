"""What the page *Study* shows: the cards seen, and what each action is worth.

A worker finds the position and values it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pitboss.analysis.exact_par_sheet import GameTerms
from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.position import format_view_cards
from pitboss.contract import Game
from pitboss.reports.formatting import name_value_unit
from pitboss.web.jobs.coach import ActionAdvice, compute_advice, select_best_forms
from pitboss.web.jobs.functions import value_actions
from pitboss.web.jobs.spec import STUDIED, JobSpec

MOST_CHOICES = 40
"""The most choices of cards that a page lists."""

_LEAST_PART = 2


class StudyRequest(NamedTuple):
    """A position: the texts of the cards seen by their names, and earlier actions."""

    game: Game
    terms: GameTerms
    cards: tuple[tuple[str, str], ...]
    taken: tuple[str, ...]


class StudyContent(NamedTuple):
    """A valued position.

    ``seen`` are the cards of each name.  ``actions`` has each action once with the part of its bar in hundredths, and
    ``choices`` every choice of cards, or the best of them: ``left_out`` are not listed.  ``data`` is the JSON document
    of ``pitboss hint --json``.
    """

    question: str
    unit: str
    seen: tuple[tuple[str, tuple[str, ...]], ...]
    actions: tuple[tuple[ActionAdvice, int], ...]
    choices: tuple[ActionAdvice, ...]
    left_out: int
    data: dict[str, Any]


def build_study_job(request: StudyRequest) -> JobSpec:
    """Build the job that values a position for a page."""
    tables = tuple(table.id for table in request.terms.paytables.values())
    key = request.game.id, tables, tuple(request.terms.options.items()), request.cards, request.taken
    return JobSpec(STUDIED, key, study_position, (request,))


def study_position(request: StudyRequest) -> StudyContent:
    """Find a position and value every action.

    Raises:
        PitbossError: as ``parse_hint_request`` and ``value_actions``.
    """
    game, terms = request.game, request.terms
    asked = parse_hint_request(game, terms, dict(request.cards), request.taken)
    position = asked.position
    ranked = value_actions(game, terms.paytables, terms.options, position, asked.terms.stakes)
    choices = tuple(compute_advice(game, each, ranked[0]) for each in ranked)
    best_forms = tuple(select_best_forms(choices))
    seen = format_view_cards(position.view, position.decision, game.deck)
    return StudyContent(
        position.decision.question,
        name_value_unit(game),
        tuple((name, tuple(text.split())) for name, text in seen.items()),
        tuple(zip(best_forms, measure_values(best_forms), strict=True)),
        choices[:MOST_CHOICES] if len(choices) > len(best_forms) else (),
        max(0, len(choices) - MOST_CHOICES),
        asked.as_json(ranked),
    )


def measure_values(advice: Sequence[ActionAdvice]) -> list[int]:
    """Return the part of each action's bar in hundredths, from the worst to the best."""
    worst = max(each.cost for each in advice)
    return [max(_LEAST_PART, round(100 * (1 - each.cost / worst))) if worst else 100 for each in advice]
