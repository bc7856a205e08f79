"""The reasons of settlements, filled in from the hand that a wager is on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pitboss.builders import display_value
from pitboss.contract import Game
from pitboss.declarations import verify_fields
from pitboss.hands import NO_HAND, format_hand, format_showdown, load_hand_tables

LOST_BY_FOLD = "folded"
"""The reason that every game gives if the fold alone has lost a circle."""

_FIELD_PATTERN = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class SettledHand:
    """One seat's hand at its settlement, compared with the dealer's.

    The name of a hand that does not lie face up (``is_face_up``) is not shown to anybody (ALL-6).
    """

    game: Game
    state: Any
    codes: Any
    options: Mapping[str, str]
    is_face_up: bool

    @cached_property
    def _strengths(self) -> tuple[int, int]:
        player, dealer = self.game.rules.evaluate_hands(load_hand_tables(), self.state, self.codes)
        return player, dealer

    def fill_reason(self, template: str, paid_line: str) -> str:
        """Return a leg's reason with all fields filled in.

        ``paid_line`` is the line that it is paid on.
        """
        return _FIELD_PATTERN.sub(
            lambda match: (
                paid_line if match[1] == "paid" else self.fill_reason(self.get_field_text(match[1]), paid_line)
            ),
            template,
        )

    def get_field_text(self, name: str) -> str:
        """Return the text of a field."""
        match name:
            case "mine":
                return format_hand(self._strengths[0])
            case "dealers":
                return format_hand(self._strengths[1])
            case "made":
                shown = self.is_face_up and self._strengths[0] != NO_HAND
                return f"{format_hand(self._strengths[0])}: " if shown else ""
            case "showdown":
                return format_showdown(*self._strengths)
        if name in self.options:
            return display_value(self.options[name])
        text = self.game.reason_fields[name](load_hand_tables(), self.state, self.codes)
        verify_fields(self.game, f"what the reason field {name} of {self.game.id} returns", text)
        return text
