"""``pitboss serve``: the progressive over HTTP."""

import ipaddress
import logging
import os
import socket
from typing import Annotated

import typer

from pitboss.cli.jackpot_desk import DEFAULT_LEDGER, LedgerUrl, desk
from pitboss.core.errors import PitbossError

CLOSING_SECONDS = 2
"""So long streams of events are waited for at the end."""


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 is every one of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")] = 8000,
    ledger: LedgerUrl = DEFAULT_LEDGER,
    proxy: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The TLS proxy in front, whose X-Forwarded headers are believed.")
    ] = "",
) -> None:
    """Serve the progressive's API: rounds, awards, books and live events, for tables and meter displays.

    For example:

        pitboss jackpot init --executive eve
        pitboss serve
        curl localhost:8000/api/display
    """
    try:
        import uvicorn

        from pitboss.web.app import create_app
        from pitboss.web.events import Watch
        from pitboss.web.house import House
        from pitboss.web.problems import LOG
    except ModuleNotFoundError as error:
        raise PitbossError(f"{error.name} is not installed: pip install 'pitboss[web]'") from None

    logging.basicConfig(format="%(asctime)s %(name)s %(message)s")
    LOG.setLevel(logging.INFO)
    with desk(ledger) as at, _listening(host, port) as listener:
        app = create_app(House(at.store, at.signer, at.controller, at.staff, Watch(at.store, at.controller)))
        config = uvicorn.Config(
            app,
            log_level="warning",
            lifespan="off",
            server_header=False,
            proxy_headers=bool(proxy),
            forwarded_allow_ips=proxy,
            timeout_graceful_shutdown=CLOSING_SECONDS,
        )
        _say(listener, local=_is_local(host), behind=proxy)
        uvicorn.Server(config).run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens, before anything is said of it."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise PitbossError(f"cannot listen at {host}:{port} ({why}): choose another --host or --port") from None


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _say(listener: socket.socket, *, local: bool, behind: str) -> None:
    """Print the address, and what plain HTTP means for it."""
    host, port = listener.getsockname()[:2]
    typer.echo(f"http://{f'[{host}]' if ':' in host else host}:{port}/api/display, described at /openapi.json")
    if local and not behind:
        typer.echo("plain HTTP, for this machine only: here a session's cookie is neither Secure nor __Host-")
    elif not behind:
        typer.echo("plain HTTP: nobody can log in from elsewhere; put a TLS proxy in front and name it with --proxy")
