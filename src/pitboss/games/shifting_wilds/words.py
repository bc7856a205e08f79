"""What a dealer of Shifting Wilds Poker says of the bonuses: what the hands come to with and without wild cards."""

from pitboss.games.shifting_wilds.rules import FOLDED, Options, State, natural_five, own_indicator, wilds
from pitboss.hands import ROYAL_FIRST, HandTables, evaluate_strength, format_hand, format_showdown


def no_regular_bonus(tables: HandTables, state: State, _options: Options) -> str:
    """Say why the Regular Bonus is lost: by the fold, or in which column what is too little (SW-6)."""
    if state.choice == FOLDED:
        return "folded"
    indicator = own_indicator(state)
    if not wilds(state.player, indicator):
        return "no wild card, and {mine} is less than three of a kind"
    natural = format_hand(evaluate_strength(tables, state.player | state.community | indicator, 0, ROYAL_FIRST))
    return f"natural {natural} is less than three of a kind, and wild {{mine}} less than a flush"


def _natural_fives(tables: HandTables, state: State) -> tuple[int, int]:
    mine = natural_five(tables, state.player, own_indicator(state))
    return mine, natural_five(tables, state.dealer, state.w2)


def natural_showdown(tables: HandTables, state: State, _options: Options) -> str:
    """Say how the hands of the Bad Beat stand (SW-7)."""
    return f"hand and indicator, nothing wild: {format_showdown(*_natural_fives(tables, state))}"


def no_bad_beat(tables: HandTables, state: State, _options: Options) -> str:
    """Say why the Bad Beat is not paid: by the fold, by the dealer, or as the better hand is too little (SW-7)."""
    if state.choice == FOLDED:
        return "folded"
    mine, dealers = _natural_fives(tables, state)
    return "{natural_showdown}" + (", but is less than three of a kind" if mine > dealers else "")
