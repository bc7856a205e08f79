"""QR codes as SVG that a page may contain: a path, without styles of its own."""

from ipaddress import ip_address
from typing import NamedTuple

import segno
from markupsafe import Markup
from starlette.datastructures import URL

_QUIET = 4
"""The light border that a reader needs, in modules."""


class QrPath(NamedTuple):
    """A QR code as the path of its dark modules.

    They are in a square of ``size``, which includes the quiet border.
    """

    size: int
    path: str


def trace_qr(text: str) -> QrPath:
    """Trace the QR code of a text, a line for each run of dark modules.

    >>> trace_qr("https://pitboss.example/").size
    33
    """
    code = segno.make(text, error="m", micro=False)
    path = "".join(
        f"M{_QUIET + start} {_QUIET + number}h{length}v1h-{length}z"
        for number, row in enumerate(code.matrix)
        for start, length in _iter_runs(bytes(row))
    )
    return QrPath(len(code.matrix) + 2 * _QUIET, path)


def _iter_runs(row: bytes) -> list[tuple[int, int]]:
    """Return where the runs of dark modules in a row begin, and how long they are."""
    runs, start = list[tuple[int, int]](), 0
    while (start := row.find(1, start)) >= 0:
        end = row.find(0, start)
        length = (len(row) if end < 0 else end) - start
        runs.append((start, length))
        start += length
    return runs


def draw_qr(text: str, label: str) -> Markup:
    """Draw the QR code of a text as inline SVG.

    ``label`` is for those who do not see it.  It is dark on light also in a dark page, as readers need it.  Nothing is
    drawn of a text that no QR code holds, as an address that a client has made up: the page shows it beside the code.
    """
    try:
        size, path = trace_qr(text)
    except segno.DataOverflowError:
        return Markup()
    return Markup(
        '<svg class="qr" role="img" aria-label="{}" viewBox="0 0 {} {}">'
        '<path class="light" d="M0 0h{}v{}H0z"/><path class="dark" d="{}"/></svg>'
    ).format(label, size, size, size, size, path)


def draw_invitation(address: str, label: str) -> Markup:
    """Draw the QR code of an address for others, or say how they could open it.

    A loopback address leads every machine to itself.  Others can play only over TLS: their browsers keep no cookie of
    a guest from plain HTTP.
    """
    return _UNREACHABLE if _is_loopback(URL(address).hostname or "") else draw_qr(address, label)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


_UNREACHABLE = Markup('<p class="notice">Only this computer can open this address; ask whoever runs the server.</p>')
