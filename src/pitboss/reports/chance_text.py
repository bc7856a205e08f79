"""The chances of an action, and of a draw, in a sentence."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor

from pitboss.analysis.draw_chances import DrawChances
from pitboss.analysis.outcome_chances import OutcomeChances
from pitboss.builders import display_name
from pitboss.core.joined_words import join_words
from pitboss.hands import format_hand, get_category_name
from pitboss.reports.formatting import write_minus

_FEW_OR_ALL = {0: "fewer than 1", 100: "more than 99"}
"""Words for a rounded share that is neither nothing nor all."""

_PLACES = 10_000
"""The unit in which a value is printed: four decimal places."""

_COUNTS = ("two ", "three ", "four ", "five ")
"""How the names of hands begin that have no article."""


def describe_chances(
    name: str, chances: OutcomeChances, fees: int = 0, *, counted: str = "", unit: str = "Antes"
) -> str:
    """Say of how many rounds in a hundred an action wins, pushes and loses.

    ``fees`` are the Antes paid for fees in the round.  They count, so that a round may win a wager and still be lost.
    ``counted`` names the wager that this is about, for a value that is of side wagers too.  What a win and a loss are
    on average, in ``unit``, explains values where the number of wins does not: stakes differ.

    >>> chances = (Fraction(each, 1200) for each in (500, 3, 697, 400))
    >>> describe_chances("Play", OutcomeChances("play", 0, *chances))
    'Play wins 42 of 100 rounds and loses 58. In 33 of the 100 the dealer does not qualify.'
    >>> describe_chances("Fold", OutcomeChances("fold", 0, Fraction(0), Fraction(0), Fraction(1), Fraction(0)))
    'Fold always loses.'
    >>> even = OutcomeChances("take-ante", 0, Fraction(0), Fraction(1), Fraction(0), Fraction(0))
    >>> describe_chances("Take the Ante", even, fees=1)
    'Take the Ante wins one Ante, and the fee of one Ante is paid: 0 in all.'
    >>> force = OutcomeChances("force", 0, Fraction(0), Fraction(17, 100), Fraction(83, 100), Fraction(71, 100))
    >>> describe_chances("Force", force, fees=2)[:71]
    'Force pushes 17 of 100 rounds and loses 83, the fees of two Antes count'
    >>> chances = OutcomeChances("play", 0, Fraction(0), Fraction(0), Fraction(1), Fraction(17, 100))
    >>> describe_chances("Play", chances)
    'Play always loses. The dealer qualifies in 83 of 100 rounds.'
    >>> chances = OutcomeChances("play", 0, Fraction(999, 1000), Fraction(0), Fraction(1, 1000), Fraction(0))
    >>> describe_chances("Play", chances)
    'Play almost always wins.'
    >>> chances = OutcomeChances("play", 0, Fraction(1, 900), Fraction(1, 900), Fraction(898, 900), Fraction(0))
    >>> describe_chances("Play", chances)
    'Play almost never wins.'
    >>> lock = OutcomeChances("lock", 0, Fraction(13, 20), Fraction(1, 100), Fraction(17, 50), Fraction(0))
    >>> describe_chances("Lock", lock, counted="Ante, Blind, and Lock or Play")
    'Lock wins 65 of 100 rounds, pushes 1 and loses 34 (counting Ante, Blind, and Lock or Play alone).'
    >>> shares = (Fraction(each, 100) for each in (45, 2, 53, 16, 21, 90, 106))
    >>> describe_chances("Check", OutcomeChances("check", 0, *shares))[52:]
    'A win brings 2.00 Antes on average, a loss costs 2.00. In 21 of the 100 you fold later, and in 16 you play on and \
the dealer does not qualify.'
    """
    alone = f" (counting {counted} alone)" if counted else ""
    verbs = {"wins": chances.wins, "pushes": chances.pushes, "loses": chances.loses}
    always = next((verb for verb, chance in verbs.items() if chance == 1), "")
    if always == "pushes" and fees:
        return f"{name} wins {_count_antes(fees)}, and {_name_fees(fees)} {'are' if fees > 1 else 'is'} paid: 0 in all."
    if always and not chances.folds:
        qualifies = round(100 * (1 - chances.unqualified)) or "fewer than 1"
        dealer = f" The dealer qualifies in {qualifies} of 100 rounds." if chances.unqualified else ""
        return f"{name} always {always}{alone}.{dealer}"
    if always:
        return f"{name} always {always}{alone}.{_describe_rest(chances)}"
    hundredths = dict(zip(verbs, share_hundred(verbs.values()), strict=True))
    first, *others = (f"{verb} {count}" for verb, count in hundredths.items() if count)
    counts = join_words([f"{first} of 100 rounds", *others]) if others else _name_nearly_all(chances)
    paid = f", {_name_fees(fees)} counted" if fees else ""
    text = f"{name} {counts}{paid}{alone}."
    if chances.won and chances.lost:
        means = [f"{float(each):.2f}" for each in (chances.mean_win, chances.mean_loss)]
        text += f" A win brings {means[0]} {unit} on average, a loss costs {means[1]}."
    return text + _describe_rest(chances)


def _name_nearly_all(chances: OutcomeChances) -> str:
    """Say what happens in more than 99 of 100 rounds, and not in all."""
    if chances.loses > max(chances.wins, chances.pushes):
        return "almost never wins" if chances.wins else "almost always loses"
    return f"almost always {'wins' if chances.wins > chances.pushes else 'pushes'}"


def _describe_rest(chances: OutcomeChances) -> str:
    """Say how often the player folds later and the dealer does not qualify.

    The dealer counts in the rounds that are not folded.
    """
    folds, unqualified = (
        chance and (round(100 * chance) or "fewer than 1") for chance in (chances.folds, chances.unqualified)
    )
    if not folds or chances.folds == 1:
        return f" In {unqualified} of the 100 the dealer does not qualify." if unqualified else ""
    dealer = f", and in {unqualified} you play on and the dealer does not qualify" if unqualified else ""
    return f" In {folds} of the 100 you fold later{dealer}."


def describe_parts(name: str, parts: Sequence[tuple[str, Fraction]]) -> str:
    """Say what each wager is worth after an action.

    As printed, they add up to its value.

    >>> parts = [("Ante", Fraction(-6, 5)), ("Bonus", Fraction(1, 3)), ("Bad Beat", Fraction(1, 3))]
    >>> describe_parts("Lock", parts)
    'Lock is worth, by wager: Ante −1.2000; Bonus +0.3334; Bad Beat +0.3333.'
    """
    shown = round_parts([value for _, value in parts])
    listed = "; ".join(f"{wager} {write_minus(f'{each:+.4f}')}" for (wager, _), each in zip(parts, shown, strict=True))
    return f"{name} is worth, by wager: {listed}."


def describe_gain(
    name: str, parts: Sequence[tuple[str, Fraction]], other: str, other_parts: Sequence[tuple[str, Fraction]]
) -> str:
    """Say on which wager the better of two actions gains most.

    >>> check = [("Ante", Fraction(1)), ("Bad Beat", Fraction(5))]
    >>> lock = [("Ante", Fraction(2)), ("Bad Beat", Fraction(0))]
    >>> describe_gain("Check", check, "Lock", lock)
    'Check gains most on Bad Beat: 5.0000 more than Lock.'
    """
    gains = {wager: value - worse for (wager, value), (_, worse) in zip(parts, other_parts, strict=True)}
    wager = max(gains, key=lambda each: gains[each])
    return f"{name} gains most on {wager}: {float(gains[wager]):.4f} more than {other}."


def round_parts(parts: Sequence[Fraction]) -> list[float]:
    """Round the parts of a value to four places; the sum is that of the value.

    Those with the largest remainders are rounded up.

    >>> round_parts([Fraction(-1, 3), Fraction(-1, 3), Fraction(-1, 3)])
    [-0.3333, -0.3333, -0.3334]
    """
    total = int(round(Decimal(float(sum(parts))), 4) * _PLACES)
    return [each / _PLACES for each in _round_to_total([each * _PLACES for each in parts], total)]


def describe_fees(names: Sequence[str], fees: int) -> str:
    """Say which actions pay fees where their chances are not known.

    >>> describe_fees(["Buy", "Exchange 2", "Exchange 3"], 1)
    'Buy, Exchange 2 and Exchange 3 pay the fee of one Ante, which is lost whatever comes; the values count it.'
    >>> describe_fees(["Fold", "Play"], 2)
    'Fold and Play pay the fees of two Antes, which are lost whatever comes; the values count them.'
    """
    listed = join_words(names)
    is_one = fees == 1
    pay = "pays" if len(names) == 1 else "pay"
    return (
        f"{listed} {pay} {_name_fees(fees)}, which {'is' if is_one else 'are'} lost whatever comes; the values count "
        f"{'it' if is_one else 'them'}."
    )


def describe_draw_odds(name: str, chances: DrawChances) -> str:
    """Say what a draw keeps or gives up, and how often it makes which hand.

    >>> from pitboss.hands import pack_lowest_strength
    >>> pair, two_pair = pack_lowest_strength(1), pack_lowest_strength(2)
    >>> steps = ((pair, Fraction(1)), (two_pair, Fraction(11, 46)))
    >>> describe_draw_odds("Buy", DrawChances("buy", 0, 0x199742, steps))
    'Buy keeps your pair of nines and makes two pair or better in 24 of 100 draws.'
    >>> steps = ((0xED000, Fraction(1, 2)), (pair, Fraction(44, 100)), (two_pair, Fraction(1, 1000)))
    >>> describe_draw_odds("Exchange 2 9s 9d", DrawChances("exchange-2", 0, 0x199742, steps))
    'Exchange 2 9s 9d gives up your pair of nines: it makes ace-king or better in 50 of 100 draws, a pair or better in \
44 and two pair or better in fewer than 1.'
    >>> describe_draw_odds("Exchange 2 4s 2d", DrawChances("exchange-2", 0, 0xC9742, steps[1:2]))
    'Exchange 2 4s 2d makes a pair or better in 44 of 100 draws.'
    >>> lost = DrawChances("exchange-2", 0, 0x799992, ((pack_lowest_strength(7), Fraction(0)),))
    >>> describe_draw_odds("Exchange 2 9s 9d", lost)
    'Exchange 2 9s 9d gives up your four of a kind, nines.'
    >>> steps = ((two_pair, Fraction(1)), (3 << 20, Fraction(4, 46)))
    >>> describe_draw_odds("Buy", DrawChances("buy", 0, 0x299447, steps))
    'Buy keeps your two pair, nines and fours, and makes three of a kind or better in 9 of 100 draws.'
    """
    held, hand = chances.held_step, format_hand(chances.held)
    makes = _describe_steps(
        [
            (step, chance)
            for step, chance in chances.steps
            if chance and not (chances.is_kept and held is not None and step <= held)
        ]
    )
    if held is None:
        return f"{name} {makes or f'never makes {_name_step(chances.steps[0][0])} or better'}."
    if chances.is_kept:
        also = ", and" if "," in hand else " and"
        return f"{name} keeps your {hand}{makes and f'{also} {makes}'}."
    return f"{name} gives up your {hand}{makes and f': it {makes}'}."


def _describe_steps(steps: Sequence[tuple[int, Fraction]]) -> str:
    """Say in how many of a hundred draws a hand is at each step.

    It is "" without steps.
    """
    made = list[str]()
    for step, chance in steps:
        hundredths = round(100 * chance)
        often = hundredths if chance == 1 else _FEW_OR_ALL.get(hundredths, hundredths)
        made.append(f"{_name_step(step)} or better in {often}{'' if made else ' of 100 draws'}")
    return f"makes {join_words(made)}" if made else ""


def _name_step(step: int) -> str:
    """Name the lowest hand of a step.

    >>> [_name_step(step) for step in (0x0ED000, 0x100000, 0x200000)]
    ['ace-king', 'a pair', 'two pair']
    """
    category = get_category_name(step)
    if category == "high-card":
        return format_hand(step).removesuffix(" high")
    words = display_name(category)
    return words if words.startswith(_COUNTS) else f"a {words}"


def describe_kept_hand(name: str, held: int) -> str:
    """Say which hand an action without a draw keeps.

    >>> describe_kept_hand("Play", 0x199742)
    'Play keeps your pair of nines.'
    """
    return f"{name} keeps your {format_hand(held)}."


def describe_best_fold(name: str, cost: int) -> str:
    """Say what a fold costs exactly, in Antes, where no other action is better.

    >>> describe_best_fold("Fold", 1)
    'Fold costs exactly one Ante, whatever comes; no other choice costs less on average.'
    """
    return f"{name} costs exactly {_count_antes(cost)}, whatever comes; no other choice costs less on average."


def _name_fees(fees: int) -> str:
    return f"the fee{'s' if fees > 1 else ''} of {_count_antes(fees)}"


def _count_antes(count: int) -> str:
    words = {1: "one Ante", 2: "two Antes"}
    return words.get(count, f"{count} Antes")


def share_hundred(chances: Iterable[Fraction]) -> list[int]:
    """Round chances that add up to 1 to hundredths that add up to 100.

    Those with the largest remainders are rounded up.

    >>> share_hundred([Fraction(453, 1000), Fraction(22, 1000), Fraction(525, 1000)])
    [45, 2, 53]
    """
    return _round_to_total([100 * chance for chance in chances], 100)


def _round_to_total(exact: Sequence[Fraction], total: int) -> list[int]:
    """Round to whole numbers with a sum; the largest remainders are rounded up."""
    shares = [floor(each) for each in exact]
    by_remainder = sorted(range(len(exact)), key=lambda place: shares[place] - exact[place])
    for place in by_remainder[: total - sum(shares)]:
        shares[place] += 1
    return shares
