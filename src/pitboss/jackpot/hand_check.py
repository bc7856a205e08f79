"""Whether the cards that are entered with a hand make it, by the game's own rule."""

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
"""So many cards make a hand: a dealer may read out these alone, or all that the seat holds."""


def verify_hand(settings: Settings, hand: str, cards: str) -> None:
    """Check that ``cards``, five at least, make ``hand`` and nothing that pays otherwise; no cards are not checked.

    Raises:
        RefusalError: they are no cards, too few or too many, or make another hand.
    """
    found = _evaluate_hand(settings, cards) if cards else hand
    if found != hand:
        made = found if settings.find_line(found) else "no hand that pays"
        raise RefusalError(f"{cards} make {made}, not {hand}: enter the hand and the cards that lie there")


def find_progressive_game(settings: Settings) -> tuple[Game, Wager] | None:
    """Return the game whose progressive wager wins with the hands of these settings, and that wager; None for none."""
    hands = {line.hand for line in settings.lines}
    for game in load_games().values():
        table = find_progressive_table(select_paytables(game))
        if table and set(table.lines) == hands:
            return game, next(wager for wager in game.wagers if wager.id == table.bet)
    return None


def _evaluate_hand(settings: Settings, cards: str) -> str:
    """Return the outcome of the progressive wager that cards end in."""
    game, wager = find_progressive_game(settings) or (None, None)
    if game is None or wager is None or not isinstance(wager.census, CardSetCensus):
        raise RefusalError(f"no game has a progressive of these hands: enter them without the cards {cards}")
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
            f"cards: {cards} are {len(codes)}: enter the {MIN_HAND_CARDS} that make the hand, or all {most}"
        )
    return make_mask(codes)
