"""What is said beside a circle: why this one, of this hand, won, lost, pushed or was paid."""

import pytest

from pitboss.cards import seeded_bits
from pitboss.games import load_games
from pitboss.hands import HIGH_CARD, PAIR, format_hand, format_showdown, pack_strength
from pitboss.table.round import Round, Stake, WagerSettled, open_round
from pitboss.table.round.history import parse_history, replay_history
from pitboss.table.training.rounds import deal_training_round


def reasons(history: str) -> dict[str, str]:
    """Return what is said beside each circle of seat 1."""
    return said(replay_history(parse_history(history)))


def said(played: Round, seat: int = 0) -> dict[str, str]:
    """Return what is said beside each circle of a seat."""
    settled = (event for event in played.events if isinstance(event, WagerSettled) and event.seat == seat)
    return {leg.circle: leg.reason for event in settled for leg in event.legs}


def a_round(game: str, *actions: str, options: str = "", **wagers: int) -> dict[str, str]:
    """Return what is said beside each circle of a round of one seat."""
    placed = "".join(
        f'[[_wagers]]\nseat = 1\nbet = "{bet.replace("_", "-")}"\ncents = {cents}\n' for bet, cents in wagers.items()
    )
    return reasons(
        f'variant = "{game}"\nantes = [1000]\nactions = {list(actions)!r}\n_options = {{ {options} }}\n{placed}'
    )


@pytest.mark.parametrize(
    ("ranks", "others", "told"),
    [
        (
            (PAIR, 7, 7, 14, 5, 2),
            (PAIR, 7, 7, 13, 5, 2),
            ("pair of sevens, ace kicker,", "pair of sevens, king kicker"),
        ),
        (
            (HIGH_CARD, 14, 13, 9, 5, 2),
            (HIGH_CARD, 14, 13, 9, 4, 2),
            ("ace-king-nine-five high", "ace-king-nine-four high"),
        ),
        ((PAIR, 8, 8, 4, 3, 2), (PAIR, 7, 7, 13, 5, 2), ("pair of eights", "pair of sevens")),
    ],
)
def test_hands_of_one_name_are_told_apart_by_what_decides(
    ranks: tuple[int, ...], others: tuple[int, ...], told: tuple[str, str]
) -> None:
    better, worse = pack_strength(*ranks), pack_strength(*others)
    assert format_showdown(better, worse) == f"{told[0]} beats the dealer's {told[1]}"
    assert format_showdown(worse, better) == f"the dealer's {told[0]} beats {told[1]}"


def test_a_tie_names_the_whole_hand_of_both() -> None:
    assert (
        format_showdown(*[pack_strength(PAIR, 7, 7, 14, 5, 2)] * 2)
        == "both have pair of sevens, ace-five-deuce kickers"
    )
    assert format_hand(pack_strength(PAIR, 7, 7, 14, 5, 2)) == "pair of sevens"


# Six Card.

_ACES, _KINGS = "AsAd9c7d5h2s", "KsKd9h8h5d2h"


@pytest.mark.parametrize(
    ("mine", "dealers", "why"),
    [
        (_KINGS, _ACES, "pair of kings: the player is below a pair of aces"),
        (_ACES, _KINGS, "dealer has pair of kings, below a pair of aces"),
        ("QsQd9c7d5h2s", _KINGS, "neither hand is a pair of aces or better"),
        (_ACES, "AhAc9h7h5d2h", "a tie: neither hand is beaten"),
        (
            _ACES,
            "AhAcTc8d5s3s",
            "the dealer's pair of aces, ten kicker, beats pair of aces, nine kicker: the losing hand is paid",
        ),
    ],
)
def test_a_bad_beat_says_which_hand_was_too_little(mine: str, dealers: str, why: str) -> None:
    told = a_round("six-card", f"d dh p1 {mine}", f"d dh dealer {dealers}", "p1 play", bad_beat=500)
    assert told["bad-beat"] == why


def test_a_folded_hand_is_named_where_it_is_turned_up_to_settle_a_wager() -> None:
    laid = (f"d dh p1 {_KINGS}", f"d dh dealer {_ACES}", "p1 f")
    told = a_round("six-card", *laid, aces_up=500, bad_beat=500, progressive=100)
    assert told["ante"] == "folded"
    named = {bet: why.partition(": ") for bet, why in told.items() if bet != "ante"}
    assert {bet: what for bet, (_, _, what) in named.items()} == {
        "aces-up": "less than a pair of aces",
        "bad-beat": "the player is below a pair of aces",
        "progressive": "less than a straight",
    }
    assert len({hand for hand, _, _ in named.values()}) == 1


# Wild 52.


@pytest.mark.parametrize(
    ("mine", "dealers", "acts", "options", "why"),
    [
        ("KsKd9h8h5d", "As7d6h4c3s", "play cc", "", "no Joker in hand or in the community cards"),
        ("KsKd9h8h5d", "As7d6h4cJk", "play cc", "", "the dealer has the Joker"),
        ("KsKd9h8h5d", "As7d6h4cJk", "f", "", "the dealer has the Joker"),
        ("KsKd9h8h5d", "As7d6h4cJk", "f", 'bonus_after_fold = "off"', "folded"),
        ("KsKd9h8hJk", "As7d6h4c3s", "play cc", "", "Joker in hand"),
    ],
)
def test_the_joker_wager_says_where_the_joker_is(mine: str, dealers: str, acts: str, options: str, why: str) -> None:
    laid = (f"d dh p1 {mine}", f"d dh dealer {dealers}", "d db 2c2d", *(f"p1 {act}" for act in acts.split()))
    assert a_round("wild-52", *laid, options=options, joker=500)["joker"] == why


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (
            "compare",
            (
                "dealer does not qualify, the Ante is still compared: "
                "two pair, kings and deuces, beats the dealer's pair of deuces"
            ),
        ),
        ("win", "dealer does not qualify: pair of deuces, below pair of fives: the Ante wins"),
        ("push", "dealer does not qualify: pair of deuces, below pair of fives: the Ante pushes"),
    ],
)
def test_the_ante_says_what_the_house_does_with_it_when_the_dealer_does_not_qualify(value: str, why: str) -> None:
    laid = ("d dh p1 KsKd9h8h5d", "d dh dealer AsTd6h4c3s", "d db 2c2d", "p1 play", "p1 cc")
    told = a_round("wild-52", *laid, options=f'ante_when_unqualified = "{value}"', bonus=500)
    assert told == {
        "ante": why,
        "play": "dealer does not qualify: pair of deuces, below pair of fives",
        "bonus": "two pair, kings and deuces: less than a straight",
    }


# Shifting Wilds.


@pytest.mark.parametrize(
    ("mine", "acts", "bonus", "bad_beat"),
    [
        (
            "KsKd9h8h",
            "lock",
            "no wild card, and pair of kings is less than three of a kind",
            (
                "with nothing wild and no community cards, pair of kings beats the dealer's ace-queen high, "
                "but only three of a kind or better is paid"
            ),
        ),
        (
            "4sKd9h8h",
            "lock",
            "natural pair of fours is less than three of a kind, and wild straight, ten high is less than a flush",
            (
                "with nothing wild and no community cards, pair of fours beats the dealer's ace-queen high, "
                "but only three of a kind or better is paid"
            ),
        ),
        (
            "2sKd9h8h",
            "lock",
            "no wild card, and king-ten high is less than three of a kind",
            (
                "with nothing wild and no community cards, the dealer's ace-queen high beats king-nine high; "
                "only three of a kind or better that beats the dealer is paid"
            ),
        ),
        ("KsKd9h8h", "cc f", "folded", "folded"),
        (
            "4s4d9h8h",
            "lock",
            (
                "natural three of a kind "
                "(natural three of a kind, fours; wild straight, queen high: the hand that pays more is paid)"
            ),
            "with nothing wild and no community cards, three of a kind, fours, beats the dealer's ace-queen high",
        ),
    ],
)
def test_the_bonuses_of_shifting_wilds_say_what_was_too_little(mine: str, acts: str, bonus: str, bad_beat: str) -> None:
    deal = ("d w1 4c", "d w2 3h", "d db 6dTs", f"d dh p1 {mine}", "d dh dealer AsQd8c7d")
    told = a_round("shifting-wilds", *deal, *(f"p1 {act}" for act in acts.split()), regular_bonus=500, bad_beat=500)
    assert (told["regular-bonus"], told["bad-beat"]) == (bonus, bad_beat)


# Wild Six.


def test_the_tax_and_the_draw_bonus_name_the_cards_they_look_at() -> None:
    laid = ("d dh p1 QsQd9h8h5d", "d dh dealer KsJd6h4c3s", "p1 sd 5d", "d dh p1 2c", "d dh dealer 2d")
    told = a_round("wild-six-card", *laid, queens_or_better=500, taxpayers_fortune=100, draw_bonus=500)
    assert told == {
        "queens-or-better": "pair of queens or better",
        "poker": "pair of queens beats the dealer's king-jack high",
        "draw-bonus": "all six cards: pair of queens, less than two pair",
        "tax": "tax on pair of queens",
        "taxpayers-fortune": "no paying six-card hand, the dollar is returned",
    }


@pytest.mark.parametrize(
    ("mine", "acts", "more", "why"),
    [
        ("Ts6s5h7c4h", ("p1 sd 4h", "d dh p1 8s"), "", "straight with the discarded 4h"),
        ("Ts6s5h7c4h", ("p1 sd Ts", "d dh p1 8s"), "", "straight"),
        ("Jk1Ts6s5h4h", ("p1 sd Jk1", "d dh p1 Td"), "", "three of a kind with the discarded Jk1"),
        ("Ts6s5h5c4h", ("p1 sd", "d dh p1 6d"), 'stand_pat = "on"', "two pair with the drawn 6d"),
    ],
)
def test_the_draw_bonus_names_a_card_outside_the_hand_that_it_needs(
    mine: str, acts: tuple[str, ...], more: str, why: str
) -> None:
    laid = (f"d dh p1 {mine}", "d dh dealer KsJd6h4c3s", *acts, "d dh dealer 2d")
    assert a_round("wild-six-card", *laid, options=more, draw_bonus=500)["draw-bonus"] == why


# Lunar.


@pytest.mark.parametrize(
    ("dealers", "more", "ante", "bet"),
    [
        (
            "AsKd6h4c3s",
            (),
            "a qualified dealer is beaten: the Bet is paid, the Ante pushes",
            "pair of kings beats the dealer's ace-king high: paid on pair",
        ),
        ("AsAd6h4c3s", (), *["the dealer's pair of aces beats pair of kings"] * 2),
        (
            "AsQd6h4c3s",
            ("p1 take-ante",),
            "dealer does not qualify: ace-queen high, below ace-king",
            "the Ante is taken: the Bet is returned",
        ),
        (
            "AsQd6h4c3s",
            ("p1 force", "d dh dealer 2d"),
            *["after Force the dealer does not qualify: queen-six high, below ace-king"] * 2,
        ),
    ],
)
def test_lunar_says_of_ante_and_bet_why_each_wins_or_pushes(
    dealers: str, more: tuple[str, ...], ante: str, bet: str
) -> None:
    laid = ("d dh p1 KsKh9h8h5d", f"d dh dealer {dealers}", "p1 play", *more)
    told = a_round("lunar", *laid, super=1000)
    assert (told["ante"], told["bet"]) == (ante, bet)


@pytest.mark.parametrize("game", load_games())
def test_no_reason_of_any_game_leaves_the_cause_open(game: str) -> None:
    for seed in range(6):
        for event in deal_training_round(open_round(load_games()[game], 3), seeded_bits(seed)).events:
            for leg in event.legs if isinstance(event, WagerSettled) else ():
                assert leg.reason.strip()
                assert not set("{}") & set(leg.reason)
                assert "or folded" not in leg.reason


def test_a_game_without_words_of_its_own_may_say_what_it_has_written() -> None:
    now = (
        open_round(load_games()["six-card"])
        .place_wager(Stake(0, "main", 1000))
        .deal(load_games()["six-card"].deck.cards)
    )
    assert said(now.decide(0, "fold")) == {"ante": "folded"}
