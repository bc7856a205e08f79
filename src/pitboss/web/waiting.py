"""Waiting for a count on the event loop: no thread is held, and who goes away leaves the queue."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import Future
from http import HTTPStatus
from math import inf
from time import monotonic
from typing import Any

from fastapi import Request

from pitboss.web.guests import Guest
from pitboss.web.house import address_of
from pitboss.web.jobs import RETRY_SECONDS, Asker, Jobs, Rank
from pitboss.web.problems import WebError
from pitboss.web.questions import Question
from pitboss.web.worker import Answer, unpickled

WAIT_SECONDS = 5.0
"""So long a page's request waits for a count before it says that it is still being made."""

_LOOK_SECONDS = 1.0


class RefusedCountError(WebError):
    """What was asked is not counted, for a reason that stands in the line."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


class LostCountError(WebError):
    """A count has broken off; asked again it is made again."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    headers: Mapping[str, str] = {"Retry-After": str(RETRY_SECONDS)}


def asker_of(request: Request, guest: Guest) -> Asker:
    """Return who asks: the guest, and from which address."""
    return Asker(guest.holder, address_of(request))


async def wait_for(
    request: Request, jobs: Jobs, asker: Asker, question: Question, rank: Rank, *, instead: bool = False
) -> Any:
    """Return what a count comes to, None where it is not known within ``WAIT_SECONDS``: then it is asked again.

    Raises:
        LimitedError: too much waits already (``Jobs.ask``).
        RefusedCountError, LostCountError: there is no answer.
    """
    future = jobs.ask(asker, question, rank, instead=instead)
    answer = await _within(WAIT_SECONDS, future, request, jobs, asker, question, rank)
    return answer and unpickled(found_in(answer))


async def wait_until_known(request: Request, jobs: Jobs, asker: Asker, question: Question, rank: Rank) -> bytes:
    """Return what a count comes to, pickled, however long it takes; nothing where who asked has gone away.

    Raises:
        LimitedError, RefusedCountError, LostCountError: as ``wait_for``.
    """
    future = jobs.ask(asker, question, rank)
    answer = await _within(inf, future, request, jobs, asker, question, rank)
    return found_in(answer) if answer else b""


async def _within(
    seconds: float,
    future: Future[Answer],
    request: Request,
    jobs: Jobs,
    asker: Asker,
    question: Question,
    rank: Rank,
) -> Answer | None:
    """Return the answer if there is one in time; while somebody waits here the question stays asked."""
    end, answer, gone = monotonic() + seconds, asyncio.wrap_future(future), False
    jobs.arrive(asker, question)
    request.state.release_turn()  # while a worker counts, others of this address go on
    try:
        while not answer.done() and (left := end - monotonic()) > 0:
            await asyncio.wait({answer}, timeout=min(left, _LOOK_SECONDS))
            if not answer.done():
                gone = await request.is_disconnected()
                if gone:
                    return None
                jobs.ask(asker, question, rank)
        return answer.result() if answer.done() else None
    finally:
        jobs.leave(asker, question, gone=gone)
        answer.cancel()


def found_in(answer: Answer) -> bytes:
    """Return what an answer holds, pickled.

    Raises:
        RefusedCountError, LostCountError: it holds nothing.
    """
    if answer.lost:
        raise LostCountError(answer.lost)
    if answer.refused:
        raise RefusedCountError(answer.refused)
    return answer.found
