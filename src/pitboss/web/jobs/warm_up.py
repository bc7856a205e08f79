"""Prepare the solvers of the games on the quick worker.

The first advice then does not take seconds.
"""

from collections.abc import Iterable
from contextlib import suppress
from threading import Thread

from pitboss.contract import Game
from pitboss.table.round import Round
from pitboss.web.errors import RateLimitError
from pitboss.web.game_lists import load_games_with
from pitboss.web.jobs.coach import build_hint_job, deal_sample_round
from pitboss.web.jobs.queue import JobClient, JobPriority, JobQueue
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.worker import ABANDONED_TEXT

_HOUSE = JobClient("house", "house")


def build_warm_up_job(game: Game) -> JobSpec:
    """Build a job that prepares a game's solver on a sample hand.

    The job loads the solver, and compiles what is not compiled yet.
    """
    return build_hint_job(deal_sample_round(game), 0)


def _deal_to_own_solver(game: Game) -> Round | None:
    """Deal what a game's own solver is prepared on (raises PitbossError)."""
    return deal_sample_round(game) if game.solver else None


def prepare_solvers(jobs: JobQueue) -> Thread:
    """Prepare every solver that a game has of its own.

    Return the thread that waits for them.  They are prepared one after another, whenever no guest waits for the
    worker.  It takes about 3 s of processor time with the kernels compiled, and ends when the queue is closed.  Games
    that the engine solves may need a solution first, which only a guest who sits down asks for.

    What the jobs need is loaded before the thread starts: the caller may then load other modules beside it.
    """
    samples = [build_warm_up_job(game) for game in load_games_with(_deal_to_own_solver).values() if game.solver]
    waiting = Thread(target=_wait_for_each, args=(jobs, samples), name="warm-up", daemon=True)
    waiting.start()
    return waiting


def _wait_for_each(jobs: JobQueue, samples: Iterable[JobSpec]) -> None:
    with suppress(RateLimitError):  # the guests who wait have prepared what they need
        for sample in samples:
            while jobs.submit(_HOUSE, sample, JobPriority.EXACT).result().failure == ABANDONED_TEXT:
                pass  # guests had the worker until the wait ran out
