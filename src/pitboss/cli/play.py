"""``pitboss play``: a round of any game in the terminal, or through a pipe; the rules are the round driver's."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated

import platformdirs
import typer
from rich.console import Console

from pitboss.cards import seeded_bits, shuffle_cards, shuffle_deck, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.cli.arguments import GameName, Options, PayTables, Preset, TableLimits, Wagers
from pitboss.cli.asking import NoAnswerError, ask, ask_action
from pitboss.cli.drawing import event_line, settlement_table, view_lines
from pitboss.cli.grids import screen
from pitboss.cli.stakes import Before, ask_stakes, parse_wagers
from pitboss.core.cache import atomic_write
from pitboss.core.errors import HistoryError, WagerError
from pitboss.core.money import format_cents, parse_cents
from pitboss.games import load_game
from pitboss.meter import Meter
from pitboss.options import parse_options
from pitboss.paytables import select_paytables
from pitboss.table.domain import Closed, Round, Settled, Stake, open_round
from pitboss.table.domain.history import format_history, history_of
from pitboss.table.domain.wagers import verify_limits


def play(
    game: GameName,
    seats: Annotated[int, typer.Option(help="How many seats you play, 1 to 6.")] = 1,
    wager: Wagers = None,
    rounds: Annotated[int, typer.Option(min=0, help="Stop after so many rounds; 0: when you leave.")] = 0,
    bankroll: Annotated[str, typer.Option(help="What you sit down with, in dollars.")] = "1000",
    option: Options = None,
    paytable: PayTables = None,
    limit: TableLimits = None,
    preset: Preset = "",
    seed: Annotated[
        int | None, typer.Option(min=0, help="Deal the same cards again. For replay, not for real play.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="The folder that gets each round's history.")] = None,
) -> None:
    """Play a game in the terminal: choose wagers, see the cards, decide, see each wager settled and why.

    Enter stakes as before, 0 leaves a wager out, q gets up.  An action may be cut short (f for fold); one that gives
    up cards names them: `discard 7d`, `exchange-2 3h 9c`.  When input ends inside a round, the round is played to its
    end as if the decisions had timed out.

    For example:

        pitboss play six-card
        pitboss play lunar --seats 3 --option short_deck=refuse
        pitboss play lunar --seats 2 --wager main=10 --wager super=10 --wager multi-super@2=5
        echo play | pitboss play six-card --rounds 1 --wager main=10 --wager aces-up=5
    """
    console = screen()
    chosen = load_game(game)
    values = parse_options(chosen, option or [])
    tables = select_paytables(chosen, paytable or [])
    opening = open_round(chosen, seats, options=values, paytables=tables, preset=preset, limits=_limits(limit or []))
    verify_limits(chosen, values, opening.limits)
    stakes = parse_wagers(chosen, wager or [], seats)
    if stakes:
        staked(opening, stakes).verify_wagers()
    purse = parse_cents(bankroll)
    folder = _usable(record or Path(platformdirs.user_data_dir("pitboss")) / "rounds")
    bits = system_bits if seed is None else seeded_bits(seed)
    console.print(f"{chosen.name}: {chosen.summary}", style="bold")
    if seed is not None:
        console.print(f"Seed {seed}: these cards can be had again. For study and replay, not for real play.")
    sitting = _Sitting(console, opening, stakes, purse, folder, seed)
    sitting.play(rounds, bits)


def _limits(written: list[str]) -> dict[str, tuple[int, int]]:
    """Read ``BET=LOW-HIGH`` in dollars."""
    limits = {}
    for word in written:
        bet, _, span = word.partition("=")
        low, dash, high = span.partition("-")
        if not dash:
            message = f"{word!r} is no limit: write BET=LOW-HIGH in dollars, as main=10-500"
            raise WagerError(message)
        limits[bet] = parse_cents(low), parse_cents(high)
    return limits


def staked(now: Round, stakes: Iterable[Stake]) -> Round:
    """Return the round with these stakes placed (raises as ``Round.wager``)."""
    for stake in stakes:
        now = now.wager(stake)
    return now


def _usable(folder: Path) -> Path:
    """Make the folder of the records and try it: no round is dealt that cannot be kept."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        message = f"rounds cannot be recorded in {folder}: {error.strerror}: name another folder with --record"
        raise HistoryError(message) from None


class _Sitting:
    """Rounds one after another: bankroll, last stakes and the progressive's meter go on from each to the next."""

    def __init__(
        self,
        console: Console,
        opening: Round,
        stakes: list[Stake],
        bankroll_cents: int,
        folder: Path,
        seed: int | None,
    ) -> None:
        self._console = console
        self._opening = opening
        self._stakes = stakes
        self._bankroll_cents = bankroll_cents
        self._folder = folder
        self._seed = seed
        self._meter: Meter | None = opening.meter
        self._before: Before = {}
        self._played = 0

    def play(self, rounds: int, bits: BitSource) -> None:
        """Play ``rounds`` rounds, or until the player leaves."""
        try:
            while not rounds or self._played < rounds:
                if self._played and self._stakes:
                    ask(self._console, "Enter for the next round, q to leave: ", str)
                elif self._played:
                    self._console.rule(style="dim")
                self._round(bits)
        except NoAnswerError:
            pass
        except WagerError as error:
            if not self._played:
                raise
            self._console.print(f"{error}", style="yellow", markup=False)
        count = f"{self._played} round{'' if self._played == 1 else 's'}"
        self._console.print(f"Bankroll {format_cents(self._bankroll_cents)} after {count}.", style="bold")

    def _round(self, bits: BitSource) -> None:
        console = self._console
        console.print(f"Bankroll {format_cents(self._bankroll_cents)}", style="bold")
        now = self._wagered()
        self._before = {(stake.seat, stake.bet, stake.on): stake.cents for stake in now.stakes}
        now = now.deal(shuffle_deck(now.game.deck, bits))
        told = self._tell(now, 0)
        here = True
        while now.turn is not None:
            seat, _ = now.turn
            action, cards = now.timed_out()
            if here:
                for line in view_lines(now, seat):
                    console.print(line)
                try:
                    action, cards = ask_action(console, now, self._purse_cents(now))
                except NoAnswerError:
                    here = False
                    console.print("No more answers: the round goes on as if they were timed out.", style="yellow")
            now = now.decide(seat, action, cards, lambda given: shuffle_cards(given, bits))
            told = self._tell(now, told)
        self._settle(now)
        if not here:
            raise NoAnswerError

    def _purse_cents(self, now: Round) -> int:
        """Return what is left to stake: the bankroll less what lies on the table, and what has come back already."""
        back = sum(
            leg.stake_cents + leg.net_cents for event in now.events if isinstance(event, Settled) for leg in event.legs
        )
        return self._bankroll_cents - sum(now.down_cents(seat) for seat in range(now.seats)) + back

    def _wagered(self) -> Round:
        """Return the round with its stakes, those given or those asked for (raises WagerError)."""
        opening = replace(self._opening, opening_meter=self._meter, meter=self._meter)
        if not self._stakes:
            return ask_stakes(self._console, opening, self._before, self._bankroll_cents)
        now = staked(opening, self._stakes)
        if self._purse_cents(now) < 0:
            down, bankroll = self._bankroll_cents - self._purse_cents(now), self._bankroll_cents
            raise WagerError(f"stakes of {format_cents(down)} are more than the bankroll of {format_cents(bankroll)}")
        return now

    def _tell(self, now: Round, told: int) -> int:
        for event in now.events[told:]:
            line = event_line(event, now)
            if line is not None:
                self._console.print(line)
        return len(now.events)

    def _settle(self, now: Round) -> None:
        for seat in range(now.seats):
            for line in view_lines(now, seat):
                self._console.print(line)
        self._console.print(settlement_table(now.events, now))
        net = sum(net for event in now.events if isinstance(event, Closed) for net in event.nets_cents)
        self._bankroll_cents += net
        self._meter = now.meter
        backs = now.game.deck_backs
        deck = backs[self._played % len(backs)] if backs else ""
        path = self._record(format_history(history_of(now, seed=self._seed, deck=deck)), now.game.id)
        self._played += 1
        self._console.print(f"Round {self._played}: {format_cents(net)}.  Recorded: {path}", soft_wrap=True)

    def _record(self, text: str, game: str) -> Path:
        """Keep a round's history in a file of its own, never over another."""
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        path = self._folder / f"{game}-{stamp}.toml"
        with atomic_write(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
        return path
