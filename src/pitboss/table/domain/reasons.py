"""Why a circle ended as it did: what a leg's reason leaves open, filled in from the hand that it stands on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pitboss.builders import display_value
from pitboss.contract import Game
from pitboss.hands import NO_HAND, format_hand, format_showdown, load_hand_tables

STANDARD = frozenset({"mine", "dealers", "made", "showdown", "paid"})
"""The names that a reason of any game may leave open, beside the game's options and its own ``words``."""

LOST_BY_FOLD = "folded"
"""What every game gives as the reason where the fold alone has lost a circle."""

_OPEN = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Hand:
    """One seat's hand as it is settled: what it is called, and how it stands against the dealer's.

    ``open_to_all`` says that it lies face up: the name of a hand that does not is told nobody (ALL-6).
    """

    game: Game
    state: Any
    codes: Any
    options: Mapping[str, str]
    open_to_all: bool

    @cached_property
    def _strengths(self) -> tuple[int, int]:
        mine, dealers = self.game.rules.evaluate_hands(load_hand_tables(), self.state, self.codes)
        return mine, dealers

    def reason(self, written: str, paid: str) -> str:
        """Return a leg's reason with all filled in; ``paid`` is the line that it is paid on."""
        return _OPEN.sub(lambda found: paid if found[1] == "paid" else self.reason(self.word(found[1]), paid), written)

    def word(self, name: str) -> str:
        """Return what stands for a name."""
        match name:
            case "mine":
                return format_hand(self._strengths[0])
            case "dealers":
                return format_hand(self._strengths[1])
            case "made":
                shown = self.open_to_all and self._strengths[0] != NO_HAND
                return f"{format_hand(self._strengths[0])}: " if shown else ""
            case "showdown":
                return format_showdown(*self._strengths)
        if name in self.options:
            return display_value(self.options[name])
        return self.game.reason_fields[name](load_hand_tables(), self.state, self.codes)
