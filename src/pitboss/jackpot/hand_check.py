"""Checks that entered cards make their hand, by the game's own rules."""

from pitboss.builders import display_name
from pitboss.cards import make_mask
from pitboss.cards.typed import parse_typed_cards
from pitboss.censuses import CardSetCensus
from pitboss.contract import Game, Wager
from pitboss.core.errors import CardError, UnknownNameError
from pitboss.games import load_game
from pitboss.hands import load_hand_tables
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import OwedAward
from pitboss.jackpot.settings import Settings
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import find_progressive_table, select_paytables

MIN_HAND_CARDS = 5
"""The cards that make a hand: a dealer may enter only these, or all cards that the seat holds."""


def verify_hand(settings: Settings, hand: str, cards: str) -> None:
    """Check that ``cards`` (at least five) make exactly ``hand``.

    Empty ``cards`` are not checked.

    Raises:
        RefusalError: the cards are malformed, too few or too many, or make another hand.
    """
    outcome = _evaluate_hand(settings, cards) if cards else hand
    if outcome != hand:
        name, actual = display_name(hand), outcome if settings.find_line(outcome) else "no hand that pays"
        raise RefusalError(
            f"{cards} rank as {display_name(actual)}, not as {name}: enter the hand and the cards on the table",
            code="other-hand",
            cards=cards,
            actual=actual,
            hand=hand,
        )


def are_same_cards(cards: str, entered: str) -> bool:
    """Return whether cards are those that were entered.

    A hand button that is pressed again may name none.

    >>> are_same_cards("Ks As", "As Ks"), are_same_cards("", "As Ks"), are_same_cards("As", "")
    (True, True, False)
    """
    return not cards or sorted(cards.split()) == sorted(entered.split())


def verify_cards_apart(cards: str, other: OwedAward) -> None:
    """Check that no card is in another hand of the round.

    A round is dealt from one deck.

    Raises:
        RefusalError: one is.
    """
    for card in sorted(set(cards.split()) & set(other.cards.split())):
        raise RefusalError(
            f"{card} is in the hand of seat {other.seat}, award {other.award}: look at the cards again",
            code="card-used",
            card=card,
            award=other.award,
            seat=other.seat,
        )


def get_progressive_wager(name: str) -> tuple[Game, Wager]:
    """Return the game of this name and its progressive wager.

    Raises:
        RefusalError: there is no such game here, or it has no progressive.
    """
    try:
        game = load_game(name)
    except UnknownNameError as error:
        raise RefusalError.from_error(error) from None
    table = find_progressive_table(select_paytables(game))
    if table is None:
        raise RefusalError(
            f"{game.name} has no progressive: name a game that has one", code="no-progressive", game=game.id
        )
    return game, next(wager for wager in game.wagers if wager.id == table.bet)


def _evaluate_hand(settings: Settings, cards: str) -> str:
    """Return the outcome of the progressive wager for these cards."""
    game, wager = get_progressive_wager(settings.game)
    if not isinstance(wager.census, CardSetCensus):
        raise RefusalError(
            f"the cards {cards} cannot be checked for {wager.name} of {game.name}: enter the hand without cards",
            code="hand-not-checked",
            wager=wager.id,
            game=game.id,
            cards=cards,
        )
    codes = encode_options(game, resolve_options(game, {}))
    hand = _parse_hand_mask(game, cards, wager.census.cards)
    outcome: int = wager.census.outcome(load_hand_tables(), hand, codes)
    return wager.outcomes[outcome].name


def _parse_hand_mask(game: Game, cards: str, most: int) -> int:
    try:
        codes = parse_typed_cards(cards, game.deck)
    except CardError as error:
        raise RefusalError.from_error(error, "cards") from None
    if not MIN_HAND_CARDS <= len(codes) <= most:
        raise RefusalError(
            f"cards: {cards} are {len(codes)} cards: enter the {MIN_HAND_CARDS} that make the hand, or all {most}",
            code="wrong-card-count",
            cards=cards,
            given=len(codes),
            least=MIN_HAND_CARDS,
            most=most,
        )
    return make_mask(codes)
