"""Exact mathematics of house-banked casino poker games, and play of them.

>>> import pitboss as pb
>>> pb.evaluate("As Kd Qh Jc Ts 2d").name
'straight, ace high'
>>> pb.game("shifting-wilds").par("blackjack-bonus").house_edge
Fraction(2893, 270725)

Names are loaded when they are first used, so that the import itself takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pitboss.core.version import __version__

if TYPE_CHECKING:
    from pitboss.analysis.figure_range import FigureRange
    from pitboss.analysis.monitor_report import BandVerdict, MonitorReport, TableReport
    from pitboss.analysis.period_runs import PeriodRun
    from pitboss.analysis.protection import LeakReport, ProtectionReport, ProtectionSettings
    from pitboss.analysis.sensitivity import PaySensitivity
    from pitboss.analysis.table_results import ResultRow
    from pitboss.analysis.tuning_report import TunedTable, TuningReport
    from pitboss.analysis.tuning_targets import TuningTargets
    from pitboss.api.arguments import CardInputs, OptionInputs, PayTableInput, PayTableInputs, StakeInputs
    from pitboss.api.charts import GameChart, chart, chart_results
    from pitboss.api.choices import LegalChoice, ValuedChoice
    from pitboss.api.game import HouseGame, all_games, game
    from pitboss.api.hand import Hand, HandOrder, evaluate, evaluate_many
    from pitboss.api.monitoring import ResultInputs, monitor
    from pitboss.api.par import BetParSheet, ParRow
    from pitboss.api.protection import protect
    from pitboss.api.rounds import CircleResult, PendingDecision, TableRound, WagerInputs
    from pitboss.api.simulation import SimulationResult
    from pitboss.api.tuning import RangeInput, tune
    from pitboss.contract import LinePay, MeterPresets, Option, PayTable, PayUnit
    from pitboss.core.errors import PitbossError as Error
    from pitboss.core.progress import ProgressCallback

__all__ = [
    "BandVerdict",
    "BetParSheet",
    "CardInputs",
    "CircleResult",
    "Error",
    "FigureRange",
    "GameChart",
    "Hand",
    "HandOrder",
    "HouseGame",
    "LeakReport",
    "LegalChoice",
    "LinePay",
    "MeterPresets",
    "MonitorReport",
    "Option",
    "OptionInputs",
    "ParRow",
    "PaySensitivity",
    "PayTable",
    "PayTableInput",
    "PayTableInputs",
    "PayUnit",
    "PendingDecision",
    "PeriodRun",
    "ProgressCallback",
    "ProtectionReport",
    "ProtectionSettings",
    "RangeInput",
    "ResultInputs",
    "ResultRow",
    "SimulationResult",
    "StakeInputs",
    "TableReport",
    "TableRound",
    "TunedTable",
    "TuningReport",
    "TuningTargets",
    "ValuedChoice",
    "WagerInputs",
    "__version__",
    "all_games",
    "chart",
    "chart_results",
    "evaluate",
    "evaluate_many",
    "game",
    "monitor",
    "protect",
    "tune",
]

_NAMES_BY_MODULE = {
    "pitboss.analysis.figure_range": ("FigureRange",),
    "pitboss.analysis.tuning_targets": ("TuningTargets",),
    "pitboss.analysis.monitor_report": ("BandVerdict", "MonitorReport", "TableReport"),
    "pitboss.analysis.period_runs": ("PeriodRun",),
    "pitboss.analysis.protection": ("LeakReport", "ProtectionReport", "ProtectionSettings"),
    "pitboss.analysis.sensitivity": ("PaySensitivity",),
    "pitboss.analysis.table_results": ("ResultRow",),
    "pitboss.analysis.tuning_report": ("TunedTable", "TuningReport"),
    "pitboss.api.arguments": ("CardInputs", "OptionInputs", "PayTableInput", "PayTableInputs", "StakeInputs"),
    "pitboss.api.charts": ("GameChart", "chart", "chart_results"),
    "pitboss.api.choices": ("LegalChoice", "ValuedChoice"),
    "pitboss.api.game": ("HouseGame", "all_games", "game"),
    "pitboss.api.hand": ("Hand", "HandOrder", "evaluate", "evaluate_many"),
    "pitboss.api.monitoring": ("ResultInputs", "monitor"),
    "pitboss.api.par": ("BetParSheet", "ParRow"),
    "pitboss.api.protection": ("protect",),
    "pitboss.api.rounds": ("CircleResult", "PendingDecision", "TableRound", "WagerInputs"),
    "pitboss.api.simulation": ("SimulationResult",),
    "pitboss.api.tuning": ("RangeInput", "tune"),
    "pitboss.contract": ("LinePay", "MeterPresets", "Option", "PayTable", "PayUnit"),
    "pitboss.core.errors": ("PitbossError",),
    "pitboss.core.progress": ("ProgressCallback",),
}
_MODULES = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}


if not TYPE_CHECKING:  # a type checker would take it to have every name

    def __getattr__(name: str) -> Any:
        """Load a public name when it is first used (PEP 562)."""
        target = "PitbossError" if name == "Error" else name
        if name not in __all__ or target not in _MODULES:
            message = f"module 'pitboss' has no attribute {name!r}"
            raise AttributeError(message)
        globals()[name] = value = getattr(import_module(_MODULES[target]), target)
        return value


def __dir__() -> list[str]:
    """List what is public, loaded or not."""
    return sorted(__all__)
