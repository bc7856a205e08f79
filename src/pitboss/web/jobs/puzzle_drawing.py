"""Puzzles at large: drawn positions that are close, costly or like a mistake.

A batch is drawn from a seed, so it is the same for everybody and in every process.
"""

from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from math import log2
from typing import NamedTuple

from pitboss.analysis.position import format_view_cards
from pitboss.builders import capitalize_first, display_name
from pitboss.cards import seeded_bits, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Decision, Game
from pitboss.engine.solver_lookup import can_solve
from pitboss.table.round import Round
from pitboss.table.round.bots import choose_bot_action, get_default_bot
from pitboss.web.game_lists import list_games_with_rules
from pitboss.web.jobs.coach import build_hint_job, is_not_fold, list_taken, open_minimum_round
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

SIMILAR_BATCH = "like"
"""The first word of the name of a batch of positions that cost about what a mistake did; its level is the second."""

MOST_DRAWN = 24
"""The most positions that such a batch draws; it stops when it has found enough."""

MOST_TIMES = Fraction(14, 5)
"""How many times its level such a position may cost, or its level what it costs.

A level is within the square root of 2 of each of its costs, so a position costs at most 4 times, and at least a
quarter of, what the mistake did.
"""

_LEVELS = range(-10, 4)

QUALIFYING, DRAWS = "Qualifying", "Draws"


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
    """Name the theme of a decision from what it asks, with the game's own words.

    >>> from pitboss.games import load_game
    >>> [name_theme(each) for game in ("lunar", "shifting-wilds") for each in load_game(game).decisions]
    ['Draws', 'Fold or play', 'Qualifying', 'Lock', 'Fold or play']
    """
    if decision.shows_dealer:
        return QUALIFYING
    if any(action.discards or action.draws for action in decision.actions):
        return DRAWS
    if any(action.id == "fold" for action in decision.actions):
        actions = sorted((action.id for action in decision.actions), key=is_not_fold)
        return capitalize_first(" or ".join(map(display_name, actions)))
    return " or ".join(capitalize_first(display_name(action.id)) for action in decision.actions if action.stake)


def list_puzzle_kinds() -> list[PuzzleKind]:
    """List the decisions of all games whose actions can be valued."""
    return [
        PuzzleKind(game, decision, name_theme(decision))
        for game in list_games_with_rules()
        if can_solve(game)
        for decision in game.decisions
    ]


def find_cost_level(cost: Fraction) -> int:
    """Return the level of batches, a power of 2, that is nearest to a cost.

    >>> [find_cost_level(Fraction(each)) for each in ("1/4", "1/3", "5", "100", "1/9999")]
    [-2, -2, 2, 3, -10]
    """
    return min(max(round(log2(cost)), _LEVELS[0]), _LEVELS[-1])


def name_similar_batch(level: int, batch: int) -> str:
    """Name a batch of positions that cost about what a mistake of a level did.

    >>> name_similar_batch(-2, 0)
    'like -2 0'
    """
    return f"{SIMILAR_BATCH} {level} {batch}"


def parse_similar_level(batch: str) -> int | None:
    """Return the level in the name of a batch, None if it has none.

    >>> [parse_similar_level(each) for each in ("like -2 0", "like 99 0", "large 0", "like")]
    [-2, None, None, None]
    """
    first, level, *_ = *batch.split(" "), ""
    return int(level) if first == SIMILAR_BATCH and level in map(str, _LEVELS) else None


def build_puzzle_job(kind: PuzzleKind, batch: str) -> JobSpec:
    """Build the job that draws a batch of puzzles."""
    decision = kind.game.decisions.index(kind.decision)
    return JobSpec(PUZZLES, (kind.game.id, decision, batch), draw_puzzles, (kind.game, decision, batch))


def draw_puzzles(game: Game, decision: int, batch: str) -> tuple[DrawnPuzzle, ...]:
    """Draw positions of a decision; return those that the batch asks for.

    Raises:
        PitbossError: as ``value_actions``.
    """
    seed = int.from_bytes(sha256(f"{game.id} {decision} {batch}".encode()).digest()[:8])
    bits, drawn, level = seeded_bits(seed), list[DrawnPuzzle](), parse_similar_level(batch)
    if level is not None:
        return _draw_similar(_deal_positions(game, decision, bits), Fraction(2) ** level)
    for done in range(DRAWN):
        report_job_progress(done, DRAWN)
        puzzle = _value_position(next(_deal_positions(game, decision, bits)))
        drawn += [puzzle] if puzzle.gap else []
    costly = [each for each in drawn if each.gap >= LEAST_GAP] or drawn
    ranked = sorted(costly, key=lambda each: each.gap, reverse=batch.startswith(LARGE_BATCH))
    return tuple(sorted(ranked[:MOST_PUZZLES], key=lambda each: -each.gap))


def _draw_similar(rounds: Iterator[Round], cost: Fraction) -> tuple[DrawnPuzzle, ...]:
    """Draw until enough positions cost about this much, the nearest first.

    If too few do, the nearest of the others follow.
    """
    drawn, found = list[DrawnPuzzle](), 0
    while found < MOST_PUZZLES and len(drawn) < MOST_DRAWN:
        report_job_progress(len(drawn), MOST_DRAWN)
        puzzle = _value_position(next(rounds))
        drawn.append(puzzle)
        found += bool(puzzle.gap) and measure_ratio(puzzle.gap, cost) <= MOST_TIMES
    costly = (each for each in drawn if each.gap)
    return tuple(sorted(costly, key=lambda each: measure_ratio(each.gap, cost))[:MOST_PUZZLES])


def measure_ratio(cost: Fraction, other: Fraction) -> Fraction:
    """Return how many times the smaller of two costs the larger is.

    >>> print(measure_ratio(Fraction(1, 2), Fraction(2)))
    4
    """
    return max(cost / other, other / cost)


def _deal_positions(game: Game, decision: int, bits: BitSource) -> Iterator[Round]:
    """Yield rounds dealt up to a decision; the default bot plays until there."""
    opened, bot = open_minimum_round(game), get_default_bot(game)
    while True:
        game_round = opened.deal(shuffle_cards(game.deck.cards, bits))
        while game_round.turn and game_round.turn[1] != decision:
            game_round = game_round.decide(0, *choose_bot_action(game_round, bot))
        legal = game_round.list_legal_actions() if game_round.turn else ()
        if len(legal) > 1 or any(action.discards for action in legal):
            yield game_round


def _value_position(game_round: Round) -> DrawnPuzzle:
    """Return a round's position; the gap is 0 if no choice is worse than another."""
    job = build_hint_job(game_round, 0)
    hints = job.function(*job.arguments)
    decision = game_round.game.decisions[game_round.turn[1] if game_round.turn else 0]
    cards = format_view_cards(game_round.get_view(0), decision, game_round.game.deck)
    gaps = (hints[0].value - each.value for each in hints[1:])
    return DrawnPuzzle(
        game_round.game.id, tuple(cards.items()), list_taken(game_round, 0), next(filter(None, gaps), Fraction(0))
    )
