"""A game for callers: what it has, and what can be computed and played."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.analysis.exact_par_sheet import compute_par_sheet
from pitboss.analysis.game_terms import GameTerms, find_bet
from pitboss.analysis.position import list_card_names
from pitboss.analysis.solutions import get_solution
from pitboss.api.arguments import (
    CardInputs,
    OptionInputs,
    PayTableInputs,
    StakeInputs,
    accept_paytable,
    choose_options,
    choose_paytables,
    choose_terms,
    edit_pays,
    find_game,
    format_stakes,
    name_parameters,
    read_meter,
    verify_names,
    verify_progress,
)
from pitboss.api.choices import ValuedChoice
from pitboss.api.hints import value_choices
from pitboss.api.par import BetParSheet
from pitboss.api.rounds import TableRound, WagerInputs, deal_round
from pitboss.contract import Game, Option, PayTable
from pitboss.core.arguments import verify_whole
from pitboss.core.errors import (
    PayTableError,
    PitbossError,
    StrategyError,
    quote,
)
from pitboss.core.numbers import MAX_SEED
from pitboss.core.progress import ProgressCallback
from pitboss.core.text import verify_text
from pitboss.engine.card_leaks import list_leaks
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

    Pay tables are given by their id, as the path of a TOML file, or as a ``PayTable``: one or several as ``paytables``,
    which may also be written ``paytable``.  Options are given as a mapping of names to
    values; cards as a text like ``As Td 9h``, or as a sequence of them.  What is not given is the game's default.
    Stakes are in Antes, results in exact fractions or whole cents.  ``progress(done, total)`` is called while something
    long is computed.

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

    def edit_paytable(self, table: PayTable, pays: Mapping[str, Fraction | int | str], *, new_id: str = "") -> PayTable:
        """Return a pay table with other pays on some lines, in the unit of each line.

        A pay is a whole number, a fraction, or a text like ``3:2``.  The source of the new table says what was changed.
        Its id is ``new_id``, by default that of the old one with ``-edited``.

        >>> import pitboss as pb
        >>> six_card = pb.game("six-card")
        >>> edited = six_card.edit_paytable(six_card.paytables("aces-up")[0], {"flush": 9})
        >>> edited.id, edited.source
        ('SCP-01-edited', 'edited from SCP-01 (sheet, table under rule 15 ...): flush 9 to 1, was 8 to 1')

        Raises:
            Error: the table has no such line, a pay is not valid for it, or the id is that of a printed table.
        """
        return edit_pays(self._game, table, pays, new_id)

    @accept_paytable
    @name_parameters()
    def par(
        self,
        bet: str = "main",
        *,
        paytables: PayTableInputs = None,
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
        >>> six_card.par("aces-up").house_edge, six_card.par("aces-up", paytables="SCP-02").house_edge
        (Fraction(118913, 5089630), Fraction(83911, 2544815))

        Raises:
            Error: the bet is unknown or has no exact sheet, a table, option or stake is not valid, or a meter is given
                for a bet without one.
        """
        verify_text(bet, "a bet", PitbossError)
        wager = find_bet(self._game, bet)
        terms = choose_terms(self._game, paytables, options, stakes, bet)
        cents = read_meter(meter_cents, (terms.paytables[kind] for kind in wager.paytable_kinds))
        return BetParSheet(compute_par_sheet(self._game, wager, terms, verify_progress(progress), cents))

    @accept_paytable
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
        workers = verify_whole(workers, "the number of workers", 1, MAX_WORKERS)
        terms = choose_terms(self._game, paytables, options)
        report = verify_progress(progress)
        get_solution(self._game, terms.paytables, terms.options, report, executor=Executor(workers))
        return BetParSheet(compute_par_sheet(self._game, self._game.main, terms, report))

    @accept_paytable
    @name_parameters()
    def hint(
        self,
        cards: Mapping[str, CardInputs] | None = None,
        /,
        *,
        decision: str | None = None,
        paytables: PayTableInputs = None,
        taken: Sequence[str] = (),
        options: OptionInputs = None,
        stakes: StakeInputs = None,
        progress: ProgressCallback | None = None,
        **named_cards: CardInputs,
    ) -> list[ValuedChoice]:
        """Value every legal choice for the given cards exactly, best first.

        The cards determine the decision.  They are given by name, as keywords or as the mapping of a
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
        verify_names("parameter", named_cards, (*list_card_names(self._game), *_HINT_PARAMETERS))
        terms = choose_terms(self._game, paytables, options, stakes)
        return value_choices(self._game, terms, cards, named_cards, decision, taken, verify_progress(progress))

    @accept_paytable
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
        them, ``main`` has one Ante and the others what they say.  A progressive's meter is at its seed in every round.
        One process uses all cores; several ``workers`` are
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
        from pitboss.simulate.runner import MAX_ROUNDS

        rounds = verify_whole(rounds, "the number of rounds", 1, MAX_ROUNDS)
        seats = verify_whole(seats, "the number of seats", 1, self.seats)
        workers = verify_whole(workers, "the number of workers", 1, MAX_WORKERS)
        if seed is not None:
            seed = verify_whole(seed, "a seed", 0, MAX_SEED)
        for each in (strategy, against):
            verify_text(each, "a strategy", StrategyError)
        values = choose_options(self._game, options)
        staked = resolve_stakes(self._game, values, seats, format_stakes(stakes))
        terms = GameTerms(choose_paytables(self._game, paytables), values, staked)
        names, executor = (strategy, against), Executor(workers)
        return simulate_rounds(self._game, terms, rounds, names, seats, seed, executor, verify_progress(progress))

    @accept_paytable
    @name_parameters()
    def round(
        self,
        seats: int | None = None,
        wagers: WagerInputs | Sequence[WagerInputs] | None = None,
        *,
        deck: CardInputs = "",
        seed: int | None = None,
        options: OptionInputs = None,
        paytables: PayTableInputs = None,
        meter_cents: int | None = None,
    ) -> TableRound:
        """Place wagers, deal a round, and return it at its first decision.

        ``wagers`` are in whole dollars: a mapping for each seat, or one for all; by default $10 is on each mandatory
        wager.  A wager on another seat's hand is given as that seat and the dollars.  Seats count from 0, also in the
        fields of errors; their messages are for people and count from 1.  ``deck`` are the cards on top, in the order
        they are dealt, all of seat 0 first; the others follow, shuffled by ``seed`` or by the operating system's
        entropy.  A seed is for study and tests, not for real play.  A progressive pays from a meter of ``meter_cents``,
        by default its seed, to which the wagers of the round add their part.

        >>> import pitboss as pb
        >>> wagers = [{"main": 10, "super": 10}, {"main": 20, "super": 20, "multi-super": {0: 5}}]
        >>> table = pb.game("lunar").round(wagers=wagers, seed=1)
        >>> table.decision.seat, table.decision.cards["player"]
        (0, 'Qc Js Tc 9d 4s')

        Raises:
            Error: a wager is outside its limits or breaks a rule, a card is not one of the deck, a table or option is
                not valid, or a meter is given for a game without one.
        """
        return deal_round(self._game, seats, wagers, deck, seed, options, paytables, meter_cents)
