"""Every bet and pay table a second way: counts from closed forms, expected values from the files as they stand.

The counts of hands in tests/counts are derived there by formulas and by multisets of ranks.  Here they are split and
put together into the outcomes of each bet.  C(n, k) is written ``comb``; ranks are 0..12, deuce to ace.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest

from pitboss.analysis.census import count_outcomes, explain_uncounted
from pitboss.analysis.par_sheet import build_par_sheet
from pitboss.contract import Game, PayTable, Wager
from pitboss.games import load_game, load_games
from pitboss.games.six_card.rules import settle_bad_beat
from pitboss.options import encode_options, resolve_options
from pitboss.paytables import get_wager_paytables, select_paytables

COUNTS = Path(__file__).parent.parent / "counts"
WINDOWS = [{(low - 1 + step) % 13 for step in range(5)} for low in range(10)]
QUEEN = 10
NATURAL = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
)

pytestmark = pytest.mark.compiled


@cache
def hands(deck: int, cards: int) -> Counter[str]:
    """Return how many of all hands fall in each category."""
    tables = tomllib.loads((COUNTS / "hands.toml").read_text(encoding="utf-8"))["count"]
    table = next(table for table in tables if (table["deck"], table["cards"]) == (deck, cards))
    return Counter({name: count for name, count in table.items() if name not in ("deck", "cards", "order")})


def within_a_straight(ranks: tuple[int, ...]) -> bool:
    """Tell whether different ranks lie within five in a row."""
    return any(window.issuperset(ranks) for window in WINDOWS)


def the_rest(counts: dict[str, int], deals: int, name: str = "lose") -> dict[str, int]:
    """Add the outcome that has all deals no other has."""
    return counts | {name: deals - sum(counts.values())}


def aces_up() -> dict[str, int]:
    """Split the pairs: five different ranks with the aces paired, no straight (A2345, TJQKA), no five of a suit."""
    rank_sets = comb(12, 4) - 2
    suits = 6 * 4**4 - 4 * 3
    paid = {name: hands(52, 6)[name] for name in NATURAL}
    return the_rest(paid | {"pair-of-aces": rank_sets * suits}, comb(52, 6))


def progressive() -> dict[str, int]:
    return the_rest({name: hands(52, 6)[name] for name in NATURAL[:6]}, comb(52, 6))


def queens_or_better() -> dict[str, int]:
    """Natural royals are four.  A pair of queens or better is natural, or a Joker and a high card of four.

    A Joker makes a straight or a flush of four ranks within five in a row or of one suit; two Jokers make trips.
    """
    natural_pairs = 3 * 6 * comb(12, 3) * 4**3
    lone = [ranks for ranks in combinations(range(13), 4) if ranks[3] >= QUEEN and not within_a_straight(ranks)]
    counted = hands(54, 5)
    paid = {name: counted[name] for name in (*NATURAL[1:], "five-of-a-kind")}
    paid |= {"natural-royal-flush": 4, "wild-royal-flush": counted["royal-flush"] - 4}
    return the_rest(paid | {"pair-of-queens-or-better": natural_pairs + 2 * len(lone) * (4**4 - 4)}, comb(54, 5))


def draw_bonus() -> dict[str, int]:
    """A natural royal flush leaves 49 cards for the sixth."""
    counted = hands(54, 6)
    paid = {name: counted[name] for name in (*NATURAL[1:], "five-of-a-kind")}
    paid |= {"natural-royal-flush": 4 * 49, "wild-royal-flush": counted["royal-flush"] - 4 * 49}
    return the_rest(paid, comb(54, 6))


def taxpayers_fortune() -> dict[str, int]:
    """Take each line's six cards, one of them last, by the tax on the five before it.

    Only a six-card straight is taxed in two ways: without an end card, or without a card between when the other
    five are of one suit, the first five are a straight or better; otherwise they are nothing.
    """
    lines = tomllib.loads((COUNTS / "six-card-hands.toml").read_text(encoding="utf-8"))
    straight = 2 * lines["six-card-straight"] + 9 * 4 * 4 * 3
    high = [line for line in lines if line not in ("deck", "cards", "six-card-straight", "three-pair")]
    paid = {f"tax-straight-or-better-{line}": 6 * lines[line] for line in high}
    paid["tax-straight-or-better-six-card-straight"] = straight
    paid["tax-one-pair-or-lower-six-card-straight"] = 6 * lines["six-card-straight"] - straight
    paid["tax-two-pair-three-pair"] = 6 * lines["three-pair"]
    first, sixth = hands(54, 5), 49
    taxed = {"two-pair": first["two-pair"] * sixth, "three-of-a-kind": first["three-of-a-kind"] * sixth}
    taxed["straight-or-better"] = sixth * sum(
        count for name, count in first.items() if name in NATURAL[:6] or name == "five-of-a-kind"
    )
    for tax, count in taxed.items():
        on_lines = sum(deals for name, deals in paid.items() if name.startswith(f"tax-{tax}-") and "lose" not in name)
        paid[f"tax-{tax}-lose"] = count - on_lines
    return the_rest(paid, comb(54, 6) * 6, "tax-one-pair-or-lower-lose")


def blackjack_bonus() -> dict[str, int]:
    """Count hands with no suit that has both, suit by suit, as the coefficient of x^4 of a fourth power."""
    with_both = [sum(comb(4, tens) * comb(8, size - 1 - tens) for tens in range(1, size)) for size in range(5)]
    one_suit = [comb(13, size) - with_both[size] for size in range(5)]
    product = [1, 0, 0, 0, 0]
    for _ in range(4):
        product = [sum(product[part] * one_suit[size - part] for part in range(size + 1)) for size in range(5)]
    both_anywhere = comb(52, 4) - comb(48, 4) - comb(36, 4) + comb(32, 4)
    suited = comb(52, 4) - product[4]
    unsuited = both_anywhere - suited
    return the_rest({"suited-blackjack": suited, "unsuited-blackjack": unsuited}, comb(52, 4))


def super_wager(akq_needs_no_pair: str = "off") -> dict[str, int]:
    """Ace-king-queen with two other ranks (not jack and ten), with one and a pair, or with two of them paired.

    Of one colour each rank has two cards; a hand of one colour is no more than two pair unless straight or flush.
    """
    same_coloured_straights = 10 * 2 * 2**5
    ranks = comb(10, 2) - 1
    no_pair, one_pair, two_pair = ranks * (4**5 - 4), 10 * 4 * 6 * 4**3, 3 * 6 * 6 * 4
    coloured = [ranks * (2 * 2**5 - 4), 2 * 10 * 4 * 2**3, 2 * 3 * 2]
    if akq_needs_no_pair == "on":
        one_pair = two_pair = coloured[1] = coloured[2] = 0
    flush = hands(52, 5)["flush"]
    paid = {
        "four-of-a-kind": 13 * 48,
        "same-coloured-straight": same_coloured_straights,
        "full-house": 13 * 4 * 12 * 6,
        "flush": flush,
        "straight": 10 * 4**5 - same_coloured_straights,
        "three-of-a-kind": 13 * 4 * comb(12, 2) * 16,
        "ace-king-queen": no_pair + one_pair + two_pair,
        "five-same-coloured": 2 * comb(26, 5) - same_coloured_straights - flush - sum(coloured),
    }
    return the_rest(paid, comb(52, 5))


def instant_cash() -> dict[str, int]:
    return the_rest({"royal-flush": 4, "straight-flush": 36}, comb(52, 5), "push")


def wild_52_bonus() -> dict[str, int]:
    """A line is made without the Joker where the natural cards make it; better lines come first.

    Natural four of a kind and the Joker are five of a kind.  Six natural cards with a straight flush are lifted to a
    royal by the Joker where four of the royal's cards are among them.
    """
    counted = hands(53, 7)
    quads, royals = hands(52, 7)["four-of-a-kind"], 4 * comb(48, 2)
    royal = {8, 9, 10, 11, 12}
    lifted = 0
    for suited in (5, 6):
        for ranks in map(set, combinations(range(13), suited)):
            makes = any(window <= ranks for window in WINDOWS) and not royal <= ranks
            lifted += 4 * comb(39, 6 - suited) * (makes and len(royal & ranks) == 4)
    straight_flushes = hands(52, 7)["straight-flush"] + hands(52, 6)["straight-flush"] - lifted
    paid = {
        "five-of-a-kind-aces": comb(48, 2),
        "five-of-a-kind-below-aces": 12 * comb(48, 2),
        "royal-flush-without-joker": royals,
        "royal-flush-with-joker": counted["royal-flush"] - royals,
        "straight-flush-without-joker": straight_flushes,
        "straight-flush-with-joker": counted["straight-flush"] - straight_flushes,
        "four-of-a-kind-without-joker": quads,
        "four-of-a-kind-with-joker": counted["four-of-a-kind"] - quads,
    }
    paid |= {name: counted[name] for name in ("full-house", "flush", "straight")}
    return the_rest(paid, comb(53, 7))


def wild_52_joker() -> dict[str, int]:
    return {"joker-in-community": 2, "joker-in-hand": 5, "lose": 46}


DERIVED: dict[tuple[str, str], Callable[[], dict[str, int]]] = {
    ("six-card", "aces-up"): aces_up,
    ("six-card", "progressive"): progressive,
    ("wild-six-card", "queens-or-better"): queens_or_better,
    ("wild-six-card", "draw-bonus"): draw_bonus,
    ("wild-six-card", "taxpayers-fortune"): taxpayers_fortune,
    ("shifting-wilds", "blackjack-bonus"): blackjack_bonus,
    ("lunar", "super"): super_wager,
    ("lunar", "multi-super"): super_wager,
    ("lunar", "dealer-super"): super_wager,
    ("lunar", "instant-cash"): instant_cash,
    ("wild-52", "bonus"): wild_52_bonus,
    ("wild-52", "joker"): wild_52_joker,
}


def counted_bets() -> Iterator[tuple[Game, Wager]]:
    """Yield every bet that has an exact sheet."""
    for game in load_games().values():
        options = resolve_options(game, {})
        for wager in (*game.wagers, *game.main_parts):
            if not explain_uncounted(game, wager, options):
                yield game, wager


def by_name(game: Game, wager: Wager, **options: str) -> dict[str, int]:
    """Count a bet's outcomes."""
    counts = count_outcomes(game, wager, resolve_options(game, options))
    return dict(zip((outcome.name for outcome in wager.outcomes), counts, strict=True))


def bet_named(game: Game, name: str) -> Wager:
    return next(wager for wager in (*game.wagers, *game.main_parts) if wager.id == name)


def test_every_counted_bet_is_derived_again() -> None:
    derived_below = {("six-card", "bad-beat")}
    assert {(game.id, wager.id) for game, wager in counted_bets()} == set(DERIVED) | derived_below


@pytest.mark.more
@pytest.mark.parametrize(("name", "bet"), DERIVED, ids=map("-".join, DERIVED))
def test_the_count_of_a_bet_is_its_closed_form(name: str, bet: str) -> None:
    game = load_game(name)
    assert by_name(game, bet_named(game, bet)) == DERIVED[name, bet]()


@pytest.mark.more
def test_ace_king_queen_without_pairs_is_counted_so() -> None:
    lunar = load_game("lunar")
    assert by_name(lunar, bet_named(lunar, "super"), akq_needs_no_pair="on") == super_wager("on")


@pytest.mark.more
@pytest.mark.parametrize("bet", ["queens-or-better", "draw-bonus", "taxpayers-fortune"])
def test_what_a_wild_is_in_a_flush_changes_no_line(bet: str) -> None:
    game = load_game("wild-six-card")
    wager = bet_named(game, bet)
    assert by_name(game, wager, wild_flush="any_card") == by_name(game, wager)


@pytest.mark.more
def test_bad_beat_lies_within_four_standard_errors_of_dealt_hands() -> None:
    from pitboss.kernels.batch_evaluation import compute_strengths

    game = load_game("six-card")
    wager = bet_named(game, "bad-beat")
    options = encode_options(game, resolve_options(game, {}))
    rounds, blocks = 250_000, 8
    generator = np.random.default_rng(20_100)
    seen: Counter[str] = Counter()
    for _ in range(blocks):
        decks = generator.permuted(np.tile(np.arange(52, dtype=np.int8), (rounds, 1)), axis=1)
        mine, dealers = compute_strengths(decks[:, :6].copy()), compute_strengths(decks[:, 6:12].copy())
        weaker = np.minimum(mine, dealers)
        # Any stronger hand will do beside the weaker one.
        pairs = np.stack([weaker, weaker + (mine != dealers)], axis=1)
        distinct, times = np.unique(pairs, axis=0, return_counts=True)
        for (loser, winner), often in zip(distinct.tolist(), times.tolist(), strict=True):
            seen[wager.outcomes[settle_bad_beat(loser, winner, options)].name] += often
    counts = by_name(game, wager)
    deals, dealt = sum(counts.values()), rounds * blocks
    assert deals == comb(52, 6) * comb(46, 6)
    for line, count in counts.items():
        probability = count / deals
        assert abs(seen[line] - dealt * probability) <= 4 * sqrt(dealt * probability * (1 - probability)), line


SHEETS = [(game, wager, table) for game, wager in counted_bets() for table in get_wager_paytables(game, wager)]


def as_filed(game: Game, table: PayTable) -> tuple[dict[str, tuple[Fraction, str]], Fraction]:
    """Return each line's pay and unit from the file itself, and the seed of its meter in dollars."""
    filed = tomllib.loads((game.folder / "paytables.toml").read_text(encoding="utf-8"))["paytable"]
    entry = next(entry for entry in filed if entry["id"] == table.id)
    lines = {}
    for line, pay in entry["lines"].items():
        written = pay if isinstance(pay, dict) else {"pay": pay}
        over, _, under = str(written["pay"]).partition(":")
        lines[line] = Fraction(int(over), int(under or 1)), written.get("unit", entry["unit"])
    return lines, Fraction(entry.get("progressive", {"seed_cents": 0})["seed_cents"], 100)


def net_of(outcome: str, lines: dict[str, tuple[Fraction, str]], seed: Fraction) -> Fraction:
    """Work out an outcome's net from its name alone."""
    if outcome.startswith("tax-"):
        tax = next(line for line in lines if line.startswith("tax-") and outcome.startswith(line))
        line = outcome.removeprefix(tax + "-")
        return (Fraction(0) if line == "lose" else lines[line][0]) - lines[tax][0]
    if outcome in ("lose", "push"):
        return Fraction(-1 if outcome == "lose" else 0)
    pay, unit = lines[outcome]
    return {"to_one": pay, "for_one": pay - 1, "percent_of_meter": pay / 100 * seed - 1}[unit]


@pytest.mark.parametrize(
    ("game", "wager", "table"),
    SHEETS,
    ids=[f"{game.id}-{wager.id}-{table.id}" for game, wager, table in SHEETS],
)
def test_the_figures_of_a_sheet_follow_from_its_file_and_the_closed_forms(
    game: Game, wager: Wager, table: PayTable
) -> None:
    derived = DERIVED.get((game.id, wager.id))
    counts = derived() if derived else by_name(game, wager)
    deals = sum(counts.values())
    lines, seed = as_filed(game, table)
    nets = {name: net_of(name, lines, seed) for name in counts}
    mean = sum((count * nets[name] for name, count in counts.items()), Fraction(0)) / deals
    spread = sum((count * (nets[name] - mean) ** 2 for name, count in counts.items()), Fraction(0)) / deals
    options = resolve_options(game, {})
    sheet = build_par_sheet(
        game, wager, select_paytables(game) | {table.kind: table}, options, count_outcomes(game, wager, options)
    )
    assert {line.outcome.name: line.net for line in sheet.lines} == nets
    assert sheet.deals == deals
    assert (sheet.expected_value, sheet.house_edge, sheet.variance) == (mean, -mean, spread)
    assert sheet.hit_frequency == Fraction(sum(count for name, count in counts.items() if nets[name] > 0), deals)


def test_bad_beat_pays_the_same_for_either_hand() -> None:
    game = load_game("six-card")
    assert all(count % 2 == 0 for count in by_name(game, bet_named(game, "bad-beat")).values())
