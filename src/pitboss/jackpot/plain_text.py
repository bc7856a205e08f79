"""Texts that people write: one line, printed as it was written."""

from collections.abc import Iterable, Mapping

from pitboss.jackpot.errors import RefusalError


def verify_texts(values: Mapping[str, object]) -> None:
    r"""Check every text in these values, their parts and their names.

    >>> verify_texts({"award": 3, "change": {"text": "misread hand"}})
    >>> verify_texts({"change": {"text": "misread\npaid by ann: award 3"}})
    Traceback (most recent call last):
    pitboss.jackpot.errors.RefusalError: text has a line break or another character that does not print: write one line

    Raises:
        RefusalError: one has a line break or another character that does not print.
    """
    for name, value in values.items():
        _verify(name, (name, value))


def _verify(name: str, value: object) -> None:
    match value:
        case str():
            if not value.isprintable():
                raise RefusalError(
                    f"{name} has a line break or another character that does not print: write one line",
                    code="unprintable-text",
                    field=name,
                )
        case Mapping():
            verify_texts(value)
        case Iterable():
            for each in value:
                _verify(name, each)
        case _:
            pass


def describe_entries(count: int) -> str:
    """Describe how many entries of a ledger were found to hold.

    >>> describe_entries(1), describe_entries(2_000)
    ('1 entry verified', '2,000 entries verified')
    """
    return "1 entry verified" if count == 1 else f"{count:,} entries verified"
