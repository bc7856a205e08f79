"""A dictionary that refuses changes, for what is handed out and shared."""

from typing import Any, NoReturn, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class ReadOnlyDict(dict[Key, Value]):
    """A dictionary that refuses changes.

    It can be pickled, copied, hashed and written as JSON.

    >>> stakes = ReadOnlyDict({"main": 1})
    >>> stakes["main"] = 2
    Traceback (most recent call last):
    TypeError: this mapping cannot be changed: copy it with dict(...)
    >>> stakes | {"aces-up": 2}
    {'main': 1, 'aces-up': 2}
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the items: unpickling must not set them one by one."""
        return type(self), (dict(self),)


def _hash_items(mapping: ReadOnlyDict[Any, Any]) -> int:
    return hash(frozenset(mapping.items()))


def _refuse(*_args: object, **_kwargs: object) -> NoReturn:
    raise TypeError("this mapping cannot be changed: copy it with dict(...)")


_CHANGES = ("__delitem__", "__ior__", "__setitem__", "clear", "pop", "popitem", "setdefault", "update")
for _name, _method in {**dict.fromkeys(_CHANGES, _refuse), "__hash__": _hash_items}.items():
    setattr(ReadOnlyDict, _name, _method)
