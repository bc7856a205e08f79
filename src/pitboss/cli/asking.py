"""Questions in a terminal or through a pipe: one line in, checked, asked again when it is wrong."""

from collections.abc import Callable
from typing import TypeVar

from rich.console import Console

from pitboss.cards import format_card
from pitboss.cli.drawing import circle_name
from pitboss.contract import Action, Game, Place, Wager
from pitboss.core.errors import IllegalActionError, PitbossError, WagerError
from pitboss.core.money import format_cents, parse_cents
from pitboss.table.domain import Round, Stake

Answer = TypeVar("Answer")


class NoAnswerError(Exception):
    """The player has no more to say: input has ended, or ``q`` was typed."""


def ask(console: Console, question: str, read: Callable[[str], Answer]) -> Answer:
    """Ask until ``read`` accepts the answer; what it raises is told in a line.

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
            raise NoAnswerError
        try:
            return read(answer)
        except PitbossError as error:
            console.print(f"  {error}", style="red", markup=False)


def ask_action(console: Console, now: Round, purse_cents: int) -> tuple[str, tuple[int, ...]]:
    """Ask the seat whose turn it is for a legal action that ``purse_cents`` can pay, and for the cards it gives up."""
    if now.turn is None:
        message = "nobody has anything to decide"
        raise IllegalActionError(message)
    seat, decision = now.turn
    legal = now.legal_actions()
    who = "" if now.seats == 1 else f"p{seat + 1}: "
    words = ", ".join(_described(action) for action in legal)
    question = f"{who}{now.game.decisions[decision].question} [{words}] "

    def read(answer: str) -> tuple[str, tuple[int, ...]]:
        word, _, rest = answer.replace(",", " ").partition(" ")
        action = _meant(word, legal)
        cards = _cards(rest, now.game)
        cost_cents = now.verify_decide(seat, action, cards).stake * now.stake_cents(seat, "main")
        if cost_cents > purse_cents:
            raise WagerError(f"{action} takes {format_cents(cost_cents)} more, and {format_cents(purse_cents)} is left")
        return action, cards

    return ask(console, question, read)


def _described(action: Action) -> str:
    return f"{action.id} CARD" + "S" * (action.gives > 1) if action.gives else action.id


def _meant(word: str, legal: tuple[Action, ...]) -> str:
    """Return the legal action a word begins; ``f`` is enough for fold where nothing else begins so."""
    begun = [action.id for action in legal if word and action.id.startswith(word.lower())]
    if word.lower() in (action.id for action in legal):
        return word.lower()
    if len(begun) != 1:
        message = f"{word!r} is no answer: type one of {', '.join(action.id for action in legal)}"
        raise IllegalActionError(message)
    return begun[0]


def _cards(text: str, game: Game) -> tuple[int, ...]:
    names = {format_card(card, game.deck).lower(): card for card in game.deck.cards}
    for word in text.split():
        if word.lower() not in names:
            message = f"{word!r} is no card: write it as it is shown, as Td"
            raise IllegalActionError(message)
    return tuple(names[word.lower()] for word in text.split())


def ask_stakes(console: Console, now: Round, before: dict[tuple[int, str, int | None], int]) -> Round:
    """Ask every seat for its wagers; Enter stakes as ``before``, 0 nothing.  Returns the round with the stakes."""
    for seat in range(now.seats):
        for wager in now.game.wagers:
            if now.status_of(wager) == "off":
                continue
            others = (
                [other for other in range(now.seats) if other != seat] if wager.place is Place.OTHER_SEAT else [None]
            )
            for on in others:
                now = _ask_stake(console, now, wager, Stake(seat, wager.id, before.get((seat, wager.id, on), 0), on))
    return now


def _ask_stake(console: Console, now: Round, wager: Wager, usual: Stake) -> Round:
    mandatory = now.status_of(wager) == "mandatory"
    low = now.limits[wager.id].minimum_cents
    default = usual.cents or (low if mandatory else 0)
    who = "" if now.seats == 1 else f"p{usual.seat + 1}: "
    where = "" if usual.on is None else f" on p{usual.on + 1}"
    name = " and ".join(circle_name(circle, now.game) for circle in wager.circles) or wager.name
    question = f"{who}{name}{where} [{format_cents(default) if default else 'none'}] "

    def read(answer: str) -> Round:
        cents = parse_cents(answer) if answer else default
        if not cents and mandatory:
            message = f"{wager.name} is mandatory: at least {format_cents(low)}"
            raise WagerError(message)
        return now.wager(Stake(usual.seat, wager.id, cents, usual.on)) if cents else now

    return ask(console, question, read)
