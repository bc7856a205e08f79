"""The protection report: what each leak of a game is worth to who uses it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.analysis.par_sheet import format_fraction
from pitboss.analysis.solutions import ScaledProblem, build_problem, get_solution
from pitboss.analysis.strategy_cost import OpenProgress, compute_expected_value
from pitboss.contract import Game, PayTable
from pitboss.core.errors import WagerError, quote
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.engine.card_leaks import CardLeak, LeakKind, SeenAspect, find_leak, list_leaks
from pitboss.engine.solver_lookup import can_solve

EXACT, SAMPLED, NESTED = "exact", "sampled", "nested"

WITHIN, SECONDS = Fraction(1, 1000), 60
ANTE_CENTS, ROUNDS_PER_HOUR = 2_500, 40

_EXPLOIT = {
    LeakKind.DEALER: "Play against the hands that the dealer can still have, not against all of them.",
    LeakKind.COMMUNITY: "Play as if you held the seen cards: bet early on what they make, otherwise bet the least.",
    LeakKind.STUB: "Draw when the seen cards make the hand, and stand when they do not.",
    LeakKind.NEIGHBOURS: "Count the neighbours' cards as dead, and decide close hands by the cards that are left.",
}
_DETECT = {
    LeakKind.DEALER: "Compare a seat's close decisions with hidden cards that nobody saw; watch how the hand is held.",
    LeakKind.COMMUNITY: "Compare a seat's early raises with cards opened later; watch how these are laid and covered.",
    LeakKind.STUB: "Compare a seat's draws with the cards that came; watch how the deck or the shuffler shows its top.",
    LeakKind.NEIGHBOURS: "Watch for talk and signals; compare close decisions with the hands of the adjacent seats.",
}
_MARKED = "Inspect the backs and edges of the cards for marks. "


@dataclass(frozen=True, slots=True)
class ProtectionSettings:
    """The settings of a protection report.

    ``within`` is the standard error, in Antes, down to which a sampled worth is found if ``seconds`` of sampling are
    enough.  A player stakes an Ante of ``ante_cents`` in ``rounds_per_hour`` rounds an hour.
    """

    within: Fraction = WITHIN
    seconds: int = SECONDS
    ante_cents: int = ANTE_CENTS
    rounds_per_hour: int = ROUNDS_PER_HOUR
    seed: int = 1


@dataclass(frozen=True, slots=True)
class LeakReport:
    """What a leak is worth to a player who uses it in the best way.

    ``method`` is ``exact``; ``sampled`` if positions were dealt at random and all that can follow each was counted; or
    ``nested`` if what follows was sampled too: the play found is then not quite the best one.  ``expected_value`` and
    ``gain``, what it is more than without the leak, are in Antes a round; with ``exact`` they are fractions, else
    ``standard_error`` is that of the gain and ``positions`` how many were dealt.  ``decisions_changed`` is the share of
    rounds in which another action is better at the first decision, and ``changed_error`` its standard error: with a
    census the share is sampled though the value is exact.  ``dollars_per_hour`` is the gain at the Ante and the rounds
    of the settings.  ``sees`` says which cards are seen, ``exploit`` how to play with them, and ``detect`` how a casino
    notices it.
    """

    id: str
    sees: str
    method: str
    expected_value: Fraction | float
    gain: Fraction | float
    standard_error: float
    decisions_changed: float
    changed_error: float
    positions: int
    dollars_per_hour: float
    exploit: str
    detect: str

    def to_dict(self) -> dict[str, Any]:
        """Return the data of one leak in ``pitboss protect --json``."""
        exact = (
            {"expected_value_exact": format_fraction(self.expected_value), "gain_exact": format_fraction(self.gain)}
            if isinstance(self.expected_value, Fraction) and isinstance(self.gain, Fraction)
            else {"positions": self.positions}
        )
        return {
            "id": self.id,
            "sees": self.sees,
            "method": self.method,
            "expected_value": float(self.expected_value),
            "standard_error": self.standard_error,
            "gain": float(self.gain),
            **exact,
            "dollars_per_hour": self.dollars_per_hour,
            "decisions_changed": self.decisions_changed,
            "changed_error": self.changed_error,
            "exploit": self.exploit,
            "detect": self.detect,
        }


@dataclass(frozen=True, slots=True)
class ProtectionReport:
    """The leaks of a game, the costliest first.

    ``expected_value`` is that of the best play without a leak, in Antes a round; None if the game is not solved.
    """

    game: str
    paytable: tuple[str, ...]
    options: Mapping[str, str]
    terms: ProtectionSettings
    expected_value: Fraction | None
    leaks: tuple[LeakReport, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the data of ``pitboss protect --json``."""
        plain = self.expected_value
        return {
            "game": self.game,
            "paytable": list(self.paytable),
            "options": dict(self.options),
            "within": float(self.terms.within),
            "ante_dollars": self.terms.ante_cents / 100,
            "rounds_per_hour": self.terms.rounds_per_hour,
            "seed": self.terms.seed,
            "expected_value": None if plain is None else float(plain),
            "expected_value_exact": None if plain is None else format_fraction(plain),
            "leaks": [leak.to_dict() for leak in self.leaks],
        }


def report_protection(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    names: Sequence[str],
    terms: ProtectionSettings,
    open_progress: OpenProgress,
) -> ProtectionReport:
    """Measure what leaks are worth: those of these names, or all.

    Raises:
        UnknownNameError: the game has no such leak.
        WagerError: the game asks for no decision.
    """
    leaks = tuple(find_leak(game, name) for name in dict.fromkeys(names)) or list_leaks(game)
    scaled, plain = build_problem(game, paytables, options), None
    if can_solve(game):
        with open_progress(f"main of {game.name}") as progress:
            solution = get_solution(game, paytables, options, progress)
        plain = compute_expected_value(game, paytables, options, solution)
    found = list[LeakReport]()
    for leak in leaks:
        with open_progress(f"{leak.id} of {game.name}") as progress:
            found.append(_measure(game, scaled, leak, terms, plain, progress))
    return ProtectionReport(
        game.id,
        tuple(paytables[kind].id for kind in game.main.paytable_kinds),
        options,
        terms,
        plain,
        tuple(sorted(found, key=lambda each: (-each.gain, each.id))),
    )


def verify_within(within: Fraction) -> Fraction:
    """Check that a standard error can be asked for, or raise WagerError."""
    if not Fraction(1, 1_000_000) <= within <= 1:
        raise WagerError(
            f"--within is {quote(str(within))} of an Ante: give from 0.0001% to 100%",
            code="invalid-within",
            within=str(within),
        )
    return within


def _measure(
    game: Game,
    scaled: ScaledProblem,
    leak: CardLeak,
    terms: ProtectionSettings,
    plain: Fraction | None,
    progress: ProgressCallback,
) -> LeakReport:
    # They load Numba.
    from pitboss.engine.leak_census import prepare_leak_census, value_with_leak
    from pitboss.engine.leak_estimate import estimate_leak_value
    from pitboss.engine.leak_visit import can_visit, compute_leak_value

    cards, unit = list(game.deck.cards), scaled.unit
    if can_visit(game, leak):
        worth = compute_leak_value(game, scaled.problem, cards, leak, progress)
        gain = (worth.value - worth.plain_value) / unit
        return _make_report(leak, EXACT, (worth.value / unit, gain, 0.0, float(worth.changed), 0.0, 0), terms)
    census = None if plain is None else prepare_leak_census(game, scaled.problem, cards, leak, terms.seconds)
    if plain is not None and census:
        value = value_with_leak(census, scaled.problem, progress) / unit
        dealt = estimate_leak_value(game, scaled.problem, cards, leak, unit, terms.seconds, terms.seed, ignore_progress)
        figures = value, value - plain, 0.0, dealt.changed, dealt.changed_error, 0
        return _make_report(leak, EXACT, figures, terms)
    within = float(terms.within) * unit
    found = estimate_leak_value(game, scaled.problem, cards, leak, within, terms.seconds, terms.seed, progress)
    base = found.plain_value / unit if plain is None else float(plain)
    worths = base + found.gain / unit, found.gain / unit, found.standard_error / unit
    estimated = *worths, found.changed, found.changed_error, found.positions
    return _make_report(leak, NESTED if found.nested else SAMPLED, estimated, terms)


def _make_report(
    leak: CardLeak,
    method: str,
    figures: tuple[Fraction | float, Fraction | float, float, float, float, int],
    terms: ProtectionSettings,
) -> LeakReport:
    value, gain, error, changed, changed_error, positions = figures
    return LeakReport(
        id=leak.id,
        sees=leak.sees,
        method=method,
        expected_value=value,
        gain=gain,
        standard_error=error,
        decisions_changed=changed,
        changed_error=changed_error,
        positions=positions,
        dollars_per_hour=float(value) * terms.ante_cents * terms.rounds_per_hour / 100,
        exploit=_EXPLOIT[leak.kind],
        detect=_DETECT[leak.kind] if leak.aspect is SeenAspect.CARD else _MARKED + _DETECT[leak.kind],
    )
