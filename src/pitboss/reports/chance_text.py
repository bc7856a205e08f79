"""The chances of an action in a sentence."""

from collections.abc import Iterable
from fractions import Fraction

from pitboss.analysis.outcome_chances import OutcomeChances


def describe_chances(name: str, chances: OutcomeChances) -> str:
    """Say of how many rounds in a hundred an action wins, pushes and loses.

    >>> chances = (Fraction(each, 1200) for each in (500, 3, 697, 400))
    >>> describe_chances("Play", OutcomeChances("play", 0, *chances))
    'Play wins 42 of 100 rounds, pushes fewer than 1 and loses 58. The dealer does not qualify in 33 of them.'
    >>> describe_chances("Fold", OutcomeChances("fold", 0, Fraction(0), Fraction(0), Fraction(1), Fraction(0)))
    'Fold always loses.'
    """
    verbs = {"wins": chances.wins, "pushes": chances.pushes, "loses": chances.loses}
    always = next((verb for verb, chance in verbs.items() if chance == 1), "")
    if always:
        return f"{name} always {always}."
    hundredths = dict(zip(verbs, share_hundred(verbs.values()), strict=True))
    first, *others = (f"{verb} {hundredths[verb] or 'fewer than 1'}" for verb, chance in verbs.items() if chance)
    counts = [f"{first} of 100 rounds", *others]
    text = f"{name} {', '.join(counts[:-1])} and {counts[-1]}."
    if not chances.unqualified:
        return text
    return f"{text} The dealer does not qualify in {round(100 * chances.unqualified) or 'fewer than 1'} of them."


def share_hundred(chances: Iterable[Fraction]) -> list[int]:
    """Round chances that add up to 1 to hundredths that add up to 100.

    Those with the largest remainders are rounded up.

    >>> share_hundred([Fraction(453, 1000), Fraction(22, 1000), Fraction(525, 1000)])
    [45, 2, 53]
    """
    exact = [100 * chance for chance in chances]
    shares = [int(each) for each in exact]
    by_remainder = sorted(range(len(exact)), key=lambda place: shares[place] - exact[place])
    for place in by_remainder[: 100 - sum(shares)]:
        shares[place] += 1
    return shares
