"""A game for callers: what it has, and what can be computed and played."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.analysis.exact_par_sheet import GameTerms, compute_par_sheet, find_bet, verify_has_meter
from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.position import list_card_names
from pitboss.analysis.solutions import get_solution
from pitboss.api.arguments import (
    OptionInputs,
    PayTableInputs,
    StakeInputs,
    choose_options,
    choose_paytables,
    choose_terms,
    find_game,
    format_stakes,
    name_parameters,
    verify_names,
    verify_whole,
)
from pitboss.api.choices import ValuedChoice
from pitboss.api.par import BetParSheet
from pitboss.api.rounds import TableRound, WagerInputs, deal_round
from pitboss.contract import Game, Option, PayTable
from pitboss.core.errors import (
    CardError,
    IllegalActionError,
    PayTableError,
    PitbossError,
    StrategyError,
    WagerError,
    quote,
)
from pitboss.core.money import MAX_CENTS
from pitboss.core.numbers import verify_integer
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.core.text import verify_text
from pitboss.engine.leaks import list_leaks
from pitboss.games import load_games
from pitboss.paytables import get_wager_paytables, load_builtin_paytables, read_paytables
from pitboss.strategies import load_strategies
from pitboss.tasks import MAX_WORKERS, Executor

if TYPE_CHECKING:
    # Numba is loaded by the first simulation.
    from pitboss.api.simulation import SimulationResult


_HINT_PARAMETERS = ("decision", "paytables", "taken", "options", "stakes", "progress")


def game(name: str) -> "HouseGame":
    """Return the game with this id.

    >>> import pitboss as pb
    >>> pb.game("six-card")
    <Six Card Poker: six-card>

    Raises:
        Error: no game has this id.
    """
    return HouseGame(find_game(name))


def all_games() -> dict[str, "HouseGame"]:
    """Return every game by its id, also those in the folders of ``PITBOSS_GAMES``.

    >>> import pitboss as pb
    >>> {"lunar", "six-card"} <= pb.all_games().keys()
    True
    """
    return {name: HouseGame(each) for name, each in load_games().items()}


@dataclass(frozen=True, slots=True, repr=False)
class HouseGame:
    """A house-banked game: what it has, and what can be computed and played.

    ``game`` and ``all_games`` return one.

    Pay tables are given by their id, as the path of a TOML file, or as a ``PayTable``; options as a mapping of names to
    values.  What is not given is the game's default.  Stakes are in Antes, results in exact fractions or whole cents.
    ``progress(done, total)`` is called while something long is computed.

    >>> import pitboss as pb
    >>> six_card = pb.game("six-card")
    >>> six_card.name, six_card.bets
    ('Six Card Poker', ('main', 'aces-up', 'bad-beat', 'progressive'))
    """

    _game: Game

    def __repr__(self) -> str:
        """Name the game."""
        return f"<{self.name}: {self.id}>"

    def __reduce__(self) -> tuple[Callable[[str], "HouseGame"], tuple[str]]:
        """Pickle the id, so that a game is equal to its copy in another process."""
        return game, (self.id,)

    @property
    def id(self) -> str:
        """The id, as commands and files write it."""
        return self._game.id

    @property
    def name(self) -> str:
        """The name for people."""
        return self._game.name

    @property
    def summary(self) -> str:
        """The game in one sentence."""
        return self._game.summary

    @property
    def seats(self) -> int:
        """How many seats a table has at most."""
        return self._game.seats

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets that a seat can stake, by id; ``main`` is the Ante with its raises."""
        return tuple(wager.id for wager in self._game.wagers)

    @property
    def main_parts(self) -> tuple[str, ...]:
        """The parts of ``main`` with sheets of their own; nobody stakes them."""
        return tuple(wager.id for wager in self._game.main_parts)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, which the rule sheet leaves to the casino.

        >>> import pitboss as pb
        >>> option = pb.game("six-card").options[0]
        >>> option.name, option.default, option.meaning
        ('dealer_qualifies', 'ace-king', 'the lowest hand with which the dealer qualifies')
        """
        return self._game.options

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies by id; ``simulate`` also plays "optimal" and "chance".

        >>> import pitboss as pb
        >>> pb.game("six-card").strategies[0]
        'practical'
        """
        return tuple(strategy.id for strategy in load_strategies(self._game))

    @property
    def leaks(self) -> tuple[str, ...]:
        """The leaks of hidden cards that ``protect`` measures, by id."""
        return tuple(leak.id for leak in list_leaks(self._game))

    def paytables(self, bet: str = "") -> tuple[PayTable, ...]:
        """Return the game's own pay tables in printed order, or those of one bet.

        >>> import pitboss as pb
        >>> [table.id for table in pb.game("six-card").paytables("aces-up")]
        ['SCP-01', 'SCP-02', 'SCP-03', 'SCP-04']

        Raises:
            Error: the game has no such bet.
        """
        verify_text(bet, "a bet", PitbossError)
        return get_wager_paytables(self._game, find_bet(self._game, bet)) if bet else load_builtin_paytables(self._game)

    def load_paytables(self, path: str | PathLike[str]) -> tuple[PayTable, ...]:
        """Read a TOML file of pay tables for this game and check every line of it.

        >>> import pitboss as pb
        >>> pb.game("six-card").load_paytables("missing.toml")
        Traceback (most recent call last):
        pitboss.core.errors.PayTableError: cannot read missing.toml: No such file or directory

        Raises:
            Error: the file cannot be read, or a table in it is incomplete or cannot be paid.
        """
        if not isinstance(path, str | PathLike):
            raise PayTableError(
                f"the path of the pay tables is {quote(path)}: give a path", code="invalid-path", path=path
            )
        return read_paytables(Path(path), self._game)

    @name_parameters()
    def par(
        self,
        bet: str = "main",
        *,
        paytable: PayTableInputs = None,
        options: OptionInputs = None,
        stakes: StakeInputs = None,
        meter_cents: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> BetParSheet:
        """Compute the exact PAR sheet of a bet, or of a part of ``main``.

        The first sheet of a bet counts its deals, which takes seconds; other pay tables then take no time.  Where the
        player decides, the sheet is that of the best play, and with ``stakes`` on side wagers that of the best play for
        all of them together.  The sheet of a progressive is for a meter of ``meter_cents``, by default its seed.

        >>> import pitboss as pb
        >>> six_card = pb.game("six-card")
        >>> six_card.par("aces-up").house_edge, six_card.par("aces-up", paytable="SCP-02").house_edge
        (Fraction(118913, 5089630), Fraction(83911, 2544815))

        Raises:
            Error: the bet is unknown or has no exact sheet, a table, option or stake is not valid, or a meter is given
                for a bet without one.
        """
        verify_text(bet, "a bet", PitbossError)
        wager = find_bet(self._game, bet)
        terms = choose_terms(self._game, paytable, options, stakes, bet)
        if meter_cents is not None:
            verify_whole(meter_cents, "a meter, in cents,", 0, MAX_CENTS)
            verify_has_meter(terms.paytables[kind] for kind in wager.paytable_kinds)
        return BetParSheet(compute_par_sheet(self._game, wager, terms, progress or ignore_progress, meter_cents))

    def solve(
        self,
        *,
        paytables: PayTableInputs = None,
        options: OptionInputs = None,
        workers: int = 1,
        progress: ProgressCallback | None = None,
    ) -> BetParSheet:
        """Find the best play of ``main``, store it, and return its sheet.

        The same as ``par("main")``, for the long solutions: with several ``workers``, processes share those that are
        made in shards (start them under ``if __name__ == "__main__":``), and an interrupted run goes on where it
        stopped.

        >>> import pitboss as pb
        >>> sheet = pb.game("lunar").solve()
        >>> f"{float(sheet.house_edge):.4%}", f"{float(sheet.actions['fold']):.4%}"
        ('0.6163%', '11.6991%')

        Raises:
            Error: the game has no solver, or a table, an option or the number of workers is not valid.
        """
        verify_whole(workers, "the number of workers", 1, MAX_WORKERS)
        terms = choose_terms(self._game, paytables, options)
        report = progress or ignore_progress
        get_solution(self._game, terms.paytables, terms.options, report, executor=Executor(workers))
        return BetParSheet(compute_par_sheet(self._game, self._game.main, terms, report))

    @name_parameters()
    def hint(
        self,
        cards: Mapping[str, str] | None = None,
        /,
        *,
        decision: str | None = None,
        paytables: PayTableInputs = None,
        taken: Sequence[str] = (),
        options: OptionInputs = None,
        stakes: StakeInputs = None,
        progress: ProgressCallback | None = None,
        **named_cards: str,
    ) -> list[ValuedChoice]:
        """Value every legal choice for the given cards exactly, best first.

        The cards determine the decision.  They are texts by name, as keywords or as the mapping of a
        ``PendingDecision``: ``player``, and what the game shows of ``dealer``, ``community``, ``indicators``, ``drew``
        and ``discarded``.  ``decision`` is the id of the one you expect.  ``stakes`` are those of side wagers that
        depend on the play; the values include their nets.  ``taken`` are the actions at earlier decisions, where
        values depend on them and the cards do not show them.

        >>> import pitboss as pb
        >>> best, other = pb.game("six-card").hint(player="As Kd 9h 7c 4s 2d", dealer="Qs Jd 3h")
        >>> best.action, f"{float(best.value):.6f}", other.action, f"{float(other.cost):.6f}"
        ('play', '-0.943035', 'fold', '0.056965')

        Raises:
            Error: a card is not valid, no decision shows these cards or another one than ``decision``, or a table,
                option or stake is not valid.
        """
        if not isinstance(cards, Mapping | None):
            raise CardError(
                f"cards are {quote(cards)}: give a mapping, for example {{'player': 'As Kd'}}",
                code="invalid-cards",
                cards=cards,
            )
        verify_names("parameter", named_cards, (*list_card_names(self._game), *_HINT_PARAMETERS))
        seen = {**(cards or {}), **named_cards}
        for name, text in seen.items():
            verify_text(text, f"the text of {name}", CardError)
        if not _are_words(taken):
            raise IllegalActionError(
                f"taken is {quote(taken)}: give the ids of actions, for example ['check']", code="invalid-actions"
            )
        request = parse_hint_request(
            self._game, choose_terms(self._game, paytables, options, stakes), seen, tuple(taken)
        )
        if decision not in (None, request.position.decision.id):
            raise IllegalActionError(
                f"these cards belong to the decision {request.position.decision.id}, not to {quote(decision)}",
                code="other-decision",
                decision=request.position.decision.id,
            )
        ranked = request.compute(progress or ignore_progress)
        best = ranked[0].value
        return [
            ValuedChoice(
                each.action.id,
                tuple(request.list_cards(each)) if each.action.discards else (),
                each.value,
                best - each.value,
            )
            for each in ranked
        ]

    @name_parameters()
    def simulate(
        self,
        rounds: int,
        strategy: str = "",
        *,
        against: str = "",
        seats: int = 1,
        seed: int | None = None,
        stakes: StakeInputs = None,
        paytables: PayTableInputs = None,
        options: OptionInputs = None,
        workers: int = 1,
        progress: ProgressCallback | None = None,
    ) -> "SimulationResult":
        """Play many rounds with a strategy and count every outcome.

        ``strategy`` is a name that ``pitboss strategy`` lists, ``optimal``, ``chance``, or your own as
        ``FILE.py:FUNCTION``; by default the game's first.  ``against`` is played on the same deals.  ``seed``
        decides every deal, and is drawn at random if none is given.  Without ``stakes``, one Ante is on every bet; with
        them, ``main`` has one Ante and the others what they say.  One process uses all cores; several ``workers`` are
        started under ``if __name__ == "__main__":``.

        >>> import pitboss as pb
        >>> result = pb.game("six-card").simulate(1_000, "practical", seed=7, stakes={"main": 1})
        >>> result.counts["main"]["fold"], result.mean("main")
        (313, Fraction(3, 250))

        Raises:
            Error: the rounds, seats, seed, workers, a strategy, table, option or stake are not valid.
        """
        from pitboss.analysis.simulation_report import resolve_stakes
        from pitboss.api.simulation import simulate_rounds

        for number, what in ((rounds, "the number of rounds"), (seats, "the number of seats")):
            verify_integer(number, what, WagerError)
        verify_whole(workers, "the number of workers", 1, MAX_WORKERS)
        if seed is not None:
            verify_integer(seed, "a seed", WagerError)
        for each in (strategy, against):
            verify_text(each, "a strategy", StrategyError)
        values = choose_options(self._game, options)
        staked = resolve_stakes(self._game, values, seats, format_stakes(stakes))
        terms = GameTerms(choose_paytables(self._game, paytables), values, staked)
        names, executor = (strategy, against), Executor(workers)
        return simulate_rounds(self._game, terms, rounds, names, seats, seed, executor, progress or ignore_progress)

    def round(
        self,
        seats: int | None = None,
        wagers: WagerInputs | Sequence[WagerInputs] | None = None,
        *,
        deck: str = "",
        seed: int | None = None,
        options: OptionInputs = None,
        paytables: PayTableInputs = None,
    ) -> TableRound:
        """Place wagers, deal a round, and return it at its first decision.

        ``wagers`` are in whole dollars: a mapping for each seat, or one for all; by default $10 is on each mandatory
        wager.  A wager on another seat's hand is given as that seat and the dollars; seats count from 0.  ``deck`` are
        the cards on top, in the order they are dealt; the others follow, shuffled by ``seed`` or by the operating
        system's entropy.  A seed is for study and tests, not for real play.

        >>> import pitboss as pb
        >>> wagers = [{"main": 10, "super": 10}, {"main": 20, "super": 20, "multi-super": {0: 5}}]
        >>> table = pb.game("lunar").round(wagers=wagers, seed=1)
        >>> table.decision.seat, table.decision.cards["player"]
        (0, 'Qc Js Tc 9d 4s')

        Raises:
            Error: a wager is outside its limits or breaks a rule, a card is not one of the deck, or a table or option
                is not valid.
        """
        return deal_round(self._game, seats, wagers, deck, seed, options, paytables)


def _are_words(value: object) -> bool:
    """Tell whether a value is a list or tuple of texts."""
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
