"""Turns: a few requests of one address are worked on at a time, and nobody else waits behind them."""

import asyncio
from concurrent.futures import Future
from contextlib import AsyncExitStack, suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest

from coroutines import run_alone
from pitboss.web.errors import RateLimitError
from pitboss.web.jobs.queue import JobClient, JobPriority, JobQueue
from pitboss.web.jobs.requests import wait_for_payload
from pitboss.web.jobs.spec import HINTS, JobSpec
from pitboss.web.jobs.worker import JobResult
from pitboss.web.server.request_queue import RequestQueue
from refusals import refusal

ONE, OTHER = "192.0.2.1", "192.0.2.2"


def test_of_one_address_so_many_are_worked_on_and_another_goes_ahead_of_all_that_wait() -> None:
    done: list[str] = []

    async def work(turns: RequestQueue, address: str, name: str, ready: asyncio.Event) -> None:
        async with turns.take_turn(address):
            done.append(name)
            await ready.wait()

    async def play() -> None:
        turns, ready = RequestQueue(per_address=2), asyncio.Event()
        asked = [asyncio.create_task(work(turns, ONE, f"one {number}", ready)) for number in range(5)]
        await asyncio.sleep(0)
        asked.append(asyncio.create_task(work(turns, OTHER, "other", ready)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert done == ["one 0", "one 1", "other"]
        ready.set()
        await asyncio.gather(*asked)
        assert done[3:] == ["one 2", "one 3", "one 4"]
        assert len(turns) == 0

    run_alone(play())


def test_more_than_may_wait_are_refused_and_those_who_wait_are_not() -> None:
    async def play() -> None:
        turns = RequestQueue(per_address=1, max_waiting=1)
        async with turns.take_turn(ONE):

            async def wait() -> None:
                async with turns.take_turn(ONE):
                    pass

            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            with pytest.raises(RateLimitError, check=refusal("too-many-requests", max_waiting=1, seconds=1)):
                async with turns.take_turn(ONE):
                    pass
            async with turns.take_turn(OTHER):
                pass
        await waiting
        assert len(turns) == 0

    run_alone(play())


def test_addresses_that_wait_take_turns_however_much_each_asks_for() -> None:
    done: list[str] = []

    async def work(turns: RequestQueue, address: str) -> None:
        async with turns.take_turn(address):
            done.append(address)
            await asyncio.sleep(0)

    async def play() -> None:
        turns, many = RequestQueue(max_concurrent=1), [f"192.0.2.{number}" for number in range(3, 7)]
        asked = [asyncio.create_task(work(turns, address)) for address in many for _ in range(10)]
        await asyncio.sleep(0)
        asked.append(asyncio.create_task(work(turns, OTHER)))
        await asyncio.gather(*asked)
        assert done.index(OTHER) <= 2 * len(many)  # of 40
        assert len(done) == 10 * len(many) + 1
        assert len(turns) == 0

    run_alone(play())


def test_of_those_who_go_away_while_they_wait_none_holds_a_turn() -> None:
    async def play() -> None:
        turns = RequestQueue(max_concurrent=1)

        async def wait(address: str) -> None:
            async with turns.take_turn(address):
                await asyncio.sleep(0)

        for going in range(1, 6):
            asked = [asyncio.create_task(wait(address)) for address in (ONE, ONE, OTHER, ONE, OTHER, OTHER)]
            await asyncio.sleep(0)
            for each in asked[:going]:
                each.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            assert [each.cancelled() for each in asked] == [True] * going + [False] * (6 - going)
            assert len(turns) == 0
        async with asyncio.timeout(1):
            await wait(ONE)

    run_alone(play())


def test_a_request_that_waits_for_something_else_waits_for_its_turn_again() -> None:
    done: list[str] = []

    async def work(turns: RequestQueue, address: str, name: str, found: asyncio.Event) -> None:
        async with turns.take_turn(address) as turn:
            turn.release()
            await found.wait()
            await turn.take()
            await turn.take()  # it is held already
            done.append(name)
            await asyncio.sleep(0)

    async def play() -> None:
        turns, found = RequestQueue(max_concurrent=1), asyncio.Event()
        asked = [asyncio.create_task(work(turns, ONE, f"one {number}", found)) for number in range(5)]
        asked.append(asyncio.create_task(work(turns, OTHER, "other", found)))
        async with asyncio.timeout(1):
            async with turns.take_turn(OTHER):  # whoever waits for something else holds no turn
                found.set()
                await asyncio.sleep(0)
                assert done == []
            await asyncio.gather(*asked)
        assert done.index("other") <= 1
        assert len(turns) == 0

    run_alone(play())


def ignore(*_arguments: object, **_more: object) -> None:
    """Do nothing."""


def test_who_waits_for_a_worker_holds_no_turn_until_the_result_is_there() -> None:
    async def play() -> None:
        turns = RequestQueue(max_concurrent=1)
        future: Future[JobResult] = Future()
        jobs = SimpleNamespace(submit=lambda *_, **_more: future, add_request=ignore, remove_request=ignore)

        async def wait() -> None:
            async with turns.take_turn(ONE) as turn:
                request: Any = SimpleNamespace(state=SimpleNamespace(turn=turn))
                job = JobSpec(HINTS, "one", print, ())
                await wait_for_payload(request, cast(JobQueue, jobs), JobClient("a", ONE), job, JobPriority.FILE)
                assert turn.is_held

        waiting = asyncio.create_task(wait())
        async with asyncio.timeout(5):
            await asyncio.sleep(0)
            async with turns.take_turn(OTHER):
                future.set_result(JobResult(b"found"))
                for _ in range(9):
                    await asyncio.sleep(0)
                assert not waiting.done()
            await waiting
        assert len(turns) == 0

    run_alone(play())


@pytest.mark.parametrize("end", ["released", "failed", "went away while waiting"])
def test_a_turn_is_given_back_once_however_it_ends(end: str) -> None:
    async def play() -> None:
        turns = RequestQueue(per_address=1)
        if end == "went away while waiting":
            async with turns.take_turn(ONE):
                waiting = asyncio.create_task(AsyncExitStack().enter_async_context(turns.take_turn(ONE)))
                await asyncio.sleep(0)
                waiting.cancel()
                with suppress(asyncio.CancelledError):
                    await waiting
        else:
            with suppress(ZeroDivisionError):
                async with turns.take_turn(ONE) as turn:
                    if end == "failed":
                        raise ZeroDivisionError
                    turn.release()
                    async with turns.take_turn(ONE):
                        turn.release()
        for _ in range(3):
            async with turns.take_turn(ONE):
                assert len(turns) == 1
        assert len(turns) == 0

    run_alone(play())
