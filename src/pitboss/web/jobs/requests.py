"""Waiting for job results on the event loop.

Waiting holds no thread, and a client that disconnects leaves the queue.
"""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http import HTTPStatus
from math import inf
from time import monotonic

from fastapi import Request

from pitboss.web.errors import RateLimitError, WebError
from pitboss.web.jobs.queue import RETRY_SECONDS, JobClient, JobPriority, JobQueue
from pitboss.web.jobs.spec import JobSpec
from pitboss.web.jobs.worker import ABANDONED_TEXT, JobResult

WAIT_SECONDS, PAGE_SECONDS = 1.5, 1.0
"""How long an answer waits for a result, and a whole page, which is shown without it then."""

_POLL_SECONDS = 1.0


class JobRefusedError(WebError):
    """An error for a job that was refused; the message says why."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


class JobLostError(WebError):
    """An error for a job that broke off; a new request runs it again."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    headers: Mapping[str, str] = {"Retry-After": str(RETRY_SECONDS)}


async def wait_for_payload(
    request: Request,
    jobs: JobQueue,
    client: JobClient,
    spec: JobSpec,
    priority: JobPriority,
    *,
    is_patient: bool = True,
    replace: bool = False,
    seconds: float | None = None,
) -> bytes:
    """Submit a job and return its pickled result, however long it takes.

    Return b"" if the client disconnects, or if it is not patient and the job takes longer than ``seconds``, by default
    ``WAIT_SECONDS``, or is replaced by another of the same guest, as in a second tab: it should then ask again.

    Keep the job in the queue meanwhile.  Other requests run while the worker computes: the request has no turn then.

    Raises:
        RateLimitError: too many jobs are waiting (``JobQueue.submit``), or too many requests of the address wait for a
            turn.
        JobRefusedError, JobLostError: there is no result.
    """
    future = jobs.submit(client, spec, priority, replace=replace)
    if future.done():
        return _get_awaited(future.result(), is_patient=is_patient)
    end = monotonic() + (inf if is_patient else WAIT_SECONDS if seconds is None else seconds)
    result, gone, turn = asyncio.wrap_future(future), False, request.state.turn
    jobs.add_request(client, spec)
    turn.release()
    try:
        while not result.done() and (remaining := end - monotonic()) > 0:
            await asyncio.wait({result}, timeout=min(remaining, _POLL_SECONDS))
            if not result.done():
                gone = await request.is_disconnected()
                if gone:
                    return b""
                jobs.submit(client, spec, priority)
        found = result.result() if result.done() else None
    finally:
        jobs.remove_request(client, spec, gone=gone)
        result.cancel()
    await turn.take()
    return b"" if found is None else _get_awaited(found, is_patient=is_patient)


def _get_awaited(result: JobResult, *, is_patient: bool) -> bytes:
    return b"" if result.failure == ABANDONED_TEXT and not is_patient else get_payload(result)


async def wait_for_first(
    jobs: JobQueue, client: JobClient, specs: Iterable[JobSpec], seconds: float
) -> dict[int, JobResult]:
    """Submit jobs, as far as there is room, and wait for the first result.

    They run after all others.  Return the results that are there, by the place of their jobs; none after ``seconds``,
    or if there is no room.
    """
    futures: dict[asyncio.Future[JobResult], int] = {}
    with suppress(RateLimitError):
        for place, spec in enumerate(specs):
            futures[asyncio.wrap_future(jobs.submit(client, spec, JobPriority.LEAKS))] = place
    if not futures:
        return {}
    try:
        done, _ = await asyncio.wait(futures, timeout=max(0.0, seconds), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for future in futures:
            future.cancel()
    return {futures[each]: each.result() for each in done}


def get_payload(answer: JobResult) -> bytes:
    """Return the pickled payload of a result.

    Raises:
        JobRefusedError, JobLostError: it has none.
    """
    if answer.failure:
        raise JobLostError(answer.failure, code="job-lost")
    if answer.refusal:
        raise JobRefusedError.from_error(answer.refusal)
    return answer.payload
