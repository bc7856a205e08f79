"""``pitboss serve``: the tables in the browser, and a progressive over HTTP."""

import ipaddress
import logging
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any

import platformdirs
import typer

from pitboss.cli.jackpot_ledger import DEFAULT_LEDGER, open_ledger
from pitboss.cli.jackpot_operations import AnchorOption, keep_anchored
from pitboss.cli.ledger_location import to_database_url
from pitboss.cli.logs import LogFormat, start_log
from pitboss.cli.serve_lock import hold_database
from pitboss.core.errors import PitbossError
from pitboss.core.extras import write_install_hint
from pitboss.games import list_load_errors

if TYPE_CHECKING:
    import uvicorn

    from pitboss.web.jackpot_context import JackpotContext
    from pitboss.web.jobs.queue import JobQueue
    from pitboss.web.rate_limits import RateLimits
    from pitboss.web.registry import TableRegistry
    from pitboss.web.server.http_server import ConnectionCaps

HouseOption = Annotated[
    str,
    typer.Option(
        envvar="PITBOSS_HOUSE",
        metavar="ADDRESSES",
        help="The addresses or networks of the house's displays and consoles, separated by commas, for example "
        "192.0.2.0/28: connections are reserved for them.",
    ),
]

SHUTDOWN_SECONDS = 2
"""How long the server waits for open event streams when it stops."""


SWEEP_INTERVAL_SECONDS = 60.0
"""How often some of the tables are checked for being idle."""


HostOption = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 listens on all of them.")]
PortOption = Annotated[int, typer.Option(min=0, max=65_535, help="The port to listen on; 0 picks a free one.")]
DatabaseOption = Annotated[
    str,
    typer.Option(
        envvar="PITBOSS_DATABASE",
        metavar="FILE|URL",
        help="The tables' database, created if it does not exist.  Default: a file in the user's data folder.",
    ),
]
ServedLedgerOption = Annotated[
    str,
    typer.Option(
        envvar="PITBOSS_LEDGER",
        metavar="FILE|URL",
        help="The progressive's ledger, created by `pitboss jackpot init`; served if it exists.",
    ),
]
ProxyOption = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="The address of the TLS proxy in front; its X-Forwarded headers are trusted."),
]
PerAddressOption = Annotated[
    int,
    typer.Option(min=8, metavar="NUMBER", help="The most connections, and requests per second, from one address."),
]
CloseAfterOption = Annotated[
    int, typer.Option(min=1, metavar="HOURS", help="Close a table where nothing has happened for this long.")
]
AnchorMinutesOption = Annotated[
    float, typer.Option(min=0.01, metavar="MINUTES", help="How often to send the ledger's head to the anchors.")
]
PrepareOption = Annotated[
    bool, typer.Option(help="Compute one hint of each game at the start, so that the coach's first answer is quick.")
]
LogFormatOption = Annotated[LogFormat, typer.Option(help="The format of the log on standard error.")]
SecurityLogOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Also write logins, failed logins and refused actions to this file, as JSON."),
]
MetricsTokenOption = Annotated[
    Path | None,
    typer.Option(
        envvar="PITBOSS_METRICS_TOKEN_FILE",
        metavar="FILE",
        help="A file with the token for /metrics, at least 32 characters.",
    ),
]
ScreensOption = Annotated[
    Path | None,
    typer.Option(
        envvar="PITBOSS_SCREENS_FILE",
        metavar="FILE",
        help="A file with a line NAME TOKEN for each third-party screen.",
    ),
]


def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    database: DatabaseOption = "",
    ledger: ServedLedgerOption = DEFAULT_LEDGER,
    proxy: ProxyOption = "",
    house: HouseOption = "",
    per_address: PerAddressOption = 200,
    anchor: AnchorOption = None,
    anchor_minutes: AnchorMinutesOption = 15,
    close_after: CloseAfterOption = 24,
    log_format: LogFormatOption = LogFormat.TEXT,
    security_log: SecurityLogOption = None,
    metrics_token: MetricsTokenOption = None,
    screens: ScreensOption = None,
    *,
    prepare: PrepareOption = True,
) -> None:
    """Serve tables to the browser: play, training, PAR sheets, progressive, API.

    All chips are play money.  Everyone who can open the address can play.

    For example:

        pitboss serve
        pitboss serve --port 9000 --database tables.db
        pitboss jackpot init --executive eve --executive max && pitboss serve
    """
    with ExitStack() as opened:
        listener = opened.enter_context(_open_socket(host, port))
        jobs = opened.enter_context(_open_jobs(prepare=prepare))
        try:
            import uvicorn

            from pitboss.web.metrics import read_metrics_token, read_screen_tokens
            from pitboss.web.problems import LOG
            from pitboss.web.rate_limits import RateLimits
            from pitboss.web.server.http_server import Server, raise_descriptor_limit
            from pitboss.web.server.networks import verify_networks
        except ModuleNotFoundError as error:
            raise PitbossError(
                f"{error.name} is not installed: {write_install_hint('web')}", code="not-installed"
            ) from None

        verify_networks(house, "--house")
        verify_networks("" if proxy == "*" else proxy, "--proxy")
        start_log(log_format, security_log)
        for each in list_load_errors():
            LOG.warning("%s", each)
        access = {
            "metrics_token": read_metrics_token(metrics_token) if metrics_token else "",
            "screen_tokens": read_screen_tokens(screens) if screens else {},
        }
        limits = RateLimits(per_address=per_address)
        jackpot = None
        if ledger != DEFAULT_LEDGER or Path(ledger).exists():
            anchors = tuple(anchor or ())
            jackpot = opened.enter_context(_open_jackpot(ledger, limits, anchors, anchor_minutes * 60))
        url = database or str(_get_default_database())
        opened.enter_context(hold_database(to_database_url(url)))
        registry = opened.enter_context(_open_registry(url, jackpot, jobs, limits, close_after))
        config, caps = _make_config(jackpot, registry, proxy, house, per_address, raise_descriptor_limit(), access)
        _print_address(listener, progressive=jackpot is not None, local=_is_local(host), proxy=proxy)
        if caps.warning:
            typer.echo(caps.warning)
        server: uvicorn.Server = Server(config, registry.jobs.close)
        server.run(sockets=[listener])


def _make_config(
    jackpot: "JackpotContext | None",
    registry: "TableRegistry",
    proxy: str,
    house: str,
    per_address: int,
    descriptors: int,
    access: Mapping[str, Any],
) -> "tuple[uvicorn.Config, ConnectionCaps]":
    """Return the server's configuration, and the caps that it enforces.

    They are the caps on connections and streams that ``descriptors`` allow.
    """
    from pitboss.web.app import create_app
    from pitboss.web.server.http_server import ConnectionLimiter, compute_caps, make_config
    from pitboss.web.server.networks import Networks
    from pitboss.web.server.stream_slots import StreamSlots

    own = Networks(house.split(","))
    caps = compute_caps(descriptors, per_address)
    config = make_config(
        create_app(
            jackpot,
            registry,
            behind_proxy=bool(proxy),
            slots=StreamSlots(caps.streams, per_address=per_address // 2, house=own),
            **access,
        ),
        ConnectionLimiter(caps, proxy.split(","), own),
        log_level="warning",
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    return config, caps


@contextmanager
def _open_jobs(*, prepare: bool) -> "Iterator[JobQueue]":
    """Start the job queue.

    To ``prepare``, its quick worker prepares the solvers while this process still loads the pages, which takes longer.
    """
    from pitboss.web.jobs.queue import JobQueue
    from pitboss.web.jobs.warm_up import prepare_solvers

    jobs = JobQueue()
    try:
        if prepare:
            prepare_solvers(jobs)
        yield jobs
    finally:
        jobs.close()


@contextmanager
def _open_jackpot(
    ledger: str, limits: "RateLimits", anchors: tuple[str, ...], anchor_seconds: float
) -> Iterator["JackpotContext"]:
    """Open the ledger of a progressive.

    It is verified in the background, and its head anchored.  One that does not hold is served closed: its displays and
    consoles say so.

    Raises:
        PitbossError: another server holds its file, or an anchored head is not in it.
    """
    from pitboss.jackpot.chain_verifier import ChainVerifier
    from pitboss.jackpot.controller import get_utc_now
    from pitboss.jackpot.measured_controller import MeasuredController
    from pitboss.web.jackpot_context import JackpotContext
    from pitboss.web.ledger_events import LedgerWatcher

    with (
        hold_database(to_database_url(ledger)),
        open_ledger(ledger, stays=True, make_controller=MeasuredController) as at,
        keep_anchored(at, anchors, anchor_seconds),
    ):
        watcher, verifier = LedgerWatcher(at.store, at.controller), ChainVerifier(at.controller, get_utc_now)
        verifier.start()
        try:
            yield JackpotContext(at.store, at.signer, at.controller, at.credentials, watcher, limits)
        finally:
            verifier.stop()


@contextmanager
def _open_registry(
    database: str, jackpot: "JackpotContext | None", jobs: "JobQueue", limits: "RateLimits", hours: int
) -> Iterator["TableRegistry"]:
    """Open the tables of a database; linked tables play for the progressive."""
    from pitboss.table.progressive_client import ProgressiveClient
    from pitboss.table.service import TableService
    from pitboss.web.registry import TableRegistry

    url, key = to_database_url(database), get_table_key_path(database)
    if jackpot is None:
        registry = TableRegistry(TableService.connect(url, key), jobs, limits=limits, close_hours=hours)
    else:
        controller = jackpot.controller
        tables = TableService.connect(url, key, connect_progressive=partial(ProgressiveClient, controller))
        registry = TableRegistry(
            tables, jobs, entry_counter=lambda: controller.refresh().entries, limits=limits, close_hours=hours
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


def get_table_key_path(database: str) -> Path:
    """Return the file of the key that encrypts hidden cards.

    It is PITBOSS_TABLE_KEY_FILE, or a file next to the database.
    """
    path = _get_default_database() if "://" in database else Path(database)
    return Path(os.environ.get("PITBOSS_TABLE_KEY_FILE", f"{path}.key"))


def _get_default_database() -> Path:
    """Return the database of the user's own tables; make its folder."""
    folder = Path(platformdirs.user_data_dir("pitboss"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tables.db"


def _open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that already listens (raises PitbossError)."""
    from pitboss.web.server.listener import listen

    try:
        return listen(host, port)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror).partition(" (")[0]
        raise PitbossError(
            f"cannot listen at {host}:{port} ({reason}): choose another --host or --port",
            code="cannot-listen",
            host=host,
            port=port,
        ) from None


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
