"""The metrics of a server in OpenMetrics, for Prometheus and others.

They are read when they are asked for, from counts that are kept anyway.  They hold no name of a person, no address and
no key.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from pitboss.core.errors import PitbossError
from pitboss.core.files import read_text
from pitboss.core.version import __version__
from pitboss.jackpot.display import get_display_cents
from pitboss.jackpot.health import HealthReport, check_health
from pitboss.jackpot.measured_controller import LATENCY_BOUNDS, MeasuredController
from pitboss.jackpot.state import ProgressiveState
from pitboss.web.jackpot_context import JackpotContext
from pitboss.web.server.measuring import RequestMeasurements
from pitboss.web.server.stream_slots import StreamKind, StreamSlots

CONTENT_TYPE = CONTENT_TYPE_LATEST
MIN_TOKEN_CHARACTERS = 32


def read_metrics_token(path: Path) -> str:
    """Return the token in a file, which reads the metrics.

    Raises:
        PitbossError: the file cannot be read, or its token is too short.
    """
    token = read_text(path, PitbossError).strip()
    if len(token) < MIN_TOKEN_CHARACTERS or not token.isascii() or not token.isprintable():
        raise PitbossError(
            f"the token in {path} is too short: at least {MIN_TOKEN_CHARACTERS} characters, from openssl rand -hex 32",
            code="token-too-short",
            path=path,
            least=MIN_TOKEN_CHARACTERS,
        )
    return token


def read_screen_tokens(path: Path) -> dict[str, str]:
    """Return the tokens of screens in a file, a line with NAME and TOKEN for each.

    Raises:
        PitbossError: the file cannot be read, or a line is not a name and a token that is long enough.
    """
    tokens = {}
    for number, line in enumerate(read_text(path, PitbossError).splitlines(), 1):
        name, _, token = line.strip().partition(" ")
        if not name:
            continue
        if len(token) < MIN_TOKEN_CHARACTERS or not line.isascii() or name in tokens:
            raise PitbossError(
                f"{path}, line {number}: write NAME TOKEN, a token of at least {MIN_TOKEN_CHARACTERS} characters",
                code="invalid-screen",
                path=path,
                line=number,
            )
        tokens[name] = token
    return tokens


def write_metrics(app: FastAPI) -> bytes:
    """Return the metrics of an application in OpenMetrics."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_ServerCollector(app))
    write: Callable[[CollectorRegistry], bytes] = generate_latest  # which has no types
    return write(registry)


class _ServerCollector(Collector):
    """Reads the counts of an application."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def collect(self) -> Iterable[Metric]:
        """Yield every family of metrics."""
        state = self._app.state
        info = InfoMetricFamily("pitboss", "The program.")
        info.add_metric([], {"version": __version__})
        yield info
        yield from _collect_requests(state.measurements)
        yield from _collect_streams(state.slots)
        jackpot: JackpotContext | None = state.jackpot
        if jackpot:
            yield from _collect_health(check_health(jackpot.store, jackpot.controller))
            yield from _collect_progressive(jackpot.controller.state)
            if isinstance(jackpot.controller, MeasuredController):
                yield from _collect_commands(jackpot.controller)


def _collect_requests(measurements: RequestMeasurements) -> Iterator[Metric]:
    requests, labels = measurements.requests.copy(), ("method", "route", "status")
    seconds = {kind: measurements.seconds[kind] for kind in requests}
    yield _count("http_requests", "Requests answered.", labels, requests)
    yield _count("http_request_seconds", "Time until answers began.", labels, seconds)
    yield _count("refusals", "Refused requests.", ("code", "status"), measurements.refusals.copy())


def _count(name: str, help_text: str, labels: Sequence[str], counts: Mapping[Any, float]) -> CounterMetricFamily:
    """Make a counter with the count of each combination of its labels."""
    family = CounterMetricFamily(f"pitboss_{name}", help_text, labels=labels)
    for values, count in counts.items():
        family.add_metric(list(map(str, values)), count)
    return family


def _collect_streams(slots: StreamSlots) -> Iterator[Metric]:
    streams = GaugeMetricFamily("pitboss_streams", "Open event streams.", labels=["kind"])
    for kind in StreamKind:
        streams.add_metric([kind.value], slots.count(kind))
    yield streams


def _collect_health(report: HealthReport) -> Iterator[Metric]:
    checks = GaugeMetricFamily("pitboss_check", "1 for a check that holds, else 0.", labels=["check"])
    for check in report.checks:
        checks.add_metric([check.name], int(check.holds))
    yield checks
    for name, help_text, value in (
        ("last_entry_age_seconds", "Time since the ledger's last entry.", report.entry_age_seconds),
        (
            "clock_offset_seconds",
            "This clock against the database's, or behind the ledger.",
            report.clock_offset_seconds,
        ),
        ("disk_free_bytes", "Free bytes of an SQLite ledger's disk, -1 elsewhere.", report.disk_free_bytes),
        ("disk_total_bytes", "All bytes of that disk.", report.disk_total_bytes),
    ):
        yield GaugeMetricFamily(f"pitboss_{name}", help_text, value)


def _collect_progressive(state: ProgressiveState) -> Iterator[Metric]:
    counts, labels = state.counts.items(), ("table",)
    yield _count("rounds", "Rounds opened.", labels, {(table,): each.number for table, each in state.rounds.items()})
    yield _count("wagers", "Wagers taken.", labels, {(table,): each.in_count for table, each in counts})
    yield _count("hits", "Hits entered and not cancelled.", labels, {(table,): each.hits for table, each in counts})
    yield CounterMetricFamily("pitboss_entries", "Entries of the ledger.", value=state.entries)
    yield GaugeMetricFamily("pitboss_display_cents", "The displayed amount.", get_display_cents(state))
    yield GaugeMetricFamily("pitboss_pending_hits", "Hits without confirmation.", len(state.list_pending_hits()))
    yield GaugeMetricFamily("pitboss_open_incidents", "Incidents that two people must close.", len(state.incidents))
    yield GaugeMetricFamily("pitboss_open_requests", "Changes without a second person.", len(state.requests))


def _collect_commands(controller: MeasuredController) -> Iterator[Metric]:
    yield _count("commands", "Commands executed here.", ("kind", "result"), controller.results.copy())
    total, buckets = 0, []
    latencies = controller.latencies.copy()
    for bound in (*LATENCY_BOUNDS, float("inf")):
        total += latencies[bound]
        buckets.append(("+Inf" if bound == float("inf") else str(bound), total))
    latency = HistogramMetricFamily("pitboss_command_seconds", "Time of a command, its commit included.")
    latency.add_metric([], buckets, sum_value=controller.seconds)
    yield latency
