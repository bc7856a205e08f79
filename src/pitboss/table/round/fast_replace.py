"""Frozen records that follow one another."""

from typing import Any, TypeVar

Record = TypeVar("Record")


def replace(record: Record, **changes: Any) -> Record:
    """Return a frozen dataclass (without slots) with some fields changed, in a third of the time of ``dataclasses``'.

    What it had worked out of its fields (``cached_property``) is not kept.

    Raises:
        TypeError: it has no such field.
    """
    kind: Any = type(record)
    names, before = kind.__dataclass_fields__, record.__dict__
    fields = {name: before[name] for name in names} | changes
    if len(fields) > len(names):
        raise TypeError(f"{kind.__name__} has no field {', '.join(sorted(changes.keys() - names.keys()))}")
    after: Record = object.__new__(kind)
    after.__dict__.update(fields)
    return after
