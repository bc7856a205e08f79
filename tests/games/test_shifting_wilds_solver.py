"""The exact solution of Shifting Wilds: small decks deal by deal, then positions of the whole deck."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from operator import mul
from typing import Any

import numpy as np
import pytest

from oracle import shifting_wilds as oracle
from pitboss.analysis.solutions import compute_main_nets
from pitboss.cards import DECK_52, format_card, make_mask, parse_cards, seeded_bits, shuffle_deck
from pitboss.core.errors import MagnitudeError
from pitboss.core.progress import ignore_progress
from pitboss.games import load_game
from pitboss.games.shifting_wilds import rules
from pitboss.games.shifting_wilds.solver.boards import PlayBoard, list_boards, rank_multisets
from pitboss.games.shifting_wilds.solver.census import count_openings
from pitboss.games.shifting_wilds.solver.dealer_hands import DealerTransfers, make_table, make_transfers
from pitboss.games.shifting_wilds.solver.dealer_sums import LANE_COUNT, PlayWorkspace, make_workspace
from pitboss.games.shifting_wilds.solver.deck import DeckTables, build_deck, make_opening
from pitboss.games.shifting_wilds.solver.hints import count_showdowns, hint
from pitboss.games.shifting_wilds.solver.lock_bad_beat import count_lock_bad_beats
from pitboss.games.shifting_wilds.solver.lock_events import make_lock_events
from pitboss.games.shifting_wilds.solver.lock_sweep import check_or_lock
from pitboss.games.shifting_wilds.solver.mistakes import make_mistake_table
from pitboss.games.shifting_wilds.solver.multisets import OpeningHands
from pitboss.games.shifting_wilds.solver.payoffs import (
    AFTER_LOCK,
    AFTER_PLAY,
    BAD_BEAT_OUTCOMES,
    make_payoffs,
    split_showdowns,
    tabulate_outcomes,
)
from pitboss.games.shifting_wilds.solver.play_bad_beat import BEATEN_ROW_WIDTH, count_play_bad_beats, make_natural_board
from pitboss.games.shifting_wilds.solver.play_sweep import list_play_flushes, sweep_board
from pitboss.games.shifting_wilds.solver.play_values import GROUP_COUNT, SUM_COUNT, CheckValues, Payoffs, PlayTotals
from pitboss.games.shifting_wilds.solver.solution import (
    build_solution,
    compute_best_figures,
    solve,
    solve_deck,
    solve_from_scratch,
)
from pitboss.games.shifting_wilds.solver.strategy_follower import FollowedStrategies
from pitboss.games.shifting_wilds.solver.value_sweep import make_value_workspace, sweep_board_values
from pitboss.hands import load_hand_tables
from pitboss.kernels.compile import kernel
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.paytables import select_paytables
from pitboss.solver_api import Solution, SolverProblem
from refusals import refusal

GAME = load_game("shifting-wilds")
NETS = compute_main_nets(GAME, select_paytables(GAME))
# Pays that make ties, folds and unqualified dealers matter.
ODD_NETS = (-5, *(7 * place % 11 - 5 for place in range(1, len(NETS))))


def side_nets(stake: int, *bets: str) -> dict[str, tuple[int, ...]]:
    """Return what the wagers that depend on the play net at this stake, in Antes."""
    return {
        wager.id: tuple(
            int(compute_outcome_net(outcome, select_paytables(GAME), 100) / 100) * stake for outcome in wager.outcomes
        )
        for wager in GAME.wagers[1:3]
        if wager.id in bets
    }


def problem(nets: Sequence[int] = NETS, stake: int = 0, *bets: str, **options: str) -> SolverProblem:
    return SolverProblem(encode_options(GAME, resolve_options(GAME, options)), tuple(nets), side_nets(stake, *bets))


SMALL: list[tuple[tuple[int, ...], SolverProblem]] = [
    ((2, 3, 4), problem()),
    ((0, 3, 12), problem(ODD_NETS, dealer_qualifies="pair-of-A")),
    ((8, 9, 12), problem(NETS, 1, "regular-bonus", wild_flush="any_card", dealer_qualifies="always")),
    ((10, 11, 12), problem(ODD_NETS, 3, "regular-bonus", "bad-beat", dealer_qualifies="ace-king")),
    ((2, 3, 4), problem(NETS, 1, "bad-beat", bad_beat_unlisted="push", dealer_qualifies="pair-of-4")),
]


def total(of: SolverProblem, solution: Solution) -> int:
    """Return what all that is staked nets over all deals."""
    made = sum(net * deals for net, deals in zip(of.nets, solution.counts, strict=True))
    for bet, nets in of.side_nets.items():
        made += sum(net * deals for net, (deals, _) in zip(nets, solution.side_outcomes[bet], strict=True))
    return made


def agree(ranks: Sequence[int], of: SolverProblem) -> None:
    """Compare a solution with every deal of a deck."""
    solution = solve_deck(ranks, of, ignore_progress)
    played = oracle.play_out(ranks, of)
    assert list(solution.counts) == played.counts.tolist()
    assert sum(solution.counts) == oracle.deals_of(ranks)
    assert dict(solution.actions) == played.actions
    assert solution.equal_value_positions == played.equal_first + played.equal_second
    assert [list(each) for each in solution.side_outcomes["regular-bonus"]] == played.bonus.tolist()
    assert [deals for deals, _ in solution.side_outcomes["bad-beat"]] == played.beat[:, 0].tolist()
    figures = compute_best_figures(ranks, of, ignore_progress)
    assert figures == (total(of, solution), sum(solution.counts), solution.actions)


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize(("ranks", "of"), SMALL)
def test_three_ranks_are_played_out_deal_by_deal(ranks: tuple[int, ...], of: SolverProblem) -> None:
    agree(ranks, of)


# Decks of more ranks, where four own cards can be a flush: two community cards at a time, every deal compared.


@kernel
def every_deal(tables: Any, options: Any, cards: Any, fours: Any, community: int, nets: Any, counts: Any) -> None:
    """Play every deal beside two community cards at best and count the outcomes of main."""
    locked, checked, played = np.zeros_like(counts), np.zeros_like(counts), np.zeros_like(counts)
    made = np.zeros((len(cards), len(fours)), np.int64)
    for indicator in range(len(cards)):
        for four in range(len(fours)):
            if fours[four] & (community | cards[indicator]) == 0 and cards[indicator] & community == 0:
                made[indicator, four] = rules.rank_hand(tables, fours[four], community, cards[indicator], options)
    for w1 in range(len(cards)):
        for hole in range(len(fours)):
            if cards[w1] & community or fours[hole] & (community | cards[w1]):
                continue
            locked[:], checked[:] = 0, 0
            for w2 in range(len(cards)):
                if cards[w2] & (community | cards[w1] | fours[hole]):
                    continue
                dead = community | cards[w1] | fours[hole] | cards[w2]
                played[:] = 0
                for dealer in range(len(fours)):
                    if fours[dealer] & dead == 0:
                        theirs = made[w2, dealer]
                        locked[rules.settle_main(made[w1, hole], theirs, AFTER_LOCK, options)] += 1
                        played[rules.settle_main(made[w2, hole], theirs, AFTER_PLAY, options)] += 1
                if (played * nets).sum() >= nets[0] * played.sum():
                    checked += played
                else:
                    checked[0] += played.sum()
            counts += locked if (locked * nets).sum() > (checked * nets).sum() else checked


def opening_agrees(ranks: Sequence[int], cards: tuple[int, int], of: SolverProblem) -> None:
    deck = oracle.deck_of(ranks)
    fours = np.array([make_mask(four) for four in combinations(deck, 4)])
    counts, singles = np.zeros(len(NETS), np.int64), np.array([1 << card for card in deck])
    every_deal(load_hand_tables(), of.options, singles, fours, make_mask(cards), np.array(of.nets), counts)
    small = build_deck(ranks)
    ((counted,),) = count_openings(small, [cards], of, [None], ignore_progress)
    assert list(build_solution(small, of, [1], [counted]).counts) == counts.tolist()


@pytest.mark.long
@pytest.mark.compiled
def test_values_of_more_than_32_bits_change_nothing() -> None:
    solved, larger = (
        solve_deck((2, 3, 4), problem([unit * net for net in NETS]), ignore_progress) for unit in (1, 5_000_000)
    )
    assert (solved.counts, solved.equal_value_positions) == (larger.counts, larger.equal_value_positions)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("cards", [(2, 4), (2, 16), (4, 17)])
def test_an_opening_of_four_ranks_is_played_out(cards: tuple[int, int]) -> None:
    opening_agrees((2, 3, 4, 5), cards, problem(dealer_qualifies="ace-king"))
    opening_agrees((2, 3, 4, 5), cards, problem(ODD_NETS, dealer_qualifies="pair-of-5"))


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("cards", [(9, 11), (9, 24), (10, 23)])
def test_an_opening_of_five_ranks_is_played_out(cards: tuple[int, int]) -> None:
    """Suited, of two suits, and a pair: with flushes of four own cards and of three open ones."""
    opening_agrees((7, 9, 10, 11, 12), cards, problem(ODD_NETS, wild_flush="any_card", dealer_qualifies="pair-of-K"))


# Real positions: own four cards, community cards, W1 and W2, each met with every hand the dealer may hold.

AIMED = (
    "9s 9h 9d Ks Kd 2h 3c 9c",  # five of a kind by W2
    "9s 9h Kc Ks Kd 2h 9c 4d",  # and by W1
    "6s 6h 6d Ac Kd Qd 2h 6c",  # three wild cards
    "6s 6h 6d Ad Kd Qd 6c 2h",
    "7s 7h 7d 7c Ks 2d 3h Kd",  # four of a kind, nothing wild
    "As Ks 2d 3c Qs Js 4h Ts",  # a natural royal flush
    "As Ks Td Tc Qs Js 4h Th",  # a royal flush with two wild cards
    "5h 6h 7h 2c 8h Kd 9h 3s",  # a straight flush
    "5h 6h Td 2c 8h 9h 4s Tc",  # a straight flush with a wild card
    "8s 8h 2c 3d 8d 7s 4h 2d",  # four of a kind by a wild card
    "3s 9s Kd 4c Js 6s 2h Kh",  # a wild flush
    "3s 9s 4s Kd Js Kc 2h As",  # a flush of three open cards
    "Ad 2d 7c 7s 4d 9d Jh Kd",  # all open cards of one suit
    "Ad 2d Td 5d 4d 9d Jh Kd",  # a natural flush in four own cards and W2
    "2d 3d 4d 5d 9c Ks 6d Ah",  # a straight flush of own cards and W1
    "2d 3d 4d 5d 9c Ks Ah 6d",
    "2c 3c 4c 5c 8h 8s 6c 8d",  # three of a kind lies open
    "Ah Ad 7c 2s 9h 4d As Jc",  # W1 is dead after a Play
    "2c 4d 7h 9s 3s Jc Kd 5h",  # dealers who do not qualify
    "Kc Qd 8h 3s 7s 2c 4h Td",
    "Jh Js Jd 4c 8c 9s 2d 4h",  # natural three of a kind and more
    "Jh Js 4d 4c 8c 9s Jd 4h",
    "Ts Jd Qh Kc 2s 5d Ah 9c",  # a natural straight with each indicator
    "Qc Qd 5s 5h 5d 2c Qs Kd",
)  # fmt: skip


def positions(count: int, seed: int) -> list[str]:
    """Draw positions at random."""
    bits = seeded_bits(seed)
    return [" ".join(format_card(card, DECK_52) for card in shuffle_deck(DECK_52, bits)[:8]) for _ in range(count)]


class Position:
    """One position of the whole deck: all that the solver needs to know it, with no other hand beside."""

    def __init__(self, text: str, of: SolverProblem) -> None:
        codes = parse_cards(text, DECK_52)
        hole, self.cards, self.w1 = (
            sorted(codes[:4], key=lambda code: (code % 13, code)),
            (codes[4], codes[5]),
            codes[6],
        )
        self.view = rules.ShiftingView(make_mask(hole), 0, make_mask(self.cards), 1 << codes[6], 1 << codes[7])
        self.of, self.deck, self.orders = of, whole_deck(), np.array([[0, 1, 2, 3]])
        multisets = self.deck.subsets.multisets
        number = int(multisets.numbers[sum(code % 13 * 13**place for place, code in enumerate(hole))])
        states = sum(1 << 4 * (code // 13) + place for place, code in enumerate(hole))
        one = [np.array([value], np.int64) for value in (self.view.player, states, 1, number)]
        self.hands = OpeningHands((np.arange(len(multisets.slots) + 1) > number).astype(np.int64), *one)
        slots = np.array([code % 13 for code in self.cards])
        self.ranked = [rank_multisets(multisets, load_hand_tables(), of.options, slots, wild) for wild in range(13)]
        self.lane = 16 * (self.w1 // 13) + self.w1 % 13

    def sums(self, played: int) -> tuple[Payoffs, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return stakes, and room for totals and for dealers a hand is ahead of."""
        shape = (1, rules.REGULAR_BONUS_LOSES + 1, GROUP_COUNT, SUM_COUNT)
        return (
            make_payoffs(self.of, self.deck, played),
            np.zeros(shape, np.int64),
            np.zeros((1, BAD_BEAT_OUTCOMES), np.int64),
        )

    def checks(self) -> CheckValues:
        """Return room for what Checks come to."""
        return CheckValues(np.zeros(LANE_COUNT, np.int32), np.zeros(LANE_COUNT, np.int8), np.zeros(2, np.int64))

    def played(self) -> tuple[list[int], int, list[int]]:
        """Play whatever it is worth; return counts of main, the Regular Bonus' outcome and those of the Bad Beat."""
        stakes, totals, ahead = self.sums(AFTER_PLAY)
        weights = np.zeros((1, LANE_COUNT), np.int8)
        weights[0, self.lane] = 1
        self.sweep(self.board(), stakes, self.checks(), weights, PlayTotals(totals, ahead, self.orders))
        return self.outcomes(totals, ahead, AFTER_PLAY, self.deck.dealer_hand_count)

    def sweep(self, board: PlayBoard, stakes: Payoffs, checks: CheckValues, counted: Any, tallies: PlayTotals) -> None:
        """Sweep one board for this hand alone: for what it is worth, or where it is ``counted``."""
        tables, sets, options, space = load_hand_tables(), self.deck.subsets, self.of.options, _room()
        fives, of_fives = make_natural_board(board), np.zeros((len(sets.multisets.slots), BEATEN_ROW_WIDTH), np.int32)
        naturals = self.deck.natural_strengths[board.wild_slot]
        beats = count_play_bad_beats(sets, tables, options, self.hands, fives, naturals, *space, of_fives)
        flushes = list_play_flushes(sets, tables, options, self.hands, board)
        swept = (sets, tables, options, self.hands, board, flushes, self.ranked[board.wild_slot], beats, stakes)
        followed = FollowedStrategies(
            counted, np.zeros((len(counted), 0), np.int8), np.array([make_mistake_table()]), np.zeros(1, np.int8)
        )
        before = CheckValues(checks.values.copy(), checks.play_counts.copy(), checks.sums.copy())
        sweep_board(*swept, *space, checks, followed, len(counted), tallies)
        if not len(counted):
            values = np.zeros(len(space[1]), np.int32), make_value_workspace()
            sweep_board_values(*swept, *space[:2], *values, before)
            assert before.values[self.lane] == checks.values[self.lane]
            assert before.play_counts[self.lane] == checks.play_counts[self.lane]

    def checked(self) -> Fraction:
        """Return what a Check is worth: the sum over all W2s of what Plays are worth beyond a fold."""
        stakes, totals, ahead = self.sums(AFTER_PLAY)
        checks, nobody = self.checks(), np.zeros((0, LANE_COUNT), np.int8)
        for board in list_boards(range(13), self.cards, self.orders, DECK_52.mask):
            self.sweep(board, stakes, checks, nobody, PlayTotals(totals, ahead, self.orders))
        lost = {"regular-bonus": rules.REGULAR_BONUS_LOSES, "bad-beat": rules.BAD_BEAT_LOSES}
        fold = self.of.nets[0] + sum(nets[lost[bet]] for bet, nets in self.of.side_nets.items())
        return fold + Fraction(int(checks.values[self.lane]), self.deck.lock_event_count)

    def locked(self) -> tuple[list[int], int, list[int]]:
        """Lock whatever it is worth, and return the same over all W2s."""
        stakes, totals, ahead = self.sums(AFTER_LOCK)
        tables, sets, lock_sets, options = (
            load_hand_tables(),
            self.deck.subsets,
            self.deck.lock_subsets,
            self.of.options,
        )
        opening, events = make_opening(self.deck, self.cards, self.ranked), make_lock_events(13)
        beats = count_lock_bad_beats(
            sets, lock_sets, tables, options, self.hands, opening, self.deck.natural_strengths, events
        )
        checks, nobody = self.checks()._replace(values=np.full(LANE_COUNT, 1 << 50)), np.zeros((0, LANE_COUNT), np.int8)
        checks.values[self.lane] = -(1 << 50)
        around = (self.hands, opening, beats, stakes, events, checks, nobody, np.zeros(LANE_COUNT, np.int8))
        check_or_lock(sets, lock_sets, tables, options, *around, PlayTotals(totals, ahead, self.orders))
        return self.outcomes(totals, ahead, AFTER_LOCK, self.deck.lock_event_count)

    def board(self) -> PlayBoard:
        """Return the board of the position's W2."""
        boards = list_boards(range(13), self.cards, self.orders, DECK_52.mask)
        (found,) = (board for board in boards if self.view.w2 in board.indicators)
        return found

    def outcomes(self, totals: Any, ahead: Any, played: int, showdowns: int) -> tuple[list[int], int, list[int]]:
        """Read totals of one position."""
        (bonus,), (group,) = (set(found.tolist()) for found in np.nonzero(totals[0, ..., 0]))
        counts = [0] * len(NETS)
        cells = split_showdowns(group, totals[0, bonus, group, 1:].tolist(), showdowns)
        for outcome, cell in zip(tabulate_outcomes(self.of.options, played)[group], cells, strict=True):
            counts[outcome] += cell
        beats = ahead[0].tolist()
        beats[rules.BAD_BEAT_LOSES] = showdowns - sum(beats)
        return counts, bonus, beats

    def met(self, played: int, w2s: Sequence[int]) -> tuple[list[int], int, list[int]]:
        """Lay out every hand of the dealer beside each W2, by the rules."""
        main, beat, bonus = np.zeros(len(NETS), np.int64), np.zeros(BAD_BEAT_OUTCOMES, np.int64), 0
        left = [card for card in range(52) if not (self.view.player | self.view.community | self.view.w1) >> card & 1]
        for w2 in w2s:
            at = count_showdowns(self.view._replace(w2=1 << w2), [card for card in left if card != w2], self.of)
            main, beat, bonus = main + at.main[played], beat + at.bad_beat[played], at.bonus[played]
        return main.tolist(), bonus, beat.tolist()


@cache
def _room() -> tuple[DealerTransfers, Any, PlayWorkspace]:
    """Return room for any board."""
    return make_transfers(13), make_table(13), make_workspace()


@cache
def whole_deck() -> DeckTables:
    """Return the deck of thirteen ranks."""
    return build_deck(range(13))


# A fold that loses far more than anything: every position is played.
STAYS = (-1000, *NETS[1:])
WHOLE = {
    "as printed": problem(STAYS, 1, "bad-beat"),
    "otherwise": problem(
        STAYS, 1, "bad-beat", dealer_qualifies="pair-of-9", wild_flush="any_card", bad_beat_unlisted="push"
    ),
}


def plays_agree(text: str, of: SolverProblem) -> None:
    position = Position(text, of)
    assert position.played() == position.met(AFTER_PLAY, [position.view.w2.bit_length() - 1]), text


def locks_agree(text: str, of: SolverProblem) -> None:
    position = Position(text, of)
    seen = position.view.player | position.view.community | position.view.w1
    assert position.locked() == position.met(AFTER_LOCK, [card for card in range(52) if not seen >> card & 1]), text


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("named", WHOLE)
def test_plays_of_the_whole_deck_meet_every_dealer(named: str) -> None:
    for text in [*AIMED, *positions(12, 1)]:
        plays_agree(text, WHOLE[named])


@pytest.mark.more
@pytest.mark.compiled
def test_locks_of_the_whole_deck_meet_every_w2_and_dealer() -> None:
    for text in (AIMED[1], AIMED[14], *positions(1, 2)):
        locks_agree(text, WHOLE["as printed"])


def checks_agree(text: str, of: SolverProblem) -> None:
    position = Position(text, of)
    valued = {each.action: each.value for each in hint(of, position.view._replace(w2=0), 0, ignore_progress)}
    assert position.checked() == valued["check"], text


STAKED = {"main alone": problem(), "all that depends on the play": problem(NETS, 1, "regular-bonus", "bad-beat")}


@pytest.mark.more
@pytest.mark.compiled
@pytest.mark.parametrize("named", STAKED)
def test_checks_of_the_whole_deck_are_worth_what_hints_say(named: str) -> None:
    for text in (AIMED[20], *positions(1, 5)):
        checks_agree(text, STAKED[named])


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("named", STAKED)
def test_fifty_checks_of_the_whole_deck(named: str) -> None:
    for text in [*AIMED, *positions(26, 6)]:
        checks_agree(text, STAKED[named])


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("named", WHOLE)
def test_two_hundred_positions_of_the_whole_deck(named: str) -> None:
    for text in positions(150, 3):
        plays_agree(text, WHOLE[named])
    for text in [*AIMED, *positions(26, 4)]:
        locks_agree(text, WHOLE[named])


def test_nets_too_large_for_exact_values_are_refused() -> None:
    with pytest.raises(MagnitudeError, check=refusal("pays-too-large")):
        solve_deck((2, 3, 4), problem([1 << 40 for _ in NETS[1:]] + [0]), ignore_progress)


# The whole deck.  `pitboss solve shifting-wilds --json` prints the counts.

COUNTS = (
    13384830187501080, 38231748554340, 7687556436420, 17780704970496, 2140729704720, 217610247235140, 43723316366100,
    715064380596276, 131771892705300, 15689772847746544, 4718513163748980, 143910001231624, 0, 6155158697945680, 0,
    26462925858744, 6826409488200, 15668734863480, 2770108912584, 146259890435588, 35780608937136, 614146417033164,
    134928240450912, 19353569097519508, 7643202705950652, 308773870302144, 0, 16257972892051188, 0,
)  # fmt: skip
EXPECTED_VALUE = Fraction(-52186374896563, 1021578064006500)


@pytest.mark.long
@pytest.mark.compiled
def test_the_whole_deck_is_solved_to_the_last_deal() -> None:
    (solution,) = solve_from_scratch(problem(), (None,), ignore_progress)
    assert solution.counts == COUNTS
    assert compute_best_figures(range(13), problem(), ignore_progress).total == sum(map(mul, NETS, COUNTS))
    assert solution == solve(problem(), ignore_progress)
    assert sum(COUNTS) == comb(52, 2) * 50 * comb(49, 4) * 45 * comb(44, 4)
    assert solution.actions == {"fold": COUNTS[0], "lock": sum(COUNTS[1:15]), "play": sum(COUNTS[15:])}
    for bet in ("regular-bonus", "bad-beat"):
        assert sum(deals for deals, _ in solution.side_outcomes[bet]) == sum(COUNTS)


def test_the_counts_make_the_expected_value() -> None:
    value = Fraction(sum(net * count for net, count in zip(NETS, COUNTS, strict=True)), sum(COUNTS))
    assert value == EXPECTED_VALUE


@pytest.mark.long
@pytest.mark.compiled
def test_rounds_played_by_exact_values_agree() -> None:
    """Six hundred rounds of a fixed seed, each decision by laying out all that may follow: no part of the solver."""
    of, bits, tables = problem(), seeded_bits(8), load_hand_tables()
    values, paths = [], []
    for _ in range(600):
        state = rules.deal(shuffle_deck(DECK_52, bits), 1, 0, 0)
        valued = {each.action: each.value for each in hint(of, rules.view(state), 0, ignore_progress)}
        values.append(float(max(valued.values())))
        if valued["lock"] > valued["check"]:
            paths.append("lock")
            continue
        state = rules.act(state, rules.next_decision(tables, state, of.options), rules.CHECK, 0)
        valued = {each.action: each.value for each in hint(of, rules.view(state), 1, ignore_progress)}
        paths.append("play" if valued["play"] >= valued["fold"] else "fold")
    assert abs(np.mean(values) - float(EXPECTED_VALUE)) < 4 * np.std(values) / sqrt(len(values))
    for path, deals in (("fold", COUNTS[0]), ("lock", sum(COUNTS[1:15])), ("play", sum(COUNTS[15:]))):
        chance = deals / sum(COUNTS)
        assert abs(paths.count(path) / len(paths) - chance) < 4 * sqrt(chance * (1 - chance) / len(paths))
