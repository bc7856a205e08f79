"""Win pages: what is printed for the people who pay an award and sign for it.

Every print is an entry of the ledger and has a number: the confirmation prints the first, and each later one is counted
by an entry of its own and marked as a reprint; an award that is entered again after a restoration is marked too.  A
page is kept with the answer to its command, so the same command sent again gets the same page: two documents with the
same number are one print.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pitboss.core.money import format_cents
from pitboss.core.version import __version__
from pitboss.jackpot.day_report import format_units
from pitboss.jackpot.state_parts import Hit


class WinPage(NamedTuple):
    """The page that goes with a payment.

    It has a heading, the mark of a reprint, labelled lines, signatures, and a footer.
    """

    heading: str
    mark: str
    lines: tuple[tuple[str, str], ...]
    signatures: tuple[str, ...]
    footer: str


_BLANK = "_" * 20


def make_win_page(award: int, round_hits: Iterable[Hit], at: str, entry: int, *, is_payment: bool = False) -> WinPage:
    """Return the latest print of an award's win page.

    Args:
        award: The number of the award.
        round_hits: All hits of its round.
        at: When it is printed, in UTC.
        entry: The ledger entry that counts the print.
        is_payment: Whether the payment itself prints it; any other later print is not for payment.
    """
    of_round = {hit.owed.award: hit for hit in round_hits}
    hit = of_round[award]
    standing = [each for each in of_round.values() if each.step not in {"cancelled", "backed-out"}]
    before = [each for each in standing if each.place < hit.place]
    number = hit.copies + 1
    purpose = "PRINTED AT ITS PAYMENT" if is_payment else "NOT FOR PAYMENT"
    lost = hit.owed.lost_award
    marks = [
        f"AWARD {lost} ENTERED AGAIN: NOT FOR A SECOND PAYMENT" if lost else "",
        f"REPRINT, print {number} of award {award}: {purpose}" if hit.copies else "",
    ]
    lines = (
        ("amount owed", format_cents(hit.cents)),
        ("from the meter", format_cents(hit.owed.meter_cents)),
        ("from the tray", format_cents(hit.owed.tray_cents)),
        ("meter before", format_units(hit.before_units)),
        ("meter after", format_units(hit.after_units)),
        ("where", f"table {hit.table}, round {hit.round}, seat {hit.owed.seat}, number {len(before) + 1} of the round"),
        ("hand", f"{hit.owed.hand} {hit.owed.cards or f'cards {_BLANK} (none were entered)'}"),
        ("entered by", hit.owed.by),
        ("confirmed by", hit.confirmed_by),
        ("printed", f"print {number} of award {award}"),
        *([("entered again", f"award {lost} before a restoration")] if lost else []),
    )
    return WinPage(
        heading=f"PROGRESSIVE WIN {award}",
        mark="; ".join(filter(None, marks)),
        lines=lines,
        signatures=("dealer", "supervisor", "winner"),
        footer=f"printed {at[:19].replace('T', ' ')} UTC by pitboss {__version__}, the ledger at entry {entry}",
    )


def format_win_page(page: WinPage) -> str:
    """Format a win page as lines of text."""
    lines = [f"{page.heading}   {page.mark}".rstrip(), *(f"{label:<14}  {value}" for label, value in page.lines)]
    return "\n".join([*lines, "", "  ".join(f"{who} {_BLANK}" for who in page.signatures), page.footer])


def read_win_page(written: Mapping[str, Any]) -> WinPage:
    """Read a page that was kept with an answer."""
    lines = tuple((str(label), str(value)) for label, value in written["lines"])
    return WinPage(**{**written, "lines": lines, "signatures": tuple(written["signatures"])})
