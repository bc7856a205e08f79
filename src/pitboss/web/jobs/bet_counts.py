"""The sheets of a guest's bets, counted one by one on the workers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from pitboss.analysis.game_terms import find_bet
from pitboss.analysis.player_account import PlayedBet
from pitboss.web.jobs.account_content import build_bet_job
from pitboss.web.jobs.player_leaks import HeldTurn
from pitboss.web.jobs.queue import JobClient, JobQueue
from pitboss.web.jobs.requests import wait_for_first
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.worker import JobProgress


class BetCount(NamedTuple):
    """The count of a bet, and how far it is."""

    name: str
    progress: JobProgress


class BetCounts(NamedTuple):
    """The pickled sheets of bets, and what is counted.

    A sheet is None while it is counted; ``open`` are the counts that run or are next.
    """

    sheets: tuple[bytes | None, ...]
    open: tuple[BetCount, ...]


class _NeededSheet(NamedTuple):
    bet: PlayedBet
    job: JobSpec

    @property
    def name(self) -> str:
        return f"{self.bet.game.name}, {find_bet(self.bet.game, self.bet.bet).name}"


async def advance_counts(
    bets: Sequence[PlayedBet], jobs: JobQueue, client: JobClient, seconds: float, turn: HeldTurn
) -> BetCounts:
    """Count the sheets of bets, for ``seconds`` at most; return those known then.

    Each worker has one of them at a time, so that a guest's other questions have their places.
    """
    needed = [_NeededSheet(each, build_bet_job(each)) for each in _order_bets(bets)]
    end = monotonic() + seconds
    turn.release()
    while await _count_next(needed, jobs, client, end - monotonic()):
        pass
    await turn.take()
    sheets = tuple(jobs.get_result(build_bet_job(each)) for each in bets)
    counts = ((each.name, jobs.get_progress(each.job)) for each in _choose_next(needed, jobs))
    return BetCounts(sheets, tuple(BetCount(name, progress) for name, progress in counts if progress))


def _order_bets(bets: Sequence[PlayedBet]) -> list[PlayedBet]:
    """Put the bets first whose game comes with a solution, which is quick."""
    return sorted(bets, key=lambda bet: not Path(bet.game.folder, bet.game.solver, "solution.json").is_file())


def _choose_next(needed: Sequence[_NeededSheet], jobs: JobQueue) -> Iterator[_NeededSheet]:
    """Yield the first sheet of each worker that is not counted."""
    lanes = set[str]()
    for each in needed:
        lane = each.job.kind.lane.name
        if lane not in lanes and jobs.get_result(each.job) is None:
            lanes.add(lane)
            yield each


async def _count_next(needed: Sequence[_NeededSheet], jobs: JobQueue, client: JobClient, seconds: float) -> bool:
    """Wait for one of the next sheets; return whether to go on."""
    results = await wait_for_first(jobs, client, (each.job for each in _choose_next(needed, jobs)), seconds)
    return bool(results) and not any(each.failure for each in results.values())
