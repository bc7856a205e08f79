"""Checks that the cards entered with a hand make that hand, by the game's own rules."""

from pitboss.cards import make_mask, parse_cards
from pitboss.contract import CardSetCensus, Game, Wager
from pitboss.core.errors import CardError
from pitboss.games import load_games
from pitboss.hands import load_hand_tables
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.settings import Settings
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import find_progressive_table, select_paytables

MIN_HAND_CARDS = 5
"""The cards that make a hand: a dealer may enter only these, or all cards that the seat holds."""


def verify_hand(settings: Settings, hand: str, cards: str) -> None:
    """Check that ``cards`` (at least five) make exactly ``hand``; empty ``cards`` are not checked.

    Raises:
        RefusalError: the cards are malformed, too few or too many, or make another hand.
    """
    outcome = _evaluate_hand(settings, cards) if cards else hand
    if outcome != hand:
        actual = outcome if settings.find_line(outcome) else "no hand that pays"
        raise RefusalError(f"{cards} make {actual}, not {hand}: enter the hand and the cards on the table")


def find_progressive_game(settings: Settings) -> tuple[Game, Wager] | None:
    """Return the game and progressive wager whose hands are those of these settings, or None."""
    hands = {line.hand for line in settings.lines}
    for game in load_games().values():
        table = find_progressive_table(select_paytables(game))
        if table and set(table.lines) == hands:
            return game, next(wager for wager in game.wagers if wager.id == table.bet)
    return None


def _evaluate_hand(settings: Settings, cards: str) -> str:
    """Return the outcome of the progressive wager for these cards."""
    game, wager = find_progressive_game(settings) or (None, None)
    if game is None or wager is None or not isinstance(wager.census, CardSetCensus):
        raise RefusalError(f"no game has a progressive with these hands: enter the hand without the cards {cards}")
    codes = encode_options(game, resolve_options(game, {}))
    return wager.outcomes[
        wager.census.outcome(load_hand_tables(), _parse_hand_mask(game, cards, wager.census.cards), codes)
    ].name


def _parse_hand_mask(game: Game, cards: str, most: int) -> int:
    try:
        codes = parse_cards(cards, game.deck)
    except CardError as error:
        raise RefusalError(f"cards: {error}") from None
    if not MIN_HAND_CARDS <= len(codes) <= most:
        raise RefusalError(
            f"cards: {cards} are {len(codes)} cards: enter the {MIN_HAND_CARDS} that make the hand, or all {most}"
        )
    return make_mask(codes)
