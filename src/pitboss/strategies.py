"""Strategies that a person can memorize, from ``strategy.toml`` files.

No other module reads those files.  Each ``[[strategy]]`` has an ``id``, a ``name``, the ``rule`` of the game's
``strategies`` module that follows it, the ``lines`` that a person reads and, in ``[strategy.numbers]``, the numbers
that the rule takes, in this order, and that the lines print: ``{lowest}`` as a number, ``{lowest:rank}`` as "eight"
and ``{lowest:ranks}`` as "eights".  The practical strategy comes first, simpler ones follow.
"""

from functools import cache
from importlib import import_module
from typing import Annotated, Any

from pydantic import Field, ValidationError

from pitboss.contract import Game, RuleFunction
from pitboss.core.errors import PitbossError, StrategyError, UnknownNameError
from pitboss.core.strict_model import ID_FORM, StrictModel, describe_pattern, first_error, read_toml
from pitboss.hands import format_rank
from pitboss.solver_api import Strategy

MAX_LINES = 10

_RANKS = range(2, 15)
_NUMBER_FORMATS = ("", "rank", "ranks")


class _StrategyModel(StrictModel):
    id: str = Field(pattern=describe_pattern(r"^[a-z0-9][a-z0-9-]*$", ID_FORM))
    name: str = Field(min_length=1)
    rule: str = Field(
        pattern=describe_pattern(r"^[a-z][a-z0-9_]*$", "the name of a function, for example fold_below_pair")
    )
    lines: list[Annotated[str, Field(min_length=1)]] = Field(min_length=1, max_length=MAX_LINES)
    numbers: dict[str, int] = Field(default_factory=dict)


class _StrategyFile(StrictModel):
    strategy: list[_StrategyModel] = Field(min_length=1)


class _PrintedNumber(int):
    """A number of a strategy, formatted as its lines print it."""

    def __format__(self, form: str) -> str:
        """Format the number; the formats ``rank`` and ``ranks`` give the name of a rank."""
        if form not in _NUMBER_FORMATS:
            raise StrategyError(
                f"{form!r} is not a number format: write rank, ranks or nothing", code="unknown-number-format"
            )
        if not form:
            return str(int(self))
        if self not in _RANKS:
            raise StrategyError(f"{int(self)} is not a rank: ranks run from 2 to 14", code="not-a-rank")
        return format_rank(self, plural=form == "ranks")


@cache
def load_strategies(game: Game) -> tuple[Strategy, ...]:
    """Return the strategies in the game's folder, the practical one first.

    There are none without a ``strategy.toml``.

    Raises:
        StrategyError: the file cannot be read, or a strategy is incomplete, names a rule that is not in the game's
            ``strategies`` module, prints a number that it does not have, or has the id of another.
    """
    path = game.folder / "strategy.toml"
    if not path.is_file():
        return ()
    try:
        models = _StrategyFile.model_validate(read_toml(path, StrategyError)).strategy
    except ValidationError as error:
        raise StrategyError(f"{path}: {first_error(error)}", code="invalid-document", path=path) from None
    rules = import_module(f"pitboss.games.{game.folder.name}.strategies")
    strategies: dict[str, Strategy] = {}
    for model in models:
        try:
            if model.id in strategies:
                raise StrategyError("the file has this id twice: give each strategy its own id", code="id-twice")
            strategies[model.id] = _build_strategy(model, rules)
        except PitbossError as error:
            raise StrategyError.from_error(error, f"{path}: strategy {model.id}") from None
    return tuple(strategies.values())


def _build_strategy(model: _StrategyModel, rules: Any) -> Strategy:
    """Find the rule and format the lines with the numbers."""
    choose: RuleFunction | None = getattr(rules, model.rule, None)
    if choose is None:
        raise StrategyError(
            f"{rules.__name__} has no rule {model.rule!r}: add it there, or name one that it has", code="no-rule"
        )
    numbers = {name: _PrintedNumber(number) for name, number in model.numbers.items()}
    return Strategy(
        id=model.id,
        name=model.name,
        lines=tuple(_format_line(line, numbers) for line in model.lines),
        choose=choose,
        numbers=tuple(model.numbers.values()),
    )


def _format_line(line: str, numbers: dict[str, _PrintedNumber]) -> str:
    try:
        return line.format_map(numbers)
    except KeyError as error:
        raise UnknownNameError("number", str(error.args[0]), numbers) from None
    except (AttributeError, IndexError, ValueError) as error:
        raise StrategyError(f"line {line!r} cannot be printed: {error}", code="line-not-printable", line=line) from None


def get_strategy(game: Game, name: str) -> Strategy:
    """Return the game's strategy with this id.

    Raises:
        UnknownNameError: the game has no strategy with this id.
        StrategyError: its file is not valid (see ``load_strategies``).
    """
    known = {strategy.id: strategy for strategy in load_strategies(game)}
    if name not in known:
        raise UnknownNameError("strategy", name, known)
    return known[name]
