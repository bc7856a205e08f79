"""Coroutines run to their end by a test that is none itself."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_alone(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end and return what it does.

    It gets a thread of its own: Playwright keeps an event loop running in that of the tests, from the first test of a
    browser on, and `asyncio.run` refuses where one runs.
    """
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, coroutine).result()
