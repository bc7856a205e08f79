"""Puzzles at large: drawn positions that are close, and cost much to miss.

A batch is drawn from a seed, so it is the same for everybody and in every process.
"""

from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from pitboss.analysis.position import format_view_cards
from pitboss.builders import capitalize_first, display_name
from pitboss.cards import seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Decision, Game
from pitboss.engine.solvers import can_solve
from pitboss.games import load_games
from pitboss.table.round import DecisionMade, Round
from pitboss.table.round.bots import choose_bot_action, get_default_bot
from pitboss.web.jobs.coach import build_hint_job, open_minimum_round
from pitboss.web.jobs.spec import PUZZLES, JobSpec
from pitboss.web.jobs.worker import report_job_progress

DRAWN = 6
"""The positions that a batch draws."""

MOST_PUZZLES = 2
"""The most puzzles of a batch: of the positions drawn, those whose best action is closest to the next.

In a batch of large ones they are those where the next best action costs most.
"""

LEAST_GAP = Fraction(1, 100)
"""A position whose second best action costs less is not asked, unless there is no other."""

LARGE_BATCH = "large"
"""The first word of the name of a batch of the costliest positions drawn, not of the closest."""

QUALIFYING, DRAWS, FOLDS = "Qualifying", "Draws", "Fold or stay"


class PuzzleKind(NamedTuple):
    """A decision of a game that puzzles ask, and the theme it belongs to."""

    game: Game
    decision: Decision
    theme: str

    @property
    def name(self) -> str:
        """The ids of the game and the decision, which a link has."""
        return f"{self.game.id}/{self.decision.id}"


class DrawnPuzzle(NamedTuple):
    """A position by the texts of its cards, and what the second best action costs.

    ``taken`` are the earlier actions where the game needs them to find the position.
    """

    game: str
    cards: tuple[tuple[str, str], ...]
    taken: tuple[str, ...]
    gap: Fraction


def name_theme(decision: Decision) -> str:
    """Name the theme of a decision from what it asks.

    >>> from pitboss.games import load_game
    >>> [name_theme(each) for game in ("lunar", "shifting-wilds") for each in load_game(game).decisions]
    ['Draws', 'Fold or stay', 'Qualifying', 'Lock', 'Fold or stay']
    """
    if decision.shows_dealer:
        return QUALIFYING
    if any(action.discards or action.draws for action in decision.actions):
        return DRAWS
    if any(action.id == "fold" for action in decision.actions):
        return FOLDS
    return " or ".join(capitalize_first(display_name(action.id)) for action in decision.actions if action.stake)


def list_puzzle_kinds() -> list[PuzzleKind]:
    """List the decisions of all games whose actions can be valued."""
    return [
        PuzzleKind(game, decision, name_theme(decision))
        for game in load_games().values()
        if can_solve(game)
        for decision in game.decisions
    ]


def build_puzzle_job(kind: PuzzleKind, batch: str) -> JobSpec:
    """Build the job that draws a batch of puzzles."""
    decision = kind.game.decisions.index(kind.decision)
    return JobSpec(PUZZLES, (kind.game.id, decision, batch), draw_puzzles, (kind.game, decision, batch))


def draw_puzzles(game: Game, decision: int, batch: str) -> tuple[DrawnPuzzle, ...]:
    """Draw positions of a decision; return the closest or the largest of them.

    Raises:
        PitbossError: as ``value_actions``.
    """
    seed = int.from_bytes(sha256(f"{game.id} {decision} {batch}".encode()).digest()[:8])
    bits, drawn = seeded_bits(seed), list[DrawnPuzzle]()
    for done in range(DRAWN):
        report_job_progress(done, DRAWN)
        puzzle = _value_position(next(_deal_positions(game, decision, bits)))
        drawn += [puzzle] if puzzle.gap else []
    costly = [each for each in drawn if each.gap >= LEAST_GAP] or drawn
    ranked = sorted(costly, key=lambda each: each.gap, reverse=batch.startswith(LARGE_BATCH))
    return tuple(sorted(ranked[:MOST_PUZZLES], key=lambda each: -each.gap))


def _deal_positions(game: Game, decision: int, bits: BitSource) -> Iterator[Round]:
    """Yield rounds dealt up to a decision; the default bot plays until there."""
    opened, bot = open_minimum_round(game), get_default_bot(game)
    while True:
        now = opened.deal(shuffle_cards(game.deck.cards, bits))
        while now.turn and now.turn[1] != decision:
            now = now.decide(0, *choose_bot_action(now, bot))
        legal = now.list_legal_actions() if now.turn else ()
        if len(legal) > 1 or any(action.discards for action in legal):
            yield now


def _value_position(now: Round) -> DrawnPuzzle:
    """Return a round's position; the gap is 0 if no choice is worse than another."""
    job = build_hint_job(now, 0)
    hints = job.function(*job.arguments)
    decision = now.game.decisions[now.turn[1] if now.turn else 0]
    cards = format_view_cards(now.get_view(0), decision, now.game.deck)
    taken = () if now.game.solver else tuple(each.action for each in now.events if isinstance(each, DecisionMade))
    gaps = (hints[0].value - each.value for each in hints[1:])
    return DrawnPuzzle(now.game.id, tuple(cards.items()), taken, next(filter(None, gaps), Fraction(0)))
