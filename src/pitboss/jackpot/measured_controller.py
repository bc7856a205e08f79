"""A controller that counts and times the commands given to it."""

from collections import Counter
from threading import Lock
from time import perf_counter
from typing import Any

from pitboss.core.errors import PitbossError
from pitboss.jackpot.command_execution import CommandOutcome
from pitboss.jackpot.commands import ProgressiveCommand
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.proofs import Proof
from pitboss.jackpot.roles import Actor

LATENCY_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 30.0)
"""Seconds up to which commands are counted, ascending; slower ones only in total."""


class MeasuredController(Controller):
    """A controller with counts of commands by kind and result, and their latency."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Open as ``Controller`` does (raises LedgerError), with nothing counted yet."""
        super().__init__(*arguments, **named)
        self._lock = Lock()
        self.results: Counter[tuple[str, str]] = Counter()
        """Commands by kind and result: ``done``, ``repeated`` or the code of a refusal."""
        self.latencies: Counter[float] = Counter()
        """Commands by the least bound that they do not exceed; infinity for the slowest."""
        self.seconds = 0.0

    def execute(self, command: ProgressiveCommand, by: Actor | Proof, key: str) -> CommandOutcome:
        """Execute a command as ``Controller`` does, and count it."""
        began, result = perf_counter(), "failed"
        try:
            outcome = super().execute(command, by, key)
            result = "repeated" if outcome.is_repeat else "done"
        except PitbossError as error:
            result = error.code
            raise
        finally:
            seconds = perf_counter() - began
            bound = next((each for each in LATENCY_BOUNDS if seconds <= each), float("inf"))
            with self._lock:
                self.results[command.kind, result] += 1
                self.latencies[bound] += 1
                self.seconds += seconds
        return outcome
