"""``pitboss serve``: the tables in the browser, and a progressive over HTTP."""

import ipaddress
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated

import platformdirs
import typer

from pitboss.cli.jackpot_ledger import DEFAULT_LEDGER, open_ledger, to_database_url
from pitboss.core.errors import PitbossError

if TYPE_CHECKING:
    import uvicorn

    from pitboss.web.http_server import ConnectionCaps
    from pitboss.web.jackpot_context import JackpotContext
    from pitboss.web.rate_limits import RateLimits
    from pitboss.web.registry import TableRegistry

SHUTDOWN_SECONDS = 2
"""So long streams of events are waited for at the end."""


SWEEP_INTERVAL_SECONDS = 60.0
"""How often some of the tables are looked at."""


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 is every one of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")] = 8000,
    database: Annotated[
        str,
        typer.Option(
            envvar="PITBOSS_DATABASE",
            metavar="FILE|URL",
            help="Where tables are kept; made where it is not there.  Without it, in the user's own data folder.",
        ),
    ] = "",
    ledger: Annotated[
        str,
        typer.Option(
            envvar="PITBOSS_LEDGER",
            metavar="FILE|URL",
            help="The progressive's ledger, as `pitboss jackpot init` makes it; served if it is there.",
        ),
    ] = DEFAULT_LEDGER,
    proxy: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The TLS proxy in front, whose X-Forwarded headers are believed.")
    ] = "",
    per_address: Annotated[
        int,
        typer.Option(min=8, metavar="NUMBER", help="Connections, and requests a second, of one address."),
    ] = 200,
    close_after: Annotated[
        int, typer.Option(min=1, metavar="HOURS", help="Tables where nothing has happened for so long are closed.")
    ] = 24,
) -> None:
    """Play in the browser: tables, coach, dealer training, PAR sheets; the progressive and its API.

    Tables and chips are play money; whoever opens the address plays.

    For example:

        pitboss serve
        pitboss serve --port 9000 --database tables.db
        pitboss jackpot init --executive eve && pitboss serve
    """
    try:
        import uvicorn

        from pitboss.web.http_server import Server, raise_descriptor_limit
        from pitboss.web.jackpot_context import JackpotContext
        from pitboss.web.ledger_events import LedgerWatcher
        from pitboss.web.problems import LOG
        from pitboss.web.rate_limits import RateLimits
    except ModuleNotFoundError as error:
        raise PitbossError(f"{error.name} is not installed: pip install 'pitboss[web]'") from None

    logging.basicConfig(format="%(asctime)s %(name)s %(message)s", datefmt="%Y-%m-%dT%H:%M:%S%z")
    LOG.setLevel(logging.INFO)
    limits = RateLimits(per_address=per_address)
    with ExitStack() as opened:
        listener = opened.enter_context(_open_socket(host, port))
        house = None
        if ledger != DEFAULT_LEDGER or Path(ledger).exists():
            at = opened.enter_context(open_ledger(ledger))
            house = JackpotContext(
                at.store, at.signer, at.controller, at.credentials, LedgerWatcher(at.store, at.controller), limits
            )
        floor = opened.enter_context(
            _open_registry(database or str(_get_default_database()), house, limits, close_after)
        )
        config, caps = _make_config(house, floor, proxy, per_address, raise_descriptor_limit())
        _print_address(listener, progressive=house is not None, local=_is_local(host), proxy=proxy)
        if caps.warning:
            typer.echo(caps.warning)
        server: uvicorn.Server = Server(config, floor.jobs.close)
        server.run(sockets=[listener])


def _make_config(
    jackpot: "JackpotContext | None", registry: "TableRegistry", proxy: str, per_address: int, descriptors: int
) -> "tuple[uvicorn.Config, ConnectionCaps]":
    """Return how the server is set up, with as many connections and streams as fit into its descriptors."""
    from pitboss.web.app import create_app
    from pitboss.web.http_server import ConnectionLimiter, compute_caps, make_config
    from pitboss.web.stream_slots import StreamSlots

    caps = compute_caps(descriptors, per_address)
    config = make_config(
        create_app(
            jackpot, registry, behind_proxy=bool(proxy), slots=StreamSlots(caps.streams, per_address=per_address // 2)
        ),
        ConnectionLimiter(caps, proxy.split(",")),
        log_level="warning",
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    return config, caps


@contextmanager
def _open_registry(
    database: str, jackpot: "JackpotContext | None", limits: "RateLimits", hours: int
) -> Iterator["TableRegistry"]:
    """Open the tables of a database; those that are linked play for the house's progressive."""
    from pitboss.table.progressive_client import ProgressiveClient
    from pitboss.table.service import TableService
    from pitboss.web.registry import TableRegistry

    url, key = to_database_url(database), _get_table_key_path(database)
    if jackpot is None:
        floor = TableRegistry(TableService.connect(url, key), limits=limits, close_hours=hours)
    else:
        controller = jackpot.controller
        tables = TableService.connect(url, key, connect_progressive=partial(ProgressiveClient, controller))
        floor = TableRegistry(
            tables, entry_counter=lambda: controller.refresh().entries, limits=limits, close_hours=hours
        )
    ended = Event()
    sweeping = Thread(target=_close_idle_tables, args=(floor, ended), daemon=True)
    sweeping.start()
    try:
        yield floor
    finally:
        ended.set()
        sweeping.join(SHUTDOWN_SECONDS)
        floor.close()


def _close_idle_tables(registry: "TableRegistry", ended: Event) -> None:
    """Close tables that nobody comes back to, some every minute."""
    while not ended.wait(SWEEP_INTERVAL_SECONDS):
        try:
            registry.close_idle_tables()
        except PitbossError as error:  # the ledger's: whoever plays is told so too
            logging.getLogger("pitboss.web").warning("tables are not closed: %s", error)


def _get_table_key_path(database: str) -> Path:
    """Return the file of the key that seals hidden cards: PITBOSS_TABLE_KEY_FILE, or one beside the database."""
    beside = _get_default_database() if "://" in database else Path(database)
    return Path(os.environ.get("PITBOSS_TABLE_KEY_FILE", f"{beside}.key"))


def _get_default_database() -> Path:
    """Return where the user's own tables are kept; its folder is made."""
    folder = Path(platformdirs.user_data_dir("pitboss"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tables.db"


def _open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens, before anything is said of it."""
    from pitboss.web.listener import listen

    try:
        return listen(host, port)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise PitbossError(f"cannot listen at {host}:{port} ({why}): choose another --host or --port") from None


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _print_address(listener: socket.socket, *, progressive: bool, local: bool, proxy: str) -> None:
    """Print the address, and what plain HTTP means for it."""
    host, port = listener.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    typer.echo(f"Play at {address}/ (Ctrl-C ends it)")
    if progressive:
        typer.echo(f"The progressive: {address}/progressive, its API at {address}/openapi.json")
    if progressive and local and not proxy:
        typer.echo("plain HTTP, for this machine only: here a session's cookie is neither Secure nor __Host-")
    elif not local and not proxy:
        typer.echo("plain HTTP: nobody can log in from elsewhere; put a TLS proxy in front and name it with --proxy")
