"""An application asked in process, without a server: as fast as it is, and from any address."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from coroutines import run_alone

ELSEWHERE = ("192.0.2.1", 4711)


def asked(app: Any, work: Callable[[httpx.AsyncClient], Awaitable[Any]], client: tuple[str, int] = ELSEWHERE) -> Any:
    """Ask an application in process, in a loop of its own."""

    async def ask() -> Any:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=client)
        async with httpx.AsyncClient(transport=transport, base_url="http://casino.example") as web:
            return await work(web)

    return run_alone(ask())


def one(app: Any, method: str, path: str, client: tuple[str, int] = ELSEWHERE, **more: Any) -> httpx.Response:
    """Ask an application one thing."""
    answer: httpx.Response = asked(app, lambda web: web.request(method, path, **more), client)
    return answer
