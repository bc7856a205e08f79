"""A spreadsheet that reckons a workbook's formulas in fractions: only the functions that the reports use."""

import ast
import io
import re
from fractions import Fraction
from math import floor, sqrt
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils.cell import range_boundaries

_TOKEN = re.compile(
    r"(?:'(?P<sheet>[^']+)'!)?(?P<first>\$?[A-Z]{1,2}\$?\d+)(?::(?P<last>\$?[A-Z]{1,2}\$?\d+))?"
    r'|(?P<text>"[^"]*")|(?P<word>[A-Z]+)(?=\()|(?P<number>\d+(?:\.\d+)?)|(?P<sign>[-+*/^(),=])'
)


class Spreadsheet:
    """A workbook in which a cell may be changed and any other reckoned anew, exactly but for square roots."""

    def __init__(self, content: bytes) -> None:
        """Read a workbook."""
        self.book: Any = load_workbook(io.BytesIO(content))
        self.kept: Any = load_workbook(io.BytesIO(content), data_only=True)
        self.reckoned: dict[tuple[str, str], Any] = {}

    def set(self, sheet: str, cell: str, value: object) -> None:
        """Change a cell."""
        self.book[sheet][cell] = value
        self.reckoned.clear()

    def find(self, sheet: str, label: str, column: int = 2, nth: int = 1) -> str:
        """Return the cell in a column of the nth row that begins with a label."""
        rows = [row for row in self.book[sheet].iter_rows() if row[0].value == label]
        return str(rows[nth - 1][column - 1].coordinate)

    def value(self, sheet: str, cell: str) -> Any:
        """Reckon a cell, once until a cell is changed."""
        if (sheet, cell) not in self.reckoned:
            self.reckoned[sheet, cell] = self._value(sheet, cell)
        return self.reckoned[sheet, cell]

    def _value(self, sheet: str, cell: str) -> Any:
        written = self.book[sheet][cell].value
        if isinstance(written, str) and written.startswith("="):
            return self._reckoned(sheet, written[1:])
        return Fraction(repr(written)) if isinstance(written, int | float) else written

    def labelled(self, sheet: str, label: str, nth: int = 1) -> Any:
        """Reckon the second cell of the row that begins with a label."""
        return self.value(sheet, self.find(sheet, label, nth=nth))

    def _reckoned(self, sheet: str, formula: str) -> Any:
        """Write the formula as an expression of Python, read it, and walk it."""
        written, end = [], 0
        for match in _TOKEN.finditer(formula):
            assert match.start() == end, f"cannot read {formula!r} from {end}"
            end = match.end()
            written.append(self._word(sheet, match))
        assert end == len(formula), f"cannot read {formula!r} from {end}"
        return self._walk(ast.parse("".join(written), mode="eval").body)

    def _word(self, sheet: str, match: re.Match[str]) -> str:
        if match["first"]:
            on = match["sheet"] or sheet
            return f"cells({on!r}, {match['first']!r}, {match['last']!r})"
        return {"^": "**", "=": "=="}.get(match[0], match[0])

    def _walk(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return Fraction(repr(value)) if isinstance(value, int | float) else value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._walk(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self._walk(left), self._walk(right))
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                return self._walk(left) == self._walk(right)
            case ast.Call(func=ast.Name(id="cells"), args=[ast.Constant(), ast.Constant(), ast.Constant()] as found):
                return self._cells(*(each.value for each in found if isinstance(each, ast.Constant)))
            case ast.Call(func=ast.Name(id=name), args=found):
                return self._called(name, [self._walk(each) for each in found])
        raise AssertionError(ast.dump(node))

    @staticmethod
    def _binary(op: ast.operator, left: Any, right: Any) -> Any:
        match op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                return left / right
            case ast.Pow():
                return left ** int(right)
        raise AssertionError(op)

    def _cells(self, sheet: Any, first: Any, last: Any) -> Any:
        if last is None:
            return self.value(sheet, first.replace("$", ""))
        left, top, right, bottom = range_boundaries(f"{first}:{last}")
        rows = self.book[sheet].iter_rows(min_col=left, min_row=top, max_col=right, max_row=bottom)
        return [self.value(sheet, cell.coordinate) for row in rows for cell in row]

    @staticmethod
    def _called(name: str, given: list[Any]) -> Any:
        match name, given:
            case "SUM", [cells]:
                return sum(cells)
            case "SUMPRODUCT", [one, other]:
                return sum(x * y for x, y in zip(one, other, strict=True))
            case "SUMPRODUCT", [one, other, third]:
                return sum(x * y * z for x, y, z in zip(one, other, third, strict=True))
            case "SUMIF", [cells, ">0", added]:
                return sum(y for x, y in zip(cells, added, strict=True) if x > 0)
            case "SQRT", [number]:
                return sqrt(number)
            case "INT", [number]:
                return Fraction(floor(number))
            case "ROUND", [number, digits] if digits == 0:
                return Fraction(floor(number + Fraction(1, 2)))
            case "IF", [true, this, that]:
                return this if true else that
            case "MAX", _:
                return max(given)
        raise AssertionError(name)
