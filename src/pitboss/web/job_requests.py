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
from pitboss.web.jackpot_context import get_client_address
from pitboss.web.job_spec import JobSpec
from pitboss.web.jobs import RETRY_SECONDS, JobClient, JobPriority, JobQueue
from pitboss.web.problems import WebError
from pitboss.web.worker import JobResult, unpickle_object

WAIT_SECONDS = 5.0
"""So long a page's request waits for a count before it says that it is still being made."""

_POLL_SECONDS = 1.0


class JobRefusedError(WebError):
    """What was asked is not counted, for a reason that stands in the line."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


class JobLostError(WebError):
    """A count has broken off; asked again it is made again."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    headers: Mapping[str, str] = {"Retry-After": str(RETRY_SECONDS)}


def get_job_client(request: Request, guest: Guest) -> JobClient:
    """Return who asks: the guest, and from which address."""
    return JobClient(guest.holder, get_client_address(request))


async def wait_for_result(
    request: Request, jobs: JobQueue, client: JobClient, spec: JobSpec, priority: JobPriority, *, replace: bool = False
) -> Any:
    """Return what a count comes to, None where it is not known within ``WAIT_SECONDS``: then it is asked again.

    Raises:
        LimitedError: too much waits already (``JobQueue.ask``).
        RefusedCountError, LostCountError: there is no answer.
    """
    future = jobs.submit(client, spec, priority, replace=replace)
    answer = await _await_result(WAIT_SECONDS, future, request, jobs, client, spec, priority)
    return answer and unpickle_object(get_payload(answer))


async def wait_for_payload(
    request: Request, jobs: JobQueue, client: JobClient, spec: JobSpec, priority: JobPriority
) -> bytes:
    """Return what a count comes to, pickled, however long it takes; nothing where who asked has gone away.

    Raises:
        LimitedError, RefusedCountError, LostCountError: as ``wait_for_result``.
    """
    future = jobs.submit(client, spec, priority)
    answer = await _await_result(inf, future, request, jobs, client, spec, priority)
    return get_payload(answer) if answer else b""


async def _await_result(
    seconds: float,
    future: Future[JobResult],
    request: Request,
    jobs: JobQueue,
    client: JobClient,
    spec: JobSpec,
    priority: JobPriority,
) -> JobResult | None:
    """Return the answer if there is one in time; while somebody waits here the question stays asked."""
    end, answer, gone = monotonic() + seconds, asyncio.wrap_future(future), False
    jobs.add_request(client, spec)
    request.state.release_turn()  # while a worker counts, others of this address go on
    try:
        while not answer.done() and (left := end - monotonic()) > 0:
            await asyncio.wait({answer}, timeout=min(left, _POLL_SECONDS))
            if not answer.done():
                gone = await request.is_disconnected()
                if gone:
                    return None
                jobs.submit(client, spec, priority)
        return answer.result() if answer.done() else None
    finally:
        jobs.remove_request(client, spec, gone=gone)
        answer.cancel()


def get_payload(answer: JobResult) -> bytes:
    """Return what an answer holds, pickled.

    Raises:
        RefusedCountError, LostCountError: it holds nothing.
    """
    if answer.failure:
        raise JobLostError(answer.failure)
    if answer.refusal:
        raise JobRefusedError(answer.refusal)
    return answer.payload
