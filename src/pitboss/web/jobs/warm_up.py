"""Prepare the solvers of the games on the quick worker.

The first advice then does not take seconds.
"""

from contextlib import suppress

from pitboss.contract import Game
from pitboss.games import load_games
from pitboss.web.jobs.coach import build_hint_job, deal_sample_round
from pitboss.web.jobs.queue import JobClient, JobPriority, JobQueue
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.worker import ABANDONED_TEXT
from pitboss.web.errors import RateLimitError

_HOUSE = JobClient("house", "house")


def build_warm_up_job(game: Game) -> JobSpec:
    """Build a job that prepares a game's solver on a sample hand.

    The job loads the solver, and compiles what is not compiled yet.
    """
    return build_hint_job(deal_sample_round(game), 0)


def prepare_solvers(jobs: JobQueue) -> None:
    """Prepare every solver that a game has of its own.

    They are prepared one after another, whenever no guest waits for the worker.  It takes about 3 s of processor time
    with the kernels compiled, and ends when the queue is closed.  Games that the engine solves may need a solution
    first, which only a guest who sits down asks for.
    """
    with suppress(RateLimitError):  # so many guests wait that they have prepared what they need
        for game in load_games().values():
            if game.solver:
                job = build_warm_up_job(game)
                while jobs.submit(_HOUSE, job, JobPriority.EXACT).result().failure == ABANDONED_TEXT:
                    pass  # guests had the worker until the wait ran out
