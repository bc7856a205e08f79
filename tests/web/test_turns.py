"""Turns: a few requests of one address are worked on at a time, and nobody else waits behind them."""

import asyncio
from contextlib import AsyncExitStack, suppress

import pytest

from coroutines import run_alone
from pitboss.web.problems import LimitedError
from pitboss.web.turns import Turns

ONE, OTHER = "192.0.2.1", "192.0.2.2"


def test_of_one_address_so_many_are_worked_on_and_another_goes_ahead_of_all_that_wait() -> None:
    done: list[str] = []

    async def work(turns: Turns, address: str, name: str, ready: asyncio.Event) -> None:
        async with turns.taken(address):
            done.append(name)
            await ready.wait()

    async def play() -> None:
        turns, ready = Turns(at_once=2), asyncio.Event()
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
        turns = Turns(at_once=1, most_waiting=1)
        async with turns.taken(ONE):

            async def wait() -> None:
                async with turns.taken(ONE):
                    pass

            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            with pytest.raises(LimitedError, match="wait already"):
                async with turns.taken(ONE):
                    pass
            async with turns.taken(OTHER):
                pass
        await waiting
        assert len(turns) == 0

    run_alone(play())


@pytest.mark.parametrize("end", ["released", "failed", "went away while waiting"])
def test_a_turn_is_given_back_once_however_it_ends(end: str) -> None:
    async def play() -> None:
        turns = Turns(at_once=1)
        if end == "went away while waiting":
            async with turns.taken(ONE):
                waiting = asyncio.create_task(AsyncExitStack().enter_async_context(turns.taken(ONE)))
                await asyncio.sleep(0)
                waiting.cancel()
                with suppress(asyncio.CancelledError):
                    await waiting
        else:
            with suppress(ZeroDivisionError):
                async with turns.taken(ONE) as release:
                    if end == "failed":
                        raise ZeroDivisionError
                    release()
                    async with turns.taken(ONE):
                        release()
        for _ in range(3):
            async with turns.taken(ONE):
                assert len(turns) == 1
        assert len(turns) == 0

    run_alone(play())
