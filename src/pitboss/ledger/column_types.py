"""The types of the ledger's columns, which refuse what a damaged file holds.

All columns are NOT NULL and STRICT, so a database takes nothing else.  A file whose bits have changed can still give
NULL, or a number in the place of a text.
"""

from typing import ClassVar, Generic, TypeVar

from sqlalchemy import BigInteger, Integer, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from pitboss.ledger.errors import LedgerError

Value = TypeVar("Value", int, str)


class _Checked(TypeDecorator[Value], Generic[Value]):
    """A type whose values are of one kind, with no NULL among them."""

    kind: ClassVar[type[int | str]]

    def process_result_value(self, value: Value | None, _dialect: Dialect) -> Value:
        """Return a value as it is.

        Raises:
            LedgerError: it is not of the kind that was written.
        """
        if value is None or type(value) is not self.kind:
            raise LedgerError("the ledger's file is damaged: restore a backup", code="ledger-damaged")
        return value


class WholeNumber(_Checked[int]):
    """A 64-bit integer."""

    impl = BigInteger().with_variant(Integer, "sqlite")
    kind = int
    cache_ok = True


class PlainText(_Checked[str]):
    """A text."""

    impl = Text
    kind = str
    cache_ok = True
