"""Every legal choice of a position with its exact value, for callers."""

from collections.abc import Mapping, Sequence

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hint_request import parse_hint_request
from pitboss.api.arguments import CardInputs, join_cards
from pitboss.api.choices import ValuedChoice
from pitboss.contract import Game
from pitboss.core.errors import CardError, IllegalActionError, quote
from pitboss.core.progress import ProgressCallback
from pitboss.core.text import verify_text


def value_choices(
    game: Game,
    terms: GameTerms,
    cards: Mapping[str, CardInputs] | None,
    named_cards: Mapping[str, CardInputs],
    decision: str | None,
    taken: Sequence[str],
    progress: ProgressCallback,
) -> list[ValuedChoice]:
    """Value every legal choice, as ``HouseGame.hint`` describes."""
    if not isinstance(cards, Mapping | None):
        raise CardError(
            f"cards are {quote(cards)}: give a mapping, for example {{'player': 'As Kd'}}",
            code="invalid-cards",
            cards=cards,
        )
    seen = {name: join_cards(each, f"the text of {name}") for name, each in {**(cards or {}), **named_cards}.items()}
    if decision is not None:
        verify_text(decision, "the id of a decision", IllegalActionError)
    if not isinstance(taken, list | tuple) or not all(isinstance(each, str) for each in taken):
        raise IllegalActionError(
            f"taken is {quote(taken)}: give the ids of actions, for example ['check']",
            code="invalid-actions",
            value=taken,
        )
    request = parse_hint_request(game, terms, seen, tuple(taken))
    if decision not in (None, request.position.decision.id):
        raise IllegalActionError(
            f"these cards belong to the decision {request.position.decision.id}, not to {quote(decision)}",
            code="other-decision",
            decision=request.position.decision.id,
        )
    ranked = request.compute(progress)
    best = ranked[0].value
    return [
        ValuedChoice(
            each.action.id,
            tuple(request.list_cards(each)) if each.action.discards else (),
            each.value,
            best - each.value,
        )
        for each in ranked
    ]
