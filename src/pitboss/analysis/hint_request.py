"""A request for a hint: a game, its terms and a position."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.hints import Hint, compute_hints
from pitboss.analysis.par_sheet import value_as_json
from pitboss.analysis.position import Position, find_position, format_view_cards, verify_card_names
from pitboss.analysis.side_stakes import select_played_stakes
from pitboss.cards import format_cards
from pitboss.cards.typed import parse_typed_cards
from pitboss.contract import Game
from pitboss.core.errors import UnknownNameError, WagerError
from pitboss.core.progress import ProgressCallback


@dataclass(frozen=True, slots=True)
class HintRequest:
    """A position to value, under terms.

    ``terms`` have stakes only of side wagers whose outcome depends on the play.
    """

    game: Game
    terms: GameTerms
    position: Position

    def compute(self, progress: ProgressCallback) -> tuple[Hint, ...]:
        """Compute the value of every legal action, best first (``compute_hints``)."""
        terms = self.terms
        return compute_hints(self.game, terms.paytables, terms.options, self.position, progress, terms.stakes)

    def list_cards(self, hint: Hint) -> list[str]:
        """Return the names of the cards that an action gives up, in the order of a hand."""
        return format_cards(hint.cards, self.game.deck).split()

    def as_json(self, ranked: tuple[Hint, ...]) -> dict[str, Any]:
        """Return the position and the values of its actions as JSON data."""
        decision, best = self.position.decision, ranked[0]
        return {
            "game": self.game.id,
            "decision": decision.id,
            "options": dict(self.terms.options),
            "paytables": {kind: table.id for kind, table in self.terms.paytables.items()},
            "stakes": {bet: float(stake) for bet, stake in self.terms.stakes.items()},
            "seen": format_view_cards(self.position.view, decision, self.game.deck),
            **({"taken": list(self.position.taken)} if self.position.taken else {}),
            "actions": [self._hint_as_json(each) for each in ranked],
            "best": best.action.id,
            **({"best_cards": self.list_cards(best)} if best.action.discards else {}),
        }

    def _hint_as_json(self, hint: Hint) -> dict[str, Any]:
        return {
            "action": hint.action.id,
            **value_as_json(hint.value),
            **({"cards": self.list_cards(hint)} if hint.action.discards else {}),
        }


def parse_hint_request(
    game: Game, terms: GameTerms, cards: Mapping[str, str], taken: tuple[str, ...] = ()
) -> HintRequest:
    """Find the position that the cards seen show; ``cards`` are texts by name.

    ``taken`` are the actions at earlier decisions; give none if they do not matter.

    >>> from pitboss.games import load_game
    >>> from pitboss.options import resolve_options
    >>> from pitboss.paytables import select_paytables
    >>> game = load_game("six-card")
    >>> terms = GameTerms(select_paytables(game), resolve_options(game, {}))
    >>> cards = {"player": "As Kd 9h 7c 4s 2d", "dealer": "Qs Jd 3h"}
    >>> parse_hint_request(game, terms, cards).position.decision.id
    'fold-or-play'

    Raises:
        WagerError: a side wager is staked that does not depend on the play.
        CardError: a word is not a card, or no decision shows these cards.
        UnknownNameError: the game has no action of this name.
        IllegalActionError: the round ends before this decision, or no round reaches it.
    """
    stakes = select_played_stakes(game, terms.options, terms.stakes)
    for bet in terms.stakes.keys() - stakes.keys():
        raise WagerError(f"{bet} does not depend on your play: leave it out", code="not-played-for", bet=bet)
    verify_card_names(game, (name for name, text in cards.items() if text))
    given = {name: parse_typed_cards(text, game.deck) for name, text in cards.items()}
    actions = list(dict.fromkeys(action.id for decision in game.decisions for action in decision.actions))
    for name in taken:
        if name not in actions:
            raise UnknownNameError("action", name, actions)
    position = find_position(game, terms.paytables, terms.options, given, taken or None)
    return HintRequest(game, GameTerms(terms.paytables, terms.options, stakes), position)
