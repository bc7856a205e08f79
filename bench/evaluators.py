"""The evaluator beside others, measured in one run on one core: ``make bench``.

Calls with one hand stand beside calls with one hand, loops over arrays beside compiled loops.  Every evaluator gets the
same hands, in the form its public call takes them, made before the clock starts; each figure is the median of several
runs.  One that is not installed is skipped, and said to be; ``make bench`` installs those for Python.  The tables
printed are those of docs/performance.md.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import combinations, islice
from math import comb
from pathlib import Path
from statistics import median
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from bench.ompeval import time_ompeval
from pitboss import evaluate
from pitboss.cards import DECK_52, DECK_53, DECK_54, format_card
from pitboss.hands import FIVE_FIRST, STRAIGHT_FLUSH, format_hand, get_category_name
from pitboss.kernels.batch_evaluation import compute_strengths, count_categories

HERE = Path(__file__).resolve().parent
NODE_MODULES = HERE.parent / ".cache" / "bench" / "node_modules"
NODE_INSTALL = "npm install --install-links --no-package-lock --prefix .cache/bench ./bench"
RUNS = 5
HANDS = 1_000_000
# The others take from 10 microseconds to a millisecond a hand.
HANDS_OF_PYTHON = 50_000
HANDS_OF_NODE = 5_000
Hands = NDArray[np.uint8]


@dataclass(frozen=True)
class Measured:
    """Microseconds of one call with one hand, of random hands and of hands in order."""

    name: str
    call: str
    random: float
    in_order: float


def main() -> None:
    """Measure, compare and print."""
    numba.set_num_threads(1)
    random, in_order = random_hands(7, HANDS), hands_in_order(7, HANDS)
    show_calls(random, in_order)
    show_loops(random, in_order)
    show_whole_decks()
    show_two_jokers()


def show_calls(random: Hands, in_order: Hands) -> None:
    """Print what one call with one hand takes."""
    show(f"## Seven cards of 52, one hand a call, microseconds ({machine()})\n")
    show("| evaluator | call | random | in order |\n|---|---|--:|--:|")
    skipped = []
    for measure in (evaluate_text, phevaluator_text, phevaluator, treys, pokersolver):
        one = measure(random, in_order)
        if isinstance(one, str):
            skipped.append(one)
        else:
            show(f"| {one.name} | {one.call} | {one.random:.2f} | {one.in_order:.2f} |")
    for why in dict.fromkeys(skipped):
        show(f"\nSkipped: {why}")


def show_loops(random: Hands, in_order: Hands) -> None:
    """Print how many hands a second go through compiled loops over the same bytes, and over a deck."""
    show("\n## Seven cards of 52, in compiled loops, hands a second on one core\n")
    show("| evaluator | loop | random | in order | every hand of a deck |\n|---|---|--:|--:|--:|")
    deck = comb(52, 7)
    ours = (
        hands_a_second(partial(compute_strengths, random), HANDS),
        hands_a_second(partial(compute_strengths, in_order), HANDS),
        hands_a_second(partial(count_categories, DECK_52, 7), deck),
    )
    speeds = " | ".join(f"{speed:,.0f}" for speed in ours)
    show(f"| pitboss {version('pitboss')} | `compute_strengths(array)`, `count_categories(deck, 7)` | {speeds} |")
    timed = time_ompeval(random, RUNS), time_ompeval(in_order, RUNS)
    if isinstance(timed[0], str) or isinstance(timed[1], str):
        show(f"\nSkipped: {timed[0]}")
        return
    assert_same_order(random, [-rank for rank in timed[0].ranks])
    counts = count_categories(DECK_52, 7)
    if timed[0].counts != [*counts[:STRAIGHT_FLUSH], sum(counts[STRAIGHT_FLUSH:])]:
        raise AssertionError("the evaluators do not count alike")
    theirs = (HANDS / timed[0].file_seconds, HANDS / timed[1].file_seconds, deck / timed[0].deck_seconds)
    show(
        "| OMPEval | `evaluate(sum of seven Hand)`, no checks | "
        + " | ".join(f"{speed:,.0f}" for speed in theirs)
        + " |"
    )


def show(line: str) -> None:
    """Print a line at once: the whole takes a minute."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def machine() -> str:
    """Return what the figures were measured on."""
    cpus = Path("/proc/cpuinfo")
    names = [line.split(":")[1].strip() for line in cpus.read_text().splitlines() if "model name" in line]
    return f"{names[0]}, Python {platform.python_version()}, Numba {numba.__version__}"


def random_hands(cards: int, hands: int, deck: int = 52) -> Hands:
    """Return so many random hands, the same ones each time, of shape (hands, cards)."""
    shuffled = np.random.default_rng(cards).random((hands, deck)).argsort(axis=1)
    return np.ascontiguousarray(shuffled[:, :cards].astype(np.uint8))


def hands_in_order(cards: int, hands: int) -> Hands:
    """Return the first hands in the order in which nested loops over the deck make them."""
    return np.array(list(islice(combinations(range(52), cards), hands)), np.uint8)


def hands_a_second(evaluate: Callable[[], object], hands: int) -> float:
    """Return the median over the runs, of processor time; the first one, which may compile, is not counted."""
    evaluate()
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        evaluate()
        seconds.append(time.process_time() - start)
    return hands / median(seconds)


def assert_same_order(hands: Hands, low_is_good: Sequence[int]) -> None:
    """Check that another evaluator's numbers, the best hand's the lowest, put the hands in our order."""
    both = {
        (strength, -number) for strength, number in zip(compute_strengths(hands).tolist(), low_is_good, strict=True)
    }
    ordered = sorted(both)
    if ordered != sorted(both, key=lambda pair: pair[1]) or len({number for _, number in both}) != len(both):
        raise AssertionError("the evaluators do not agree")


def microseconds(evaluate: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    """Return what one call takes in a loop over the hands, the loop included."""

    def loop() -> None:
        for hand in inputs:
            evaluate(hand)

    return 1e6 / hands_a_second(loop, len(inputs))


def written(hands: Hands) -> list[list[str]]:
    """Return hands as text, a word a card."""
    return [[format_card(code, DECK_52) for code in hand] for hand in hands[:HANDS_OF_PYTHON].tolist()]


def evaluate_text(random: Hands, in_order: Hands) -> Measured:
    """Measure our ``evaluate`` on hands written as text."""
    speeds = [microseconds(evaluate, [" ".join(hand) for hand in written(hands)]) for hands in (random, in_order)]
    return Measured(f"pitboss {version('pitboss')}", '`evaluate("As Kd Qh Jc Ts 2d 3h")`', *speeds)


def phevaluator_text(random: Hands, in_order: Hands) -> Measured | str:
    """Measure phevaluator's ``evaluate_cards`` on cards written as text, as ours takes them."""
    try:
        from phevaluator import evaluate_cards
    except ModuleNotFoundError:
        return "phevaluator is not installed (make bench)"
    speeds = [microseconds(lambda hand: evaluate_cards(*hand), written(hands)) for hands in (random, in_order)]
    return Measured(f"phevaluator {version('phevaluator')}", '`evaluate_cards("As", "Kd", ...)`', *speeds)


def phevaluator(random: Hands, in_order: Hands) -> Measured | str:
    """Measure phevaluator's ``evaluate_cards`` on integers, the fastest form it takes."""
    try:
        from phevaluator import evaluate_cards
    except ModuleNotFoundError:
        return "phevaluator is not installed (make bench)"

    def numbers(hands: Hands) -> list[int]:
        return [evaluate_cards(*hand) for hand in hands]

    inputs = [
        (hands[:HANDS_OF_PYTHON] % 13 * 4 + hands[:HANDS_OF_PYTHON] // 13).tolist() for hands in (random, in_order)
    ]
    assert_same_order(random[:HANDS_OF_PYTHON], numbers(inputs[0]))
    speeds = [1e6 / hands_a_second(partial(numbers, hands), HANDS_OF_PYTHON) for hands in inputs]
    return Measured(f"phevaluator {version('phevaluator')}", "`evaluate_cards(*integers)`", *speeds)


def treys(random: Hands, in_order: Hands) -> Measured | str:
    """Measure treys' ``Evaluator.evaluate`` on its own card integers."""
    try:
        from treys import Card, Evaluator
    except ModuleNotFoundError:
        return "treys is not installed (make bench)"
    evaluator = Evaluator()
    codes = [Card.new(format_card(code, DECK_52)) for code in DECK_52.cards]

    def numbers(hands: list[list[int]]) -> list[int]:
        return [evaluator.evaluate(hand[:2], hand[2:]) for hand in hands]

    inputs = [[[codes[code] for code in hand] for hand in hands[:HANDS_OF_PYTHON]] for hands in (random, in_order)]
    assert_same_order(random[:HANDS_OF_PYTHON], numbers(inputs[0]))
    speeds = [1e6 / hands_a_second(partial(numbers, hands), HANDS_OF_PYTHON) for hands in inputs]
    return Measured(f"treys {version('treys')}", "`Evaluator().evaluate(integers, integers)`", *speeds)


def solve_in_node(hands: list[list[str]], game: str, runs: int) -> dict[str, Any] | str:
    """Have pokersolver solve hands; return its answer, or why there is none."""
    node = shutil.which("node")
    if node is None:
        return "pokersolver needs Node, which is not installed"
    if not (NODE_MODULES / "pokersolver").is_dir():
        return f"pokersolver is not installed ({NODE_INSTALL})"
    question = json.dumps({"hands": hands, "game": game, "runs": runs})
    command = [node, str(HERE / "pokersolver.js")]
    found_here = os.environ | {"NODE_PATH": str(NODE_MODULES)}
    answer = subprocess.run(  # noqa: S603  the script is ours
        command, input=question, capture_output=True, text=True, check=True, env=found_here
    )
    solved: dict[str, Any] = json.loads(answer.stdout)
    return solved


def pokersolver(random: Hands, in_order: Hands) -> Measured | str:
    """Measure pokersolver's ``Hand.solve``, timed inside Node."""
    speeds = []
    for hands in (random, in_order):
        names = [[format_card(code, DECK_52) for code in hand] for hand in hands[:HANDS_OF_NODE].tolist()]
        answer = solve_in_node(names, "standard", RUNS + 1)
        if isinstance(answer, str):
            return answer
        speeds.append(1e6 * median(answer["seconds"][1:]) / HANDS_OF_NODE)
    release = json.loads((NODE_MODULES / "pokersolver" / "package.json").read_text(encoding="utf-8"))["version"]
    return Measured(f"pokersolver {release} (Node)", "`Hand.solve(hand)`", *speeds)


def show_whole_decks() -> None:
    """Print how fast every hand of a deck is evaluated, Jokers wild."""
    show("\n## Every hand of a deck, one by one, hands a second on one core\n")
    show("| cards | of 52 | of 53 (a Joker) | of 54 (two Jokers) |\n|--:|--:|--:|--:|")
    for cards in (5, 6, 7):
        speeds = [
            hands_a_second(partial(count_categories, deck, cards), comb(deck.size, cards))
            for deck in (DECK_52, DECK_53, DECK_54)
        ]
        show(f"| {cards} | " + " | ".join(f"{speed:,.0f}" for speed in speeds) + " |")


def show_two_jokers() -> None:
    """Print hands of seven cards with two Jokers that pokersolver decides wrongly, and who says so."""
    sys.path.append(str(HERE.parent / "tests"))
    from oracle.naive import best_hand

    naturals = random_hands(5, 20_000)
    held = [[format_card(code, DECK_52) for code in hand] for hand in naturals.tolist()]
    answer = solve_in_node([[*hand, "Or", "Ob"] for hand in held], "joker", 1)
    if isinstance(answer, str):
        show(f"\nTwo Jokers: skipped, {answer}")
        return
    # The order of Joker video poker: a natural royal flush, five of a kind, then the wild royal flush.
    ours = compute_strengths(naturals, 2, FIVE_FIRST).tolist()
    wrong: dict[tuple[str, str], list[int]] = {}
    for hand, (solved, strength) in enumerate(zip(answer["solved"], ours, strict=True)):
        difference = category_of(solved), get_category_name(strength)
        straight = "straight" in difference[0]
        if difference[0] != difference[1] or (straight and solved[2][:5] != ranks_of(strength)):
            wrong.setdefault(difference, []).append(hand)
    count = sum(map(len, wrong.values()))
    show(f"\n## Two Jokers among seven cards: pokersolver decides {count:,} of {len(ours):,} random hands wrongly\n")
    show("| hands | for example, and two Jokers | pokersolver | pitboss | the slow oracle |\n|--:|---|---|---|---|")
    for hands in wrong.values():
        hand = hands[0]
        name, ranks = best_hand(naturals[hand].tolist(), 2, five_first=True)
        solved = f"{answer['solved'][hand][1]} ({' '.join(map(str, answer['solved'][hand][2][:5]))})"
        oracle = f"{name} ({' '.join(map(str, ranks))})"
        if (name, list(ranks)) != (get_category_name(ours[hand]), ranks_of(ours[hand])):
            raise AssertionError(f"pitboss and the oracle differ on {held[hand]}")
        show(f"| {len(hands)} | {' '.join(held[hand])} | {solved} | {format_hand(ours[hand])} | {oracle} |")


def category_of(solved: list[Any]) -> str:
    """Return our name of the category that pokersolver found; its royal flush is told in the description."""
    return "royal-flush" if "Royal" in solved[1] else solved[0].lower().replace(" ", "-")


def ranks_of(strength: int) -> list[int]:
    """Return the five ranks of a strength."""
    return [strength >> shift & 15 for shift in (16, 12, 8, 4, 0)]


if __name__ == "__main__":
    main()
