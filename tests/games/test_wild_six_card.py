"""Wild Six Card Poker, clause by clause, and against rounds settled the slow way."""

from itertools import product

import pytest

from oracle.naive import ORDER, best_hand, six_cards
from pitboss.cards import (
    DECK_54,
    NATURALS_MASK,
    count_jokers,
    draw_below,
    make_mask,
    parse_cards,
    popcount,
    seeded_bits,
    shuffle_deck,
)
from pitboss.contract import NO_DECISION, ONE_DOLLAR, UNSETTLED, PayUnit, StakeConstraintKind
from pitboss.games import load_game
from pitboss.games.wild_six_card import rules
from pitboss.hands import ANY_CARD_FLUSH, NO_HAND, format_hand, load_hand_tables
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import get_wager_paytables, select_paytables

GAME = load_game("wild-six-card")
MAIN, QUEENS, TAXED, DRAW = GAME.wagers
TABLES = load_hand_tables()
OPTIONS = rules.WildSixOptions(stand_pat=0, queens_or_better=0, draw_bonus=0, wild_flush=0)
STAND_PAT = rules.WildSixOptions(stand_pat=1, queens_or_better=0, draw_bonus=0, wild_flush=0)
ANY_CARD = rules.WildSixOptions(stand_pat=0, queens_or_better=0, draw_bonus=0, wild_flush=ANY_CARD_FLUSH)

DISCARD, STAND = 0, 1
NOTHING_ELSE, ON_QUEENS, ON_TAX, ON_DRAW = 1, 3, 7, 9  # bits of main, with one side wager and what it needs

PAIR_OF_SIXES = "6s 6d 2h 9c Kh"
KING_HIGH_STRAIGHT = "9s Tc Jc Qc Kc"
KING_HIGH = "Kd 9d 7c 5h 2c"

# Both bonus tables of the sheet, typed again from its columns.
QUEENS_OR_BETTER_COLUMNS = {
    "A1": (500, 100, 80, 50, 20, 15, 10, 7, 3, 2, 1),
    "A2": (500, 100, 80, 50, 20, 15, 12, 6, 3, 2, 1),
    "A3": (500, 100, 80, 50, 20, 15, 11, 6, 3, 2, 1),
    "A4": (500, 100, 80, 50, 20, 15, 10, 6, 3, 2, 1),
    "A5": (500, 150, 100, 50, 20, 15, 9, 6, 3, 2, 1),
    "A6": (500, 100, 80, 50, 20, 14, 10, 6, 3, 2, 1),
}
DRAW_BONUS_COLUMNS = {
    "B1": (250, 50, 40, 20, 7, 5, 4, 3, 2, 1),
    "B2": (250, 60, 50, 20, 6, 5, 4, 3, 2, 1),
    "B3": (250, 60, 50, 15, 6, 5, 4, 3, 2, 1),
    "B4": (250, 50, 30, 15, 6, 5, 4, 3, 2, 1),
}
TAX_SCHEDULE = (5, 2, 1, 0)
TAXPAYERS_FORTUNE_COLUMNS = {
    "T1": (*TAX_SCHEDULE, 50_000, 10_000, 5_000, 1_000, 500, 100, 25, 12),
    "T2": (*TAX_SCHEDULE, 30_000, 10_000, 5_000, 1_000, 500, 125, 25, 15),
    "T3": (*TAX_SCHEDULE, 25_000, 10_000, 5_000, 1_000, 500, 125, 25, 15),
    "T4": (*TAX_SCHEDULE, 20_000, 7_500, 5_000, 1_000, 500, 125, 25, 15),
}


def cards(text: str) -> int:
    """Read a mask."""
    return make_mask(parse_cards(text, DECK_54))


def dealt(first: str, dealer: str = KING_HIGH, wagered: int = NOTHING_ELSE) -> rules.WildSixState:
    """Deal one seat and the dealer."""
    return rules.deal(parse_cards(f"{first} {dealer}", DECK_54), 1, 0, wagered)


def finished(state: rules.WildSixState, drawn: str, dealers_sixth: str) -> rules.WildSixState:
    """Serve what is owed, and open the dealer's hand."""
    if rules.count_draws(TABLES, state, OPTIONS):
        state = rules.receive_draw(state, cards(drawn))
    return rules.show_dealer(rules.receive_dealer_draw(state, cards(dealers_sixth)))


def after_discard(first: str, discard: str, drawn: str, dealer: str, dealers_sixth: str) -> rules.WildSixState:
    """Play a round in which one card is discarded."""
    return finished(rules.act(dealt(first, dealer), 0, DISCARD, cards(discard)), drawn, dealers_sixth)


def names(state: rules.WildSixState, options: rules.WildSixOptions = OPTIONS) -> tuple[str, ...]:
    """Name the outcomes of the four wagers, "open" where there is none yet."""
    settled = zip(GAME.wagers, rules.settle(TABLES, state, options), strict=True)
    return tuple("open" if index == UNSETTLED else wager.outcomes[index].name for wager, index in settled)


def spoken_hands(state: rules.WildSixState) -> tuple[str, ...]:
    """Say what both hands are, nothing for one that is not known."""
    return tuple("" if made == NO_HAND else format_hand(made) for made in rules.evaluate_hands(TABLES, state, OPTIONS))


def main_of(state: rules.WildSixState, options: rules.WildSixOptions = OPTIONS) -> str:
    """Name the outcome of the Poker bet."""
    return names(state, options)[0]


# The deal and the decision.


def test_seats_are_dealt_five_cards_each_and_the_dealer_the_last_five() -> None:
    deck = list(range(54))
    assert rules.count_dealt(6) == 35
    assert [rules.deal(deck, 2, seat, 1).first for seat in range(2)] == [0b11111, 0b11111 << 5]
    assert {rules.deal(deck, 2, seat, 1).dealer for seat in range(2)} == {0b11111 << 10}


@pytest.mark.parametrize(
    ("first", "automatic"),
    [
        ("As 2h 3d 4c 5s", 1),
        ("Ts Jh Qd Kc As", 1),
        ("4s 5h 6d 7c 8s", 1),
        ("Js Qh Kd Ac 2s", 0),
        ("2s 3h 4d 5c 7s", 0),
        ("2s 3h 4d 5c Jk1", 1),
        ("As 2h 3d 5c Jk1", 1),
        ("Ts Jh Qd Ac Jk2", 1),
        ("2s 6h 9d Jk1 Jk2", 0),
        ("2s 5h 6d Jk1 Jk2", 1),
        ("2s 6h 7d Jk1 Jk2", 0),
        ("2s 5s 9s Js Ks", 1),
        ("2s 5s 9s Js Jk1", 1),
        ("2s 5s 9s Jk1 Jk2", 1),
        ("2s 5s 9s Js Kh", 0),
        ("2s 2h 2d 9c Ks", 0),
        ("2s 2h 2d 9c 9s", 1),
        ("2s 2h 9d 9c Jk1", 1),
        ("2s 2h 9d Tc Jk1", 0),
        ("2s 2h 2d 9c Jk1", 1),
        ("2s 2h 2d 2c 9s", 1),
        ("2s 2h 9d Jk1 Jk2", 1),
        ("2s 2h 2d Jk1 Jk2", 1),
        ("9s 9h 4d 4c Ks", 0),
        ("9s 9h 8d 7c 6s", 0),
    ],
)
def test_a_straight_or_better_with_jokers_wild_is_an_automatic_winner(first: str, automatic: int) -> None:
    state = rules.WildSixState(cards(first), 0, 0, 0, 0, 0, rules.UNDECIDED, 0)
    assert rules.is_automatic_winner(TABLES, state, OPTIONS) == bool(automatic)


def test_an_automatic_winner_is_paid_before_the_dealers_hand_is_seen() -> None:
    state = dealt(KING_HIGH_STRAIGHT, "8s 8h 8d 8c 2s")
    assert names(state) == ("automatic-win", "straight", "open", "open")
    assert rules.next_decision(TABLES, state, OPTIONS) == NO_DECISION
    assert main_of(finished(state, "", "3d")) == "automatic-win"


@pytest.mark.parametrize(
    ("wagered", "sixth"),
    [(NOTHING_ELSE, 0), (ON_QUEENS, 0), (ON_TAX, 1), (ON_DRAW, 1), (ON_TAX | ON_DRAW, 1)],
)
def test_an_automatic_winner_draws_only_for_draw_bonus_or_taxpayers_fortune(wagered: int, sixth: int) -> None:
    state = dealt(KING_HIGH_STRAIGHT, wagered=wagered)
    assert rules.count_draws(TABLES, state, OPTIONS) == sixth
    assert rules.count_draws(TABLES, rules.receive_draw(state, cards("Ac")), OPTIONS) == 0


def test_a_player_below_a_straight_discards_exactly_one_card() -> None:
    state = dealt(PAIR_OF_SIXES)
    assert rules.next_decision(TABLES, state, OPTIONS) == 0
    assert rules.legal_actions(TABLES, rules.view(state), 0, 43, OPTIONS) == 1 << DISCARD
    assert [(action.id, action.discards, action.draws) for action in GAME.decisions[0].actions] == [
        ("discard", 1, 1),
        ("stand", 0, 0),
    ]
    assert GAME.decisions[0].timeout_action == "discard"


def test_a_discard_is_asked_once_and_brings_one_card() -> None:
    state = rules.act(dealt(PAIR_OF_SIXES), 0, DISCARD, cards("2h"))
    assert rules.next_decision(TABLES, state, OPTIONS) == NO_DECISION
    assert rules.count_draws(TABLES, state, OPTIONS) == 1
    assert rules.count_draws(TABLES, rules.receive_draw(state, cards("4d")), OPTIONS) == 0


def test_standing_pat_is_legal_only_where_the_house_allows_it() -> None:
    state = dealt(PAIR_OF_SIXES)
    assert rules.legal_actions(TABLES, rules.view(state), 0, 43, STAND_PAT) == 1 << DISCARD | 1 << STAND


@pytest.mark.parametrize(("wagered", "sixth"), [(NOTHING_ELSE, 0), (ON_QUEENS, 0), (ON_TAX, 1), (ON_DRAW, 1)])
def test_standing_pat_brings_a_sixth_card_only_for_a_bonus(wagered: int, sixth: int) -> None:
    state = rules.act(dealt(PAIR_OF_SIXES, wagered=wagered), 0, STAND, 0)
    assert rules.next_decision(TABLES, state, STAND_PAT) == NO_DECISION
    assert rules.count_draws(TABLES, state, OPTIONS) == sixth


def test_a_hand_stood_pat_is_settled_on_its_five_whatever_is_drawn() -> None:
    stood = rules.act(dealt(PAIR_OF_SIXES, wagered=ON_DRAW), 0, STAND, 0)
    assert names(finished(stood, "6c", "3d"), STAND_PAT)[::3] == ("stand-win", "three-of-a-kind")
    stood = rules.act(dealt(PAIR_OF_SIXES, "7h 7c Qd 5h 3c", ON_DRAW), 0, STAND, 0)
    assert names(finished(stood, "6c", "Ad"), STAND_PAT)[::3] == ("stand-lose", "three-of-a-kind")


def test_the_drawn_card_stays_hidden_from_its_own_seat_until_the_dealer_opens() -> None:
    state = rules.act(dealt(PAIR_OF_SIXES), 0, DISCARD, cards("2h"))
    kept = cards("6s 6d 9c Kh")
    before = rules.view(rules.receive_dealer_draw(rules.receive_draw(state, cards("4d")), cards("7s")))
    assert before == rules.WildSixView(player=kept, dealer=0, discarded=cards("2h"))
    opened = rules.view(finished(state, "4d", "7s"))
    assert opened == rules.WildSixView(kept | cards("4d"), cards(KING_HIGH) | cards("7s"), cards("2h"))


def test_a_seat_knows_its_strength_but_for_the_card_it_has_not_seen() -> None:
    sixes, nothing = "pair of sixes", ""
    state = dealt(PAIR_OF_SIXES)
    assert spoken_hands(state) == (sixes, nothing)
    assert spoken_hands(rules.act(state, 0, STAND, 0)) == (sixes, nothing)
    assert spoken_hands(rules.receive_draw(rules.act(state, 0, DISCARD, cards("2h")), cards("4d"))) == (
        nothing,
        nothing,
    )
    assert spoken_hands(after_discard(PAIR_OF_SIXES, "6s", "4d", KING_HIGH, "7s")) == (
        "king-nine high",
        "pair of sevens",
    )
    assert spoken_hands(finished(dealt(KING_HIGH_STRAIGHT, wagered=ON_DRAW), "Ac", "7s"))[0] == "straight, king high"


def test_the_dealer_takes_one_sixth_card_whatever_the_seats_did() -> None:
    for state in (dealt(KING_HIGH_STRAIGHT), rules.act(dealt(PAIR_OF_SIXES), 0, DISCARD, cards("2h"))):
        assert rules.count_dealer_draws(state) == 1
        assert rules.count_dealer_draws(rules.receive_dealer_draw(state, cards("7s"))) == 0


# The Poker bet.


def test_poker_is_settled_on_the_four_kept_and_the_new_card() -> None:
    assert main_of(after_discard("6s 6d 2h 9c Kh", "6s", "4d", "Ah Qs Js 8d 3c", "7s")) == "discard-lose"
    assert main_of(after_discard("6s 6d 2h 9c Kh", "2h", "4d", "Ah Qs Js 8d 3c", "7s")) == "discard-win"


def test_the_dealer_takes_the_best_five_of_six() -> None:
    assert main_of(after_discard("6s 6d 2h 9c Kh", "2h", "4d", "Ah 7h Js 8d 3c", "7s")) == "discard-lose"


def test_equal_hands_tie_whatever_their_suits() -> None:
    assert main_of(after_discard("Ts Td Ac Kh 3s", "3s", "5d", "Th Tc As Kd 5c", "2d")) == "discard-tie"


@pytest.mark.parametrize(
    ("first", "discard", "drawn", "result"),
    [
        ("Ks Kd 4c 3s 9d", "3s", "Jd", "discard-push"),
        ("6c 7c 8c 9c 2h", "2h", "Tc", "discard-win"),
        ("5s 6s 7s 8s Kh", "Kh", "9s", "discard-tie"),
        ("Qs Qd Qc 4h 2s", "2s", "4s", "discard-push"),
    ],
)
def test_a_dealer_of_four_of_a_kind_or_better_pushes_all_that_do_not_outrank_or_equal_him(
    first: str, discard: str, drawn: str, result: str
) -> None:
    assert main_of(after_discard(first, discard, drawn, "5h 6h 7h 8h 2d", "9h")) == result


def test_the_dealers_lowest_four_of_a_kind_pushes_and_his_full_house_does_not() -> None:
    assert main_of(after_discard("Ks Kd 4c 3s 9d", "3s", "Jd", "2s 2h 2d 2c 3c", "4d")) == "discard-push"
    assert main_of(after_discard("Ks Kd 4c 3s 9d", "3s", "Jd", "As Ah Ad Qs Qh", "2d")) == "discard-lose"


def test_a_royal_flush_outranks_five_of_a_kind_and_that_a_straight_flush() -> None:
    royal, five, straight_flush = (
        rules.rank_hand(TABLES, cards(text), OPTIONS)
        for text in ("As Ks Qs Js Jk1", "2s 2h 2d 2c Jk1", "9s Ts Js Qs Ks")
    )
    assert royal > five > straight_flush
    assert royal == rules.rank_hand(TABLES, cards("Ah Kh Qh Jh Th"), OPTIONS)


def test_a_joker_in_a_flush_is_the_highest_rank_missing_or_any_card() -> None:
    state = after_discard("As 9s 6s Jk1 Kd", "Kd", "4s", "Ah Kh Qh 3h 8d", "2h")
    assert main_of(state) == "discard-lose"
    assert main_of(state, ANY_CARD) == "discard-win"


# The side wagers.


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("As Ks Qs Js Ts", "natural-royal-flush"),
        ("As Ah Ad Ac Jk1", "five-of-a-kind"),
        ("As Ah Ad Jk1 Jk2", "five-of-a-kind"),
        ("As Ks Qs Js Jk1", "wild-royal-flush"),
        ("Ts Qs As Jk1 Jk2", "wild-royal-flush"),
        ("9s Ts Js Qs Ks", "straight-flush"),
        ("As 2s 3s 4s Jk1", "straight-flush"),
        ("7s 7h 7d 7c 2s", "four-of-a-kind"),
        ("7s 7h 2d Jk1 Jk2", "four-of-a-kind"),
        ("7s 7h 2d 2c Jk1", "full-house"),
        ("2s 5s 9s Js Ks", "flush"),
        ("4s 5h 6d 7c 8s", "straight"),
        ("2s 7h 9d Jk1 Jk2", "three-of-a-kind"),
        ("7s 7h 2d 2c Js", "two-pair"),
        ("Qs Qh 2d 5c 9s", "pair-of-queens-or-better"),
        ("As Jk1 2d 5h 9s", "pair-of-queens-or-better"),
        ("Qs Jk1 2d 5h 9s", "pair-of-queens-or-better"),
        ("Js Jh Ad Kc Qs", "lose"),
        ("Js Jk1 2d 5h 9s", "lose"),
        ("As Kh Qd Jc 9s", "lose"),
    ],
)
def test_queens_or_better_is_settled_on_the_first_five_at_once(first: str, line: str) -> None:
    assert names(dealt(first, "8h 6h 4d 3c 3d"))[1] == line


@pytest.mark.parametrize(
    ("six", "line"),
    [
        ("As Ks Qs Js Ts Jk1", "natural-royal-flush"),
        ("As Ks Qs Js 2h Jk1", "wild-royal-flush"),
        ("2s 2h 2d 2c 9s Jk1", "five-of-a-kind"),
        ("9s Ts Js Qs Ks 2h", "straight-flush"),
        ("7s 7h 7d 7c 2s 2h", "four-of-a-kind"),
        ("7s 7h 7d 2c 2s 2h", "full-house"),
        ("2s 5s 9s Js Ks 2h", "flush"),
        ("As 2h 3d 4c 5s Kh", "straight"),
        ("7s 7h 7d 2c 9s Kh", "three-of-a-kind"),
        ("7s 7h 2d 2c 9s 9h", "two-pair"),
        ("As Ah 2d 5c 9s Jh", "lose"),
    ],
)
def test_draw_bonus_pays_the_best_five_of_all_six(six: str, line: str) -> None:
    assert DRAW.outcomes[rules.settle_draw_bonus(TABLES, cards(six), OPTIONS)].name == line


def test_draw_bonus_takes_the_discard_back_and_poker_does_not() -> None:
    state = after_discard("Ks Kd Qc 9h 5s", "5s", "5d", "As Ad 8c 6c 3d", "4d")
    assert names(state) == ("discard-lose", "pair-of-queens-or-better", "tax-one-pair-or-lower-lose", "two-pair")


@pytest.mark.parametrize(
    ("first", "last", "outcome", "net_dollars"),
    [
        ("7s 7h 7d 7c Jk1", "Jk2", "tax-straight-or-better-six-of-a-kind", 49_995),
        ("7s 7h 7d Jk1 Jk2", "7c", "tax-straight-or-better-six-of-a-kind", 49_995),
        ("4s 5s 6s 7s 9s", "8s", "tax-straight-or-better-six-card-straight-flush", 9_995),
        ("As Ah Ad Ac 9s", "9h", "tax-straight-or-better-four-aces-and-a-pair", 4_995),
        ("9s 9h 9d Ac As", "9c", "tax-straight-or-better-four-of-a-kind-and-a-pair", 995),
        ("9s 9h 9d Ac As", "Ah", "tax-straight-or-better-double-three-of-a-kind", 495),
        ("2s 5s 9s Js Ks", "As", "tax-straight-or-better-six-card-flush", 95),
        ("4s 5h 6d 7c 8s", "9s", "tax-straight-or-better-six-card-straight", 20),
        ("4s 5s 6s 8s 9s", "7h", "tax-straight-or-better-six-card-straight", 20),
        ("As 2h 3d 4c 6s", "5s", "tax-one-pair-or-lower-six-card-straight", 25),
        ("7s 7h 2d 2c Js", "Jh", "tax-two-pair-three-pair", 11),
        ("2s 5s 9s Js Ks", "Ah", "tax-straight-or-better-lose", -5),
        ("7s 7h 7d 2c 9s", "9h", "tax-three-of-a-kind-lose", -2),
        ("7s 7h Jk1 2c 9s", "9h", "tax-three-of-a-kind-lose", -2),
        ("7s 7h 2d 2c Js", "7d", "tax-two-pair-lose", -1),
        ("As Ah 2d 5c 9s", "9h", "tax-one-pair-or-lower-lose", 0),
        ("As Jk1 2d 5c 9s", "Jk2", "tax-one-pair-or-lower-lose", 0),
        ("Ts Jh Qd Kc As", "2h", "tax-straight-or-better-lose", -5),
    ],
)
def test_the_tax_is_on_the_first_five_and_the_pay_on_all_six(
    first: str, last: str, outcome: str, net_dollars: int
) -> None:
    ended = TAXED.outcomes[rules.settle_taxpayers_fortune(TABLES, cards(first), cards(last), OPTIONS)]
    assert ended.name == outcome
    assert compute_outcome_net(ended, select_paytables(GAME), ONE_DOLLAR.maximum_cents) == 100 * net_dollars


def test_the_dollar_of_tax_is_returned_win_or_lose() -> None:
    placed = {leg.result.name for outcome in TAXED.outcomes for leg in outcome.legs if leg.circle == TAXED.id}
    assert placed == {"WIN", "PUSH"}
    assert all(leg.stake == 0 for outcome in TAXED.outcomes for leg in outcome.legs if leg.circle == "tax")


def test_taxpayers_fortune_is_one_dollar_and_only_with_queens_or_better() -> None:
    assert TAXED.limits == ONE_DOLLAR
    assert [(tie.kind, tie.bet) for tie in TAXED.constraints] == [(StakeConstraintKind.ONLY_WITH, QUEENS.id)]


def test_queens_or_better_and_draw_bonus_are_as_the_house_has_them() -> None:
    values = {option.name: option.values for option in GAME.options}
    for wager in (QUEENS, DRAW):
        assert values[wager.status_option] == ("optional", "mandatory", "off")


# Pay tables.


@pytest.mark.parametrize(
    ("wager", "columns", "default"),
    [
        (QUEENS, QUEENS_OR_BETTER_COLUMNS, "A1"),
        (TAXED, TAXPAYERS_FORTUNE_COLUMNS, "T1"),
        (DRAW, DRAW_BONUS_COLUMNS, "B2"),
    ],
)
def test_every_cell_of_the_sheet_is_in_the_pay_tables(
    wager: object, columns: dict[str, tuple[int, ...]], default: str
) -> None:
    tables = [table for known in GAME.wagers if known is wager for table in get_wager_paytables(GAME, known)]
    assert {table.id: tuple(pay.amount for pay in table.lines.values()) for table in tables} == columns
    unit = PayUnit.DOLLARS if wager is TAXED else PayUnit.TO_ONE
    assert {pay.unit for table in tables for pay in table.lines.values()} == {unit}
    assert [table.id for table in tables if table.default] == [default]


def test_the_lines_stand_in_printed_order() -> None:
    chosen = select_paytables(GAME)
    assert list(chosen[QUEENS.id].lines) == [outcome.name for outcome in QUEENS.outcomes[:-1]]
    assert list(chosen[DRAW.id].lines) == [outcome.name for outcome in DRAW.outcomes[:-1]]


# Every combination of wagers, and random rounds against the oracle.


@pytest.mark.parametrize(("side_wagers", "options"), list(product(range(8), (OPTIONS, STAND_PAT))))
def test_every_wager_is_decided_and_every_card_dealt_once_whatever_is_wagered(
    side_wagers: int, options: rules.WildSixOptions
) -> None:
    bits = seeded_bits(side_wagers)
    for _ in range(30):
        deck = shuffle_deck(DECK_54, bits)
        state = rules.deal(deck, 1, 0, 1 | side_wagers << 1)
        stub = list(deck[rules.count_dealt(1) :])
        asked = rules.next_decision(TABLES, state, options) != NO_DECISION
        assert asked != (rules.settle(TABLES, state, options)[0] != UNSETTLED)
        if asked:
            action = draw_below(1 + options.stand_pat, bits)
            given = 1 << deck[draw_below(5, bits)] if action == DISCARD else 0
            state = rules.act(state, 0, action, given)
        if rules.count_draws(TABLES, state, OPTIONS):
            state = rules.receive_draw(state, 1 << stub.pop(0))
        state = rules.show_dealer(rules.receive_dealer_draw(state, 1 << stub.pop(0)))
        view = rules.view(state)
        assert popcount(view.player | view.dealer | view.discarded) == 54 - len(stub)
        assert view.player & view.dealer == view.player & view.discarded == 0
        settled = rules.settle(TABLES, state, options)
        assert all(0 <= index < len(wager.outcomes) for index, wager in zip(settled, GAME.wagers, strict=True))
        if side_wagers & 6:
            assert state.drawn


def slow_line(mask: int, lowest_pair: int) -> str:
    """Name the bonus line of five or six cards by the oracle; ``lowest_pair`` is the lowest pair paid, 15 for none."""
    name, ranks = best_hand(codes(mask), count_jokers(mask))
    if name == "royal-flush":
        natural = popcount(mask & NATURALS_MASK) >= 5 and best_hand(codes(mask), 0)[0] == name
        return "natural-royal-flush" if natural else "wild-royal-flush"
    if name == "pair":
        return "pair-of-queens-or-better" if ranks[0] >= lowest_pair else "lose"
    return "lose" if name == "high-card" else name


def slow_tax(first: int) -> str:
    """Name the row of the Tax Schedule by the oracle."""
    place = ORDER.index(best_hand(codes(first), count_jokers(first))[0])
    return ("one-pair-or-lower", "one-pair-or-lower", "two-pair", "three-of-a-kind", "straight-or-better")[
        min(place, 4)
    ]


def codes(mask: int) -> list[int]:
    """List the natural cards of a set."""
    return [code for code in range(52) if mask >> code & 1]


def all_codes(mask: int) -> list[int]:
    """List all cards of a set."""
    return [code for code in range(54) if mask >> code & 1]


def slow_main(first: int, final: int, dealer: int, path: str) -> str:
    """Name the outcome of the Poker bet by the oracle."""
    if slow_tax(first) == "straight-or-better":
        return "automatic-win"
    mine, dealers = (
        (ORDER.index(name), ranks)
        for name, ranks in (
            best_hand(codes(final), count_jokers(final)),
            best_hand(codes(dealer), count_jokers(dealer)),
        )
    )
    if mine == dealers:
        return f"{path}-tie"
    if mine > dealers:
        return f"{path}-win"
    return f"{path}-push" if dealers[0] >= ORDER.index("four-of-a-kind") else f"{path}-lose"


@pytest.mark.parametrize("seed", range(12))
def test_random_rounds_end_as_the_slow_oracle_says(seed: int) -> None:
    bits = seeded_bits(seed)
    for _ in range(40):
        # Half of the rounds are dealt from few ranks and both Jokers, or hardly any would be worth a bonus.
        lowest = draw_below(10, bits)
        first_ranks = range(lowest, lowest + 4) if draw_below(2, bits) else range(13)
        deck = sorted(shuffle_deck(DECK_54, bits), key=lambda code: code < 52 and code % 13 not in first_ranks)
        state = rules.deal(deck, 1, 0, 15)
        first, path = state.first, "discard"
        final = first
        if rules.next_decision(TABLES, state, STAND_PAT) != NO_DECISION:
            path = ("discard", "stand")[draw_below(2, bits)]
            given = 1 << deck[draw_below(5, bits)] if path == "discard" else 0
            state = rules.act(state, 0, DISCARD if path == "discard" else STAND, given)
            final = first & ~given | (1 << deck[10] if path == "discard" else 0)
        six = first | 1 << deck[10]
        state = rules.receive_draw(state, 1 << deck[10])
        state = rules.show_dealer(rules.receive_dealer_draw(state, 1 << deck[11]))
        line = six_cards(all_codes(six))
        assert names(state, STAND_PAT) == (
            slow_main(first, final, make_mask(deck[5:10]) | 1 << deck[11], path),
            slow_line(first, 12),
            f"tax-{slow_tax(first)}-{'lose' if line == 'nothing' else line}",
            slow_line(six, 15),
        )
