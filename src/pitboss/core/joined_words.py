"""Words joined as in a sentence."""

from collections.abc import Iterable


def join_words(words: Iterable[str], conjunction: str = "and") -> str:
    """Join words with commas, and with a conjunction before the last.

    >>> join_words(["Ante", "Bet", "Super"]), join_words(["2", "3"], "or"), join_words(["Ante"]), join_words([])
    ('Ante, Bet and Super', '2 or 3', 'Ante', '')
    """
    *others, last = ("", *words)
    return f"{', '.join(others[1:])} {conjunction} {last}" if others[1:] else last
