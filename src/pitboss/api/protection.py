"""What leaks of a game are worth, for callers."""

from collections.abc import Iterable
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

from pitboss.analysis.protection import (
    ANTE_CENTS,
    ROUNDS_PER_HOUR,
    SECONDS,
    WITHIN,
    ProtectionReport,
    ProtectionSettings,
    report_protection,
    verify_within,
)
from pitboss.api.arguments import (
    OptionInputs,
    PayTableInputs,
    accept_paytable,
    choose_terms,
    find_game,
    verify_progress,
)
from pitboss.api.game import HouseGame
from pitboss.core.arguments import verify_whole
from pitboss.core.errors import PitbossError, WagerError, quote
from pitboss.core.money import MAX_CENTS
from pitboss.core.progress import ProgressCallback
from pitboss.core.text import verify_text

_MOST_SECONDS, _MOST_ROUNDS, _SEEDS = 31_557_600, 10_000, 2**32


@accept_paytable
def protect(
    game: str | HouseGame,
    leaks: str | Iterable[str] = (),
    *,
    within: Fraction | float = WITHIN,
    seconds: int = SECONDS,
    ante_cents: int = ANTE_CENTS,
    rounds_per_hour: int = ROUNDS_PER_HOUR,
    seed: int = 1,
    paytables: PayTableInputs = None,
    options: OptionInputs = None,
    progress: ProgressCallback | None = None,
) -> ProtectionReport:
    """Measure what it is worth to see cards that a player should not see.

    ``leaks`` are ids, by default all of the game.  Small games are counted exactly.  Otherwise positions are dealt at
    random, by ``seed``, until the standard error of the gain is ``within`` of an Ante, or ``seconds`` are over.

    >>> import pitboss as pb
    >>> pb.protect("six-card", "dealer-9")
    Traceback (most recent call last):
    pitboss.core.errors.UnknownNameError: unknown leak 'dealer-9': did you mean 'dealer-3'? known: dealer-1, ...

    Raises:
        Error: the game, a leak, a table, an option or a number is not valid, or the game asks for no decision.
    """
    of_game = find_game(game)
    given: Any = leaks
    names = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    for name in names:
        verify_text(name, "the id of a leak", PitbossError)
    chosen = choose_terms(of_game, paytables, options)
    seconds = verify_whole(seconds, "the number of seconds", 1, _MOST_SECONDS)
    ante_cents = verify_whole(ante_cents, "the Ante, in cents,", 1, MAX_CENTS)
    rounds_per_hour = verify_whole(rounds_per_hour, "the number of rounds an hour", 1, _MOST_ROUNDS)
    seed = verify_whole(seed, "the seed", 0, _SEEDS - 1)
    if not _is_part(within):
        raise WagerError(
            f"within is {quote(within)}: give a part of an Ante, for example 0.001",
            code="invalid-within",
            within=quote(within),
        )
    terms = ProtectionSettings(verify_within(Fraction(within)), seconds, ante_cents, rounds_per_hour, seed)
    report = verify_progress(progress)
    return report_protection(of_game, chosen.paytables, chosen.options, names, terms, lambda _what: nullcontext(report))


def _is_part(value: object) -> bool:
    """Tell whether a value is a number from a millionth to 1."""
    return isinstance(value, Fraction | float | int) and not isinstance(value, bool) and 1e-6 <= value <= 1
