"""The style of all charts: colours, the figure, and how it is written.

Colours are chosen so that a chart reads in grey and to people who do not see all colours: answers are a ramp from light
to dark, losses and gains differ by side, sign and hatching.  Matplotlib draws; it needs the extra ``charts``.
"""

import io
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitboss.core.errors import ReportError
from pitboss.core.extras import write_install_hint
from pitboss.core.files import verify_writable, write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHART_FORMATS = ("pdf", "png", "svg")

INK, GAIN, LOSS, NEUTRAL = "#1b2a24", "#1f7a4d", "#b3282d", "#7b8580"
"""Lines and text, what the player gains, what the player loses, what is neither."""

RAMP = ("#fbf6e6", "#acd58a", "#65b379", "#398f77", "#256d74", "#1c4d65", "#132e45")
"""Fills from light to dark, in equal steps of contrast."""

DARK_TEXT, LIGHT_TEXT = "#05100b", "#ffffff"
"""The text on a fill; the page's own ink would not show on it in a dark page."""

NARROW_WIDTH = 4.0
"""The width in inches of a chart that a phone shows in full; a wider one is scrolled."""

_PIXELS_PER_INCH = 115  # on a page, where nothing narrows it

LOSS_HATCH = "////"

_LEFT_OUT = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", re.DOTALL)
_STYLE = re.compile(r' style="([^"]*)"')
_FONT = re.compile(r"((?:bold|700) )?(?:[a-z]+ )*([0-9.]+px)")


def choose_fills(count: int) -> list[str]:
    """Return fills for ``count`` answers, as far apart as possible.

    >>> choose_fills(2), choose_fills(3)[1]
    (['#fbf6e6', '#132e45'], '#398f77')
    """
    last = len(RAMP) - 1
    return [RAMP[round(place * last / max(1, count - 1))] for place in range(count)]


def choose_text_colour(fill: str) -> str:
    """Return the colour of text that has the greater contrast to a fill."""
    return max((DARK_TEXT, LIGHT_TEXT), key=lambda text: compute_contrast(text, fill))


def compute_contrast(one: str, other: str) -> float:
    """Compute the contrast of two colours ``#rrggbb``, from 1 to 21 (WCAG 2).

    >>> round(compute_contrast("#000000", "#ffffff"), 6)
    21.0
    """
    low, high = sorted(_compute_luminance(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _compute_luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def make_figure(
    panels: int, title: str, height: float = 3.6, width: float = 4.2, columns: int = 0
) -> tuple["Figure", Sequence["Axes"]]:
    """Make a figure with panels of a size in inches, in rows of ``columns``.

    By default all panels are in one row.

    Raises:
        ReportError: Matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ReportError(f"a chart needs Matplotlib: {write_install_hint('charts')}", code="not-installed") from None
    across = columns or panels
    down = -(-panels // across)
    figure = Figure(figsize=(width * across, height * down), layout="constrained")
    if title:
        figure.suptitle(title, color=INK)
    axes = np.atleast_1d(figure.subplots(down, across)).ravel().tolist()
    for each in axes[panels:]:
        each.remove()
    for each in axes[:panels]:
        each.spines[["top", "right"]].set_visible(False)
        each.set_axisbelow(True)
        each.grid(axis="y", alpha=0.25)
        each.tick_params(which="both", color=INK, labelcolor=INK, labelsize=8)
        each.spines[:].set_color(INK)
        each.xaxis.label.set(color=INK, fontsize=9)
        each.yaxis.label.set(color=INK, fontsize=9)
    return figure, axes[:panels]


def to_svg(figure: Any, name: str, title: str, description: str = "") -> str:
    """Return a figure as an inline ``<svg>`` in the page's font and text colour.

    ``name`` is the prefix of every id in it, so that a page can have several pictures; screen readers read ``title``
    and ``description``.  It has attributes instead of styles, which strict pages do not allow inline.
    """
    width, height = (round(_PIXELS_PER_INCH * inches) for inches in figure.get_size_inches())
    is_wide = figure.get_figwidth() > NARROW_WIDTH
    attributes = f' width="{width}" height="{height}"' + (' class="wide"' if is_wide else "")
    return _write_svg(figure, name, title, description, attributes).replace(INK, "currentColor")


def to_svg_file(figure: Any, title: str, description: str = "") -> bytes:
    """Return a figure as an SVG file of its own."""
    width, height = (72 * inches for inches in figure.get_size_inches())
    about = f' width="{width:g}pt" height="{height:g}pt" xmlns="http://www.w3.org/2000/svg"'
    about += ' font-family="DejaVu Sans, Verdana, sans-serif"'
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n{_write_svg(figure, "chart", title, description, about)}\n'.encode()
    )


def _write_svg(figure: Any, name: str, title: str, description: str, attributes: str) -> str:
    """Draw a figure; its root gets the names of its texts and these attributes."""
    from matplotlib import rc_context

    out = io.StringIO()
    no_metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", transparent=True, metadata=no_metadata)
    width, height = (72 * inches for inches in figure.get_size_inches())
    body = _LEFT_OUT.sub("", out.getvalue().partition("<svg")[2].partition(">")[2])
    body = _STYLE.sub(lambda match: "".join(_iter_attributes(match[1])), body).replace("xlink:href", "href")
    for before, after in (('id="', f'id="{name}-'), ("url(#", f"url(#{name}-"), ('href="#', f'href="#{name}-')):
        body = body.replace(before, after)
    texts = {"title": title, **({"desc": description} if description else {})}
    labels = "".join(f'<{each} id="{name}-{each}">{escape(text)}</{each}>' for each, text in texts.items())
    named = " ".join(f"{name}-{each}" for each in texts)
    size = f'viewBox="0 0 {width:g} {height:g}"'
    drawn = f'<svg role="img" aria-labelledby="{named}" {size} stroke-linejoin="round"{attributes}>'
    return f"{drawn}{labels}{body.strip()}"


def _iter_attributes(style: str) -> Iterator[str]:
    """Yield the declarations of a style as attributes; the page sets the font."""
    for declaration in filter(None, map(str.strip, style.split(";"))):
        name, _, text = (part.strip() for part in declaration.partition(":"))
        if name == "font":
            for weight, size in _FONT.findall(text):
                yield f' font-size="{size}"' + (' font-weight="bold"' if weight else "")
        elif name != "font-family":
            yield f' {name}="{text}"'


def to_png(figure: Any, dots_per_inch: int = 220) -> bytes:
    """Return a figure as a PNG suitable for print."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=dots_per_inch, metadata={"Software": None})
    return out.getvalue()


def verify_chart(path: Path) -> None:
    """Check that a chart can be written to a file.

    Raises:
        ReportError: the file's ending is not a chart format, the file cannot be written, or Matplotlib is not
            installed.
    """
    if _get_format(path) not in CHART_FORMATS:
        kind = f"{path.suffix} is none of them" if path.suffix else "it has none"
        message = f"give {path} an extension, one of {', '.join(CHART_FORMATS)}: {kind}"
        raise ReportError(message, code="unknown-format", chart_formats=CHART_FORMATS, path=path)
    verify_writable(path, ReportError)
    make_figure(1, "")


def _get_format(path: Path) -> str:
    return path.suffix.removeprefix(".").lower()


def write_chart(figure: Any, path: Path, title: str = "", description: str = "") -> None:
    """Write a chart to a file atomically, in the format of the file's ending.

    Raises:
        ReportError: as ``verify_chart``, or the file cannot be written.
    """
    verify_chart(path)
    if _get_format(path) == "svg":
        write_file(path, to_svg_file(figure, title or path.stem, description), ReportError)
        return
    out = io.BytesIO()
    figure.savefig(out, format=_get_format(path), dpi=144)
    write_file(path, out.getvalue(), ReportError)
