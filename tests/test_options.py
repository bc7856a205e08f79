"""Options: parsing, checking, and encoding for the rules."""

import pytest

from pitboss.core.errors import OptionError, PitbossError, UnknownNameError
from pitboss.games import load_game, load_games
from pitboss.hands import HIGH_CARD, PAIR, pack_lowest_strength
from pitboss.options import encode_options, parse_options, resolve_options

SIX_CARD = load_game("six-card")


def test_what_is_not_chosen_has_its_default() -> None:
    values = resolve_options(SIX_CARD, {"award_order": "split"})
    assert values["award_order"] == "split"
    assert values["dealer_qualifies"] == "ace-king"
    assert list(values) == [option.name for option in SIX_CARD.options]


def test_options_are_read_as_name_and_value() -> None:
    values = parse_options(SIX_CARD, ["dealer_qualifies=pair-of-5", "award_rounding=dollar"])
    assert (values["dealer_qualifies"], values["award_rounding"]) == ("pair-of-5", "dollar")
    assert parse_options(SIX_CARD, ["dealer_qualifies=pair-of-10"])["dealer_qualifies"] == "pair-of-T"


def test_values_become_the_codes_of_the_rules() -> None:
    codes = encode_options(SIX_CARD, resolve_options(SIX_CARD, {"award_order": "split"}))
    assert codes == (pack_lowest_strength(HIGH_CARD, 14, 13), 1, 1, 0, 0)
    codes = encode_options(SIX_CARD, resolve_options(SIX_CARD, {"dealer_qualifies": "pair-of-A"}))
    assert codes.dealer_qualifies == pack_lowest_strength(PAIR, 14)


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["dealer"], OptionError, "'dealer' is not an option: write NAME=VALUE"),
        (["award_order=split", "award_order=split"], OptionError, "option award_order is given twice"),
        (["award_order=both"], OptionError, "option award_order has no value 'both': choose sequence, split"),
        (["awardorder=split"], UnknownNameError, "unknown option 'awardorder': did you mean 'award_order'?"),
    ],
)
def test_bad_options_are_refused(words: list[str], error: type[PitbossError], message: str) -> None:
    with pytest.raises(error, match="^" + message.replace("?", r"\?")):
        parse_options(SIX_CARD, words)


def test_every_option_of_every_game_has_a_code_for_each_value_and_a_ruling() -> None:
    for game in load_games().values():
        for option in game.options:
            assert len(option.codes) == len(option.values) == len(set(option.codes))
            assert option.default in option.values
            assert option.ruling
        codes = encode_options(game, resolve_options(game, {}))
        assert codes._fields == tuple(option.name for option in game.options)
