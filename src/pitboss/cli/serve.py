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
"""How long the server waits for open event streams when it stops."""


SWEEP_INTERVAL_SECONDS = 60.0
"""How often some of the tables are checked for being idle."""


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 means every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port to listen at; 0 takes a free one.")] = 8000,
    database: Annotated[
        str,
        typer.Option(
            envvar="PITBOSS_DATABASE",
            metavar="FILE|URL",
            help="The database of the tables, made if it does not exist.  Default: a file in the user's data folder.",
        ),
    ] = "",
    ledger: Annotated[
        str,
        typer.Option(
            envvar="PITBOSS_LEDGER",
            metavar="FILE|URL",
            help="The progressive's ledger, made by `pitboss jackpot init`; served if it exists.",
        ),
    ] = DEFAULT_LEDGER,
    proxy: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The TLS proxy in front, whose X-Forwarded headers are trusted.")
    ] = "",
    per_address: Annotated[
        int,
        typer.Option(min=8, metavar="NUMBER", help="Limit on connections, and on requests a second, from one address."),
    ] = 200,
    close_after: Annotated[
        int, typer.Option(min=1, metavar="HOURS", help="Close tables where nothing has happened for this long.")
    ] = 24,
) -> None:
    """Serve tables to the browser: play, coach, dealer training, PAR sheets, progressive and API.

    All chips are play money; everyone who can open the address can play.

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
        jackpot = None
        if ledger != DEFAULT_LEDGER or Path(ledger).exists():
            at = opened.enter_context(open_ledger(ledger))
            watcher = LedgerWatcher(at.store, at.controller)
            jackpot = JackpotContext(at.store, at.signer, at.controller, at.credentials, watcher, limits)
        url = database or str(_get_default_database())
        registry = opened.enter_context(_open_registry(url, jackpot, limits, close_after))
        config, caps = _make_config(jackpot, registry, proxy, per_address, raise_descriptor_limit())
        _print_address(listener, progressive=jackpot is not None, local=_is_local(host), proxy=proxy)
        if caps.warning:
            typer.echo(caps.warning)
        server: uvicorn.Server = Server(config, registry.jobs.close)
        server.run(sockets=[listener])


def _make_config(
    jackpot: "JackpotContext | None", registry: "TableRegistry", proxy: str, per_address: int, descriptors: int
) -> "tuple[uvicorn.Config, ConnectionCaps]":
    """Return the server's configuration, and the caps on connections and streams that its descriptors allow."""
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
    """Open the tables of a database; linked tables play for the progressive."""
    from pitboss.table.progressive_client import ProgressiveClient
    from pitboss.table.service import TableService
    from pitboss.web.registry import TableRegistry

    url, key = to_database_url(database), _get_table_key_path(database)
    if jackpot is None:
        registry = TableRegistry(TableService.connect(url, key), limits=limits, close_hours=hours)
    else:
        controller = jackpot.controller
        tables = TableService.connect(url, key, connect_progressive=partial(ProgressiveClient, controller))
        registry = TableRegistry(
            tables, entry_counter=lambda: controller.refresh().entries, limits=limits, close_hours=hours
        )
    stop = Event()
    sweeper = Thread(target=_close_idle_tables, args=(registry, stop), daemon=True)
    sweeper.start()
    try:
        yield registry
    finally:
        stop.set()
        sweeper.join(SHUTDOWN_SECONDS)
        registry.close()


def _close_idle_tables(registry: "TableRegistry", stop: Event) -> None:
    """Close idle tables, some of them every minute, until ``stop`` is set."""
    while not stop.wait(SWEEP_INTERVAL_SECONDS):
        try:
            registry.close_idle_tables()
        except PitbossError as error:  # a fault of the ledger: players are shown it too
            logging.getLogger("pitboss.web").warning("cannot close idle tables: %s", error)


def _get_table_key_path(database: str) -> Path:
    """Return the file of the key that encrypts hidden cards: PITBOSS_TABLE_KEY_FILE, or one next to the database."""
    path = _get_default_database() if "://" in database else Path(database)
    return Path(os.environ.get("PITBOSS_TABLE_KEY_FILE", f"{path}.key"))


def _get_default_database() -> Path:
    """Return the database of the user's own tables; make its folder."""
    folder = Path(platformdirs.user_data_dir("pitboss"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tables.db"


def _open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that already listens (raises PitbossError)."""
    from pitboss.web.listener import listen

    try:
        return listen(host, port)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise PitbossError(f"cannot listen at {host}:{port} ({reason}): choose another --host or --port") from None


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _print_address(listener: socket.socket, *, progressive: bool, local: bool, proxy: str) -> None:
    """Print the address to open, and what plain HTTP means there."""
    host, port = listener.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    typer.echo(f"Play at {address}/ (Ctrl-C stops the server)")
    if progressive:
        typer.echo(f"The progressive: {address}/progressive, its API at {address}/openapi.json")
    if progressive and local and not proxy:
        typer.echo("plain HTTP, for this machine only: session cookies are neither Secure nor __Host-")
    elif not local and not proxy:
        typer.echo("plain HTTP: staff cannot log in remotely; put a TLS proxy in front and name it with --proxy")
