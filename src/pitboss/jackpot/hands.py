"""Whether the cards that are entered with a hand make it, by the game's own rule."""

from pitboss.cards import mask_of, parse_cards
from pitboss.contract import EverySet, Game
from pitboss.core.errors import CardError
from pitboss.games import games
from pitboss.hands import hand_tables
from pitboss.jackpot.refusal import RefusalError
from pitboss.jackpot.settings import Settings
from pitboss.options import option_codes, option_values
from pitboss.paytables import choose, progressive_table

FIVE = 5
"""So many cards make a hand: a dealer may read out these alone, or all that the seat holds."""


def verify_hand(settings: Settings, hand: str, cards: str) -> None:
    """Check that ``cards``, five at least, make ``hand`` and nothing that pays otherwise; no cards are not checked.

    Raises:
        RefusalError: they are no cards, too few or too many, or make another hand.
    """
    found = _made_by(settings, cards) if cards else hand
    if found != hand:
        made = found if settings.line_of(found) else "no hand that pays"
        raise RefusalError(f"{cards} make {made}, not {hand}: enter the hand and the cards that lie there")


def _made_by(settings: Settings, cards: str) -> str:
    """Return the outcome of the progressive wager that cards end in."""
    for game in games().values():
        table = progressive_table(choose(game))
        wager = next((each for each in game.wagers if table and each.id == table.bet), None)
        if wager is None or not isinstance(wager.census, EverySet):
            continue
        names = [outcome.name for outcome in wager.outcomes]
        if {line.hand for line in settings.lines} <= set(names):
            mask = _mask(game, cards, wager.census.cards)
            return names[wager.census.outcome(hand_tables(), mask, option_codes(game, option_values(game, {})))]
    raise RefusalError(f"no game has a progressive of these hands: enter them without the cards {cards}")


def _mask(game: Game, cards: str, most: int) -> int:
    try:
        codes = parse_cards(cards, game.deck)
    except CardError as error:
        raise RefusalError(f"cards: {error}") from None
    if not FIVE <= len(codes) <= most:
        raise RefusalError(f"cards: {cards} are {len(codes)}: enter the {FIVE} that make the hand, or all {most}")
    return mask_of(codes)
