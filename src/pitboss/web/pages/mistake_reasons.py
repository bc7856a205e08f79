"""The words on why a choice was a mistake: how it wins, and on which wagers."""

import re
from collections.abc import Iterable, Sequence

from pitboss.reports.chance_text import describe_gain
from pitboss.web.jobs.study_reasons import StudyReasons


def describe_by_wager(reasons: StudyReasons, chosen: str, best: str) -> tuple[str, ...]:
    """Say what each wager adds to both choices, and where the best one gains.

    There is nothing to say where the main wager is all that counts.
    """
    worse, better = reasons.find_parts(chosen), reasons.find_parts(best)
    if worse is None or better is None:
        return ()
    return worse.sentence, better.sentence, describe_gain(best, better.parts, chosen, worse.parts)


def select_reasons(sentences: Iterable[str], names: Sequence[str], values: Sequence[float] = ()) -> tuple[str, ...]:
    """Return the sentences that begin with a name, one for all that say the same.

    If they say the same and yet the ``values`` of the names differ, it says what each is worth: in the sentence that
    says what is alike, before what else there is to say.

    >>> select_reasons(["Check wins 7 of 10.", "Play again wins 7 of 10.", "Fold loses."], ["Check ", "Play again "])
    ('Either choice wins 7 of 10.',)
    >>> select_reasons(["Check wins 7 of 10.", "Fold loses."], ["Check ", "Fold "])
    ('Check wins 7 of 10.', 'Fold loses.')
    >>> always = "always loses. The dealer qualifies in 83."
    >>> print(*select_reasons([f"Play {always}", f"Fold {always}"], ["Play ", "Fold "], (-1.6613, -1)))
    Either choice always loses, but not as much: on average Play loses 1.6613, Fold 1.0000. The dealer qualifies in 83.
    >>> select_reasons(["2s wins 7 of 10.", "3s wins 7 of 10."], ["2s ", "3s "], (0.25, 0.5))
    ('Either choice wins 7 of 10, but not as much: on average 2s wins 0.2500, 3s 0.5000.',)
    >>> select_reasons(["2s makes a pair.", "3s makes a pair."], ["2s ", "3s "], (0.25, 0.5))
    ('Either choice makes a pair, but they are not worth the same: on average 2s wins 0.2500, 3s 0.5000.',)
    """
    said = [(name, each) for each in sentences for name in names if each.startswith(name)]
    if len({each.removeprefix(name) for name, each in said}) == 1 < len(said):
        name, sentence = said[0]
        alike, _, more = sentence.removeprefix(name).removesuffix(".").partition(". ")
        contrast = "not as much" if re.search(r"\b(wins|pushes|loses)\b", alike) else "they are not worth the same"
        text = f"Either choice {alike}{_compare_values(names, values, contrast)}."
        return (f"{text} {more}." if more else text,)
    return tuple(each for _, each in said)


def _compare_values(names: Sequence[str], values: Sequence[float], contrast: str) -> str:
    """Say what two choices are worth on average, "" if that is the same."""
    shown = [f"{abs(value):.4f}" for value in values]
    if len(set(shown)) < len(names) or len({value < 0 for value in values}) > 1:
        return ""
    verb = "loses" if values[0] < 0 else "wins"
    (first, *others) = (f"{name}{amount}" for name, amount in zip(names, shown, strict=True))
    name, _, amount = first.rpartition(" ")
    return f", but {contrast}: on average {', '.join((f'{name} {verb} {amount}', *others))}"
