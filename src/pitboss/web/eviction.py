"""Eviction by fair shares of jobs, event streams and connections.

A full resource does not refuse an address that has less of it than another: the other makes room.  So a few addresses
that take all places, each within its own limit, shut out nobody.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

Place = TypeVar("Place")


class Holding(NamedTuple, Generic[Place]):
    """A place, with the network (``get_network``) and the guest that hold it."""

    network: str
    guest: str
    place: Place


def choose_evicted(holdings: Iterable[Holding[Place]], newcomer: str) -> Place | None:
    """Choose the place that makes room for one more of the network ``newcomer``.

    It is the last one of the guest with most places in the network with most.  Return None if the newcomer's network
    has as many as that one.

    >>> held = [Holding("192.0.2.1", "ann", 1), Holding("192.0.2.1", "bob", 2), Holding("192.0.2.1", "ann", 3)]
    >>> [choose_evicted([*held, Holding("192.0.2.2", "cid", 4)], each) for each in ("192.0.2.2", "192.0.2.1")]
    [3, None]
    """
    held = list(holdings)
    networks = Counter(each.network for each in held)
    heaviest = max(networks, key=networks.__getitem__, default=newcomer)
    if networks[newcomer] >= networks[heaviest]:
        return None
    of_heaviest = [each for each in held if each.network == heaviest]
    guests = Counter(each.guest for each in of_heaviest)
    most = max(guests.values())
    return next(each.place for each in reversed(of_heaviest) if guests[each.guest] == most)
