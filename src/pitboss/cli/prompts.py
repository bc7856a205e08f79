"""Questions in a terminal or through a pipe.

Each reads one line, checks it, and asks again if it is wrong.
"""

from collections.abc import Callable
from typing import TypeVar

from rich.console import Console

from pitboss.cards.typed import parse_typed_cards, separate_cards
from pitboss.contract import Action
from pitboss.core.errors import IllegalActionError, PitbossError, WagerError, quote
from pitboss.core.joined_words import join_words
from pitboss.core.money import format_cents
from pitboss.table.round import Round

Parsed = TypeVar("Parsed")


class NoAnswerError(Exception):
    """There are no more answers: input has ended, or the player ``left`` with ``q``."""

    def __init__(self, *, left: bool = False) -> None:
        """Take whether the player left."""
        super().__init__()
        self.left = left


def ask(console: Console, question: str, parse: Callable[[str], Parsed]) -> Parsed:
    """Ask until ``parse`` accepts the answer; print what it raises in one line.

    Raises:
        NoAnswerError: input has ended, or the answer is q.
    """
    while True:
        try:
            answer = console.input(question, markup=False).strip()
        except (EOFError, RuntimeError):  # the latter where standard input is closed
            console.print()
            raise NoAnswerError from None
        if not console.is_terminal:
            console.print(answer, markup=False)
        if answer.lower() in ("q", "quit"):
            raise NoAnswerError(left=True)
        try:
            return parse(answer)
        except PitbossError as error:
            console.print(f"  {error}", style="red", markup=False)


def ask_action(console: Console, game_round: Round, available_cents: int) -> tuple[str, tuple[int, ...]]:
    """Ask the seat in turn for a legal action and the cards it gives up.

    ``available_cents`` must cover the action.
    """
    if game_round.turn is None:
        message = "no seat has a decision to make"
        raise IllegalActionError(message, code="no-decision")
    seat, decision = game_round.turn
    legal = game_round.list_legal_actions()
    who = "" if game_round.seats == 1 else f"Seat {seat + 1}: "
    words = ", ".join(_describe_action(action) for action in legal)
    question = f"{who}{game_round.game.decisions[decision].question} [{words}] "

    def read(answer: str) -> tuple[str, tuple[int, ...]]:
        word, _, rest = separate_cards(answer).partition(" ")
        action = _match_action(word, legal)
        cards = parse_typed_cards(rest, game_round.game.deck)
        cost_cents = game_round.verify_action(seat, action, cards).stake * game_round.get_stake_cents(seat, "main")
        if cost_cents > available_cents:
            raise WagerError(
                f"{action} costs {format_cents(cost_cents)} more, but only {format_cents(available_cents)} is left",
                code="above-bankroll",
                action=action,
                cost_cents=cost_cents,
                available_cents=available_cents,
            )
        return action, cards

    return ask(console, question, read)


def _describe_action(action: Action) -> str:
    return f"{action.id} CARD" + "S" * (action.discards > 1) if action.discards else action.id


def _match_action(word: str, legal: tuple[Action, ...]) -> str:
    """Return the legal action that starts with a word.

    ``f`` means fold if no other action starts with f.
    """
    matches = [action.id for action in legal if word and action.id.startswith(word.lower())]
    if word.lower() in (action.id for action in legal):
        return word.lower()
    if len(matches) != 1:
        choices = join_words((_describe_action(action) for action in legal), "or")
        message = f"{quote(word)} is not an action here: type {choices}" if word else f"type {choices}"
        raise IllegalActionError(message, code="unknown-action", word=word)
    return matches[0]
