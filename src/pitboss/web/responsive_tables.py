"""Prepare tables for phones: rows become cards, each cell with its heading.

Templates pass a table through the filter ``stacked``; ``.stacked`` of the style sheet does the rest.  A table whose
columns are compared with one another, like a strategy chart, scrolls sideways in its region instead.
"""

import re
from html import unescape

from markupsafe import Markup

_TAG = re.compile(r"<(table|thead|tbody|tr|th|td)\b([^>]*)>")
_HEADING = re.compile(r"<t[hd]\b([^>]*)>(.*?)</t[hd]>", re.DOTALL)
_BREAK, _MARK, _SPAN = re.compile(r"<br\s*/?>"), re.compile(r"<[^>]*>"), re.compile(r'colspan="([0-9]+)"')
_ROLES = {"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "td": "cell"}
"""The roles of the parts: a browser that shows a part as a block may forget what it is."""


def stack_table(table: Markup) -> Markup:
    """Return a table with the heading of each cell as its label.

    >>> table = Markup("<table><thead><tr><th>Pay</th></tr></thead><tr><td>5</td></tr></table>")
    >>> print(stack_table(table).partition("</thead>")[2])
    <tr role="row"><td data-label="Pay" role="cell">5</td></tr></table>

    A row's heading has a label too if it is a figure.
    """
    body = table.find("</thead>")
    labels = list_headings(table[:body])
    parts, end, column = list[Markup](), 0, 0
    for match in _TAG.finditer(table):
        name, attributes = match[1], table[match.start(2) : match.end(2)]
        label, role = "", _ROLES.get(name) or ("rowheader" if match.start() > body else "columnheader")
        if name == "table":
            attributes = _add_class(attributes)
        elif name == "tr":
            column = 0
        elif name in {"td", "th"}:
            is_labelled = match.start() > body and "data-label" not in attributes
            if name == "th":  # the words of a row's heading say what they are, its figures do not
                words = _MARK.sub("", table[match.end() : table.find("</th>", match.end())])
                is_labelled = is_labelled and not any(map(str.isalpha, words))
            label = labels[column] if is_labelled and column < len(labels) else ""
            column += _count_columns(attributes)
        shown = Markup(' data-label="{}"').format(label) if label else ""
        parts += [table[end : match.start()], Markup('<{}{}{} role="{}">').format(name, attributes, shown, role)]
        end = match.end()
    return Markup().join([*parts, table[end:]])


def list_headings(head: str) -> list[str]:
    """List the words of a table's headings, one for each column.

    >>> list_headings('<th colspan="2">Pay<br>table</th><td></td>')
    ['Pay table', 'Pay table', '']
    """
    return [
        " ".join(unescape(_MARK.sub("", _BREAK.sub(" ", words))).split())
        for attributes, words in _HEADING.findall(head)
        for _ in range(_count_columns(attributes))
    ]


def _add_class(attributes: Markup) -> Markup:
    named = attributes.replace(Markup('class="'), Markup('class="stacked '))
    return named if named != attributes else attributes + Markup(' class="stacked"')


def _count_columns(attributes: str) -> int:
    found = _SPAN.search(attributes)
    return int(found[1]) if found else 1
