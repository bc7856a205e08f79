"""Six Card Poker, clause by clause, and against rounds settled the slow way."""

from fractions import Fraction

import pytest

from oracle.naive import ORDER, Hand, best_hand
from pitboss import meter
from pitboss.cards import DECK_52, draw_below, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.censuses import HandPairCensus
from pitboss.contract import NO_DECISION, ONE_DOLLAR, UNSETTLED, PayUnit
from pitboss.games import load_game
from pitboss.games.six_card import rules
from pitboss.hands import NO_HAND, PAIR, format_hand, load_hand_tables, pack_lowest_strength
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import load_builtin_paytables, select_paytables

GAME = load_game("six-card")
MAIN, ACES_UP, BAD_BEAT, PROGRESSIVE = GAME.wagers
TABLES = load_hand_tables()
OPTIONS: rules.SixCardOptions = encode_options(GAME, resolve_options(GAME, {}))
FOLD, PLAY = 0, 1

ACE_KING = "Ac Kh Qc 9s 6s 4d"
PAIR_OF_ACES = "As Ad 3c 5h 7s 9d"

# The sheet's tables, typed again from its columns.
COLUMNS = {
    "SCP-01": (500, 100, 30, 9, 8, 7, 4, 2, 1),
    "SCP-02": (500, 100, 30, 10, 8, 6, 4, 2, 1),
    "SCP-03": (500, 100, 30, 9, 8, 6, 4, 2, 1),
    "SCP-04": (500, 100, 30, 9, 7, 6, 4, 2, 1),
    "BB-01": (10_000, 5_000, 500, 200, 100, 35, 10, 9),
    "BB-02": (2_500, 1_000, 500, 200, 100, 35, 10, 9),
    "BB-03": (500, 500, 500, 200, 100, 35, 10, 9),
    "SIXCPP-01": (100, 10, 100, 25, 15, 10),
    "SIXCPP-02": (100, 10, 100, 20, 15, 9),
}
RANKED = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "pair-of-aces",
)


def cards(text: str) -> int:
    """Read a mask."""
    return make_mask(parse_cards(text, DECK_52))


def dealt(player: str, dealer: str = ACE_KING) -> rules.SixCardState:
    """Deal one seat and the dealer."""
    return rules.deal(parse_cards(f"{player} {dealer}", DECK_52), 1, 0, 1)


def ended(player: str, dealer: str, action: int = PLAY) -> rules.SixCardState:
    """Play a whole round of one seat."""
    return rules.show_dealer(rules.act(dealt(player, dealer), 0, action, 0))


def names(state: rules.SixCardState, options: rules.SixCardOptions = OPTIONS) -> tuple[str, ...]:
    """Name the outcomes of the four wagers, "open" where there is none yet."""
    settled = zip(GAME.wagers, rules.settle(TABLES, state, options), strict=True)
    return tuple("open" if index == UNSETTLED else wager.outcomes[index].name for wager, index in settled)


def with_qualifier(value: str) -> rules.SixCardOptions:
    """Return the options with another lowest qualifying hand."""
    codes: rules.SixCardOptions = encode_options(GAME, resolve_options(GAME, {"dealer_qualifies": value}))
    return codes


# The deal and the decision.


def test_whole_hands_are_dealt_by_seat_and_the_dealers_last_with_his_first_three_exposed() -> None:
    deck = list(range(52))
    assert rules.count_dealt(6) == 42
    states = [rules.deal(deck, 3, seat, 1) for seat in range(3)]
    assert [state.player for state in states] == [0b111111 << 6 * seat for seat in range(3)]
    assert {(state.exposed, state.hidden) for state in states} == {(0b111 << 18, 0b111 << 21)}


def test_a_seat_sees_three_of_the_dealers_cards_until_he_opens() -> None:
    state = dealt(PAIR_OF_ACES)
    assert rules.view(state) == rules.SixCardView(cards(PAIR_OF_ACES), cards("Ac Kh Qc"))
    assert rules.view(rules.show_dealer(state)).dealer == cards(ACE_KING)


def test_the_dealers_strength_is_known_once_he_has_opened() -> None:
    state = dealt(PAIR_OF_ACES)
    known, unknown = rules.evaluate_hands(TABLES, state, OPTIONS)
    assert (format_hand(known), unknown) == ("pair of aces", NO_HAND)
    assert [format_hand(made) for made in rules.evaluate_hands(TABLES, rules.show_dealer(state), OPTIONS)] == [
        "pair of aces",
        "ace-king high",
    ]


def test_a_seat_is_asked_once_to_fold_or_to_play_for_one_ante_more() -> None:
    state = dealt(PAIR_OF_ACES)
    assert rules.next_decision(TABLES, state, OPTIONS) == 0
    assert rules.legal_actions(TABLES, rules.view(state), 0, 40, OPTIONS) == 1 << FOLD | 1 << PLAY
    assert [(action.id, action.stake) for action in GAME.decisions[0].actions] == [("fold", 0), ("play", 1)]
    for action in (FOLD, PLAY):
        assert rules.next_decision(TABLES, rules.act(state, 0, action, 0), OPTIONS) == NO_DECISION
    assert GAME.decisions[0].timeout_action == "fold"


# Ante and Play.


@pytest.mark.parametrize(
    ("dealer", "result"),
    [
        ("Ac Kh 7c 5s 3s 2d", "play-win-qualified"),
        ("Ac Qh Jc 9s 8s 2d", "play-win-not-qualified"),
        ("2c 2h 4c 6s 8s Td", "play-win-qualified"),
        ("Kc Qh Jc 9s 8s 2d", "play-win-not-qualified"),
        ("7c 7h 7d 5s 3s 2d", "play-lose-qualified"),
    ],
)
def test_the_dealer_qualifies_with_ace_king(dealer: str, result: str) -> None:
    assert names(ended("Ks Kd 3c 5h 7s 9d", dealer))[0] == result


def test_the_play_bet_is_compared_with_a_dealer_who_does_not_qualify() -> None:
    dealer = "Kd Jc 9h 7s 5d 3c"
    results = [
        names(ended(player, dealer))[0] for player in ("2h 2d 6c 8s Th Qd", "Ks Jd 9c 7d 5s 2c", "Qs Ts 8c 6h 4d 3d")
    ]
    assert results == ["play-win-not-qualified", "play-tie-not-qualified", "play-lose-not-qualified"]
    nets = [
        compute_outcome_net(outcome, select_paytables(GAME), 1000)
        for name in results
        for outcome in MAIN.outcomes
        if outcome.name == name
    ]
    assert nets == [1000, 0, -1000]


@pytest.mark.parametrize(
    ("value", "dealer", "qualified"),
    [
        ("always", "7c 5h 4c 3s 2s 8d", True),
        ("pair-of-2", "Ac Kh Qc 9s 6s 4d", False),
        ("pair-of-2", "2c 2h 4c 6s 8s Qd", True),
        ("pair-of-5", "4c 4h As Kd 9s 7d", False),
        ("pair-of-5", "5c 5h 2s 3d 9s 7d", True),
        ("pair-of-A", "Kc Kh As Jd 9s 7d", False),
        ("pair-of-A", "Ac Ah 2s 4d 9s 7d", True),
        ("pair-of-A", "2c 2h 3s 3d 9s 7d", True),
    ],
)
def test_the_house_may_ask_another_hand_of_the_dealer(value: str, dealer: str, *, qualified: bool) -> None:
    ending = names(ended("Ts Td 3c 5d 8h Jh", dealer), with_qualifier(value))[0]
    assert ending.endswith("-not-qualified") != qualified


def test_both_sides_use_the_best_five_of_six() -> None:
    # Two pair with a king beat two pair with a queen; the third pair of the dealer is no help.
    assert names(ended("9s 9h 4d 4c Kd 3d", "9c 9d 4h 4s 2h 2c"))[0] == "play-win-qualified"
    assert names(ended("9s 9h 4d 4c 2d 2s", "9c 9d 4h 4s 2h 3c"))[0] == "play-lose-qualified"


def test_suits_never_break_a_tie() -> None:
    assert names(ended("As Ks Qs Js 9s 2h", "Ad Kd Qd Jd 9d 3h"))[0] == "play-tie-qualified"


# The fold and the side wagers.


def test_a_fold_settles_ante_and_aces_up_at_once_and_leaves_bad_beat_and_progressive_open() -> None:
    folded = rules.act(dealt(PAIR_OF_ACES, "Kc Kd 4s 4h 2c 8d"), 0, FOLD, 0)
    assert names(folded) == ("fold", "pair-of-aces", "open", "open")
    assert names(rules.show_dealer(folded)) == ("fold", "pair-of-aces", "pair-of-aces", "lose")


def test_nothing_is_decided_before_the_seat_has_acted_or_the_dealer_opens() -> None:
    state = dealt(PAIR_OF_ACES)
    assert names(state) == names(rules.act(state, 0, PLAY, 0)) == ("open",) * 4


@pytest.mark.parametrize(
    ("player", "line"),
    [
        ("As Ks Qs Js Ts 9s", "royal-flush"),
        ("9s Ks Qs Js Ts 2d", "straight-flush"),
        ("As 2s 3s 4s 5s Kd", "straight-flush"),
        ("7s 7h 7d 7c 2s 2h", "four-of-a-kind"),
        ("7s 7h 7d 2c 2s 2h", "full-house"),
        ("2s 5s 9s Js Ks 2h", "flush"),
        ("As 2h 3d 4c 5s 5h", "straight"),
        ("7s 7h 7d 2c 9s Kh", "three-of-a-kind"),
        ("7s 7h 2d 2c 9s 9h", "two-pair"),
        ("As Ah 2d 5c 9s Jh", "pair-of-aces"),
        ("Ks Kh Ad Qc 9s Jh", "lose"),
        ("As Kh Qd Jc 9s 8h", "lose"),
    ],
)
def test_aces_up_and_progressive_pay_the_players_own_best_five(player: str, line: str) -> None:
    fixed = RANKED[:6]
    for action in (FOLD, PLAY):
        settled = names(ended(player, "2d 3h 5c 6c 8c Td" if "2d" not in player else "4h 3h 5d 6c 8c Td", action))
        assert settled[1] == line
        assert settled[3] == (line if line in fixed else "lose")


@pytest.mark.parametrize(
    ("player", "dealer", "line"),
    [
        ("4s 5s 6s 7s 8s Kd", "9c Tc Jc Qc Kc 2s", "straight-flush"),
        ("7s 7h 7d 7c 2s 3h", "8s 8h 8d 8c 2d 3d", "four-of-a-kind"),
        ("7s 7h 7d 2c 2s 3h", "8s 8h 8d 8c 2d 3d", "full-house"),
        ("2s 5s 9s Js Ks 2h", "8s 8h 8d 8c 2d 3d", "flush"),
        ("5h 6d 7c 8s 9s 2s", "Kh Jh 8h 4h 3h As", "straight"),
        ("Qs Qd Qc 3d 6c Td", "5h 6d 7c 8s 9s 2s", "three-of-a-kind"),
        ("7s 7h 2d 2c 9s Kh", "Qs Qd Qc 3d 6c Td", "two-pair"),
        ("As Ah 2d 5c 9s Jh", "Ac Ad 2h 5h 9d Kh", "pair-of-aces"),
        ("Ks Kh Ad Qc 9s Jh", "Ac As 2h 5h 9d 6h", "lose"),
        ("Ks Kh Ad Qc 9s Jh", "2c 3h 5h 9d 6h Tc", "lose"),
        ("As Ah 2d 5c 9s Jh", "Ac Ad 2h 5h 9d Jd", "lose"),
        ("As Ks Qs Js Ts 2d", "Ah Kh Qh Jh Th 2c", "lose"),
    ],
)
def test_bad_beat_pays_on_the_losing_hand_whoever_holds_it(player: str, dealer: str, line: str) -> None:
    for one, other in ((player, dealer), (dealer, player)):
        assert {names(ended(one, other, action))[2] for action in (FOLD, PLAY)} == {line}


def test_bad_beat_depends_on_nothing_but_the_weaker_hand_as_its_census_needs() -> None:
    census = BAD_BEAT.census
    assert isinstance(census, HandPairCensus)
    strengths = sorted({pack_lowest_strength(made, rank) for made in range(11) for rank in range(2, 15)})
    for weaker in strengths:
        stronger = {census.outcome(weaker, other, OPTIONS) for other in strengths if other > weaker}
        assert len(stronger) <= 1
        assert census.outcome(weaker, weaker, OPTIONS) == census.default_outcome
        if weaker < census.lowest_strength:
            assert stronger == {census.default_outcome}
    assert census.lowest_strength == pack_lowest_strength(PAIR, 14)


# Pay tables.


def test_every_cell_of_the_sheet_is_in_the_pay_tables() -> None:
    tables = load_builtin_paytables(GAME)
    assert {table.id: tuple(pay.amount for pay in table.lines.values()) for table in tables} == COLUMNS
    printed = {ACES_UP.id: RANKED, BAD_BEAT.id: RANKED[1:], PROGRESSIVE.id: RANKED[:6]}
    assert all(tuple(table.lines) == printed[table.bet] for table in tables)
    assert [table.id for table in tables if table.default] == ["SCP-01", "BB-01", "SIXCPP-01"]


def test_aces_up_and_bad_beat_pay_to_one_and_the_progressive_for_one_and_in_percent() -> None:
    units = {table.id: [pay.unit for pay in table.lines.values()] for table in load_builtin_paytables(GAME)}
    progressive = [PayUnit.PERCENT_OF_METER] * 2 + [PayUnit.FOR_ONE] * 4
    for table, found in units.items():
        assert found == (progressive if table.startswith("SIX") else [PayUnit.TO_ONE] * len(COLUMNS[table]))


def test_the_garbled_straight_is_read_as_10_for_1_and_the_sheets_text_kept() -> None:
    straight = select_paytables(GAME)["progressive"].lines["straight"]
    assert (straight.amount, straight.unit, straight.ruling) == (Fraction(10), PayUnit.FOR_ONE, "SC-3")
    assert straight.sheet_text == "100 to 1 / 9 for 1"
    outcome = PROGRESSIVE.outcomes[rules.settle_progressive(TABLES, cards("4s 5h 6d 7c 8s 2d"), OPTIONS)]
    assert compute_outcome_net(outcome, select_paytables(GAME), 100) == 900


def test_seed_rates_and_envy_are_data_and_the_presets_are_marked_as_ours() -> None:
    found = {}
    for table in load_builtin_paytables(GAME):
        if table.progressive is not None:
            preset = table.progressive
            assert "pitboss's own" in preset.source
            found[table.id] = (preset.seed_cents, preset.meter_bps, preset.reserve_bps, dict(table.envy))
    envy = {"royal-flush": 100, "straight-flush": 10}
    assert found == {"SIXCPP-01": (1_000_000, 1400, 200, envy), "SIXCPP-02": (1_000_000, 1900, 300, envy)}


def test_the_printed_hold_stands_beside_its_table() -> None:
    claims = [table.claim for table in load_builtin_paytables(GAME) if table.bet == ACES_UP.id]
    assert claims == [f"expected hold {hold}%" for hold in (20, 25, 28, 30)]


def test_the_progressive_wager_is_exactly_one_dollar() -> None:
    assert PROGRESSIVE.limits == ONE_DOLLAR


def test_the_progressives_options_have_the_codes_of_the_meters_arithmetic() -> None:
    assert OPTIONS[1:] == (1, meter.AWARD_IN_SEQUENCE, meter.ROUND_TO_CENT, meter.FIXED_FROM_TRAY)
    other = {
        "envy_hitter_must_wager": "off",
        "award_order": "split",
        "award_rounding": "dollar",
        "fixed_awards_from": "meter",
    }
    assert encode_options(GAME, resolve_options(GAME, other))[1:] == (
        0,
        meter.AWARD_SPLIT,
        meter.ROUND_TO_DOLLAR,
        meter.FIXED_FROM_METER,
    )


# Random rounds against the oracle.


def place(hand: Hand) -> tuple[int, tuple[int, ...]]:
    """Return the oracle's hand so that it compares."""
    return ORDER.index(hand[0]), hand[1]


def slow_line(hand: Hand, lines: tuple[str, ...]) -> str:
    """Name the line of a side wager that the oracle's hand makes."""
    name = "pair-of-aces" if hand[0] == "pair" and hand[1][0] == 14 else hand[0]
    return name if name in lines else "lose"


@pytest.mark.parametrize("seed", range(10))
def test_random_rounds_end_as_the_slow_oracle_says(seed: int) -> None:
    bits = seeded_bits(seed)
    for _ in range(60):
        # Half of the rounds are dealt from few ranks, or hardly any would be worth a bonus.
        low = draw_below(9, bits)
        first_ranks = range(low, low + 5) if draw_below(2, bits) else range(13)
        deck = sorted(shuffle_deck(DECK_52, bits), key=lambda code: code % 13 not in first_ranks)
        seats = 1 + draw_below(2, bits)
        seat = draw_below(seats, bits)
        action = draw_below(2, bits)
        state = rules.show_dealer(rules.act(rules.deal(deck, seats, seat, 15), 0, action, 0))
        mine = best_hand(deck[6 * seat : 6 * seat + 6], 0)
        dealers = best_hand(deck[6 * seats : 6 * seats + 6], 0)
        result = "win" if place(mine) > place(dealers) else "tie" if place(mine) == place(dealers) else "lose"
        qualified = "-qualified" if place(dealers) >= (0, (14, 13)) else "-not-qualified"
        loser = min(mine, dealers, key=place)
        assert names(state) == (
            "fold" if action == FOLD else f"play-{result}{qualified}",
            slow_line(mine, RANKED),
            "lose" if result == "tie" else slow_line(loser, RANKED[1:]),
            slow_line(mine, RANKED[:6]),
        )
