"""``pitboss play``: rounds of any game in the terminal or through a pipe.

``table.round`` applies the rules.
"""

from dataclasses import replace
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated

import platformdirs
import typer
from rich.console import Console

from pitboss.cards import seeded_bits, shuffle_cards, shuffle_deck, system_bits
from pitboss.cards.shuffle import BitSource
from pitboss.cli.arguments import (
    GameArgument,
    LimitOptions,
    PayTableOptions,
    PresetOption,
    RulingOptions,
    WagerOptions,
    parse_dollars,
    parse_limits,
)
from pitboss.cli.prompts import NoAnswerError, ask, ask_action
from pitboss.cli.round_display import render_event, render_settlements, render_view
from pitboss.cli.stake_prompts import PreviousStakes, ask_stakes, parse_wagers
from pitboss.cli.terminal_tables import make_console
from pitboss.core.cache import atomic_write
from pitboss.core.errors import HistoryError, WagerError
from pitboss.core.money import format_cents, format_net_cents
from pitboss.games import load_game
from pitboss.meter import Meter
from pitboss.options import parse_options
from pitboss.paytables import select_paytables
from pitboss.table.round import Round, RoundClosed, Stake, WagerSettled, open_round
from pitboss.table.round.history_writer import build_history, format_history
from pitboss.table.round.wagers import verify_limits


def play(
    game: GameArgument,
    seats: Annotated[int, typer.Option(help="The number of seats you play, 1 to 6.")] = 1,
    wager: WagerOptions = None,
    rounds: Annotated[int, typer.Option(min=0, help="Stop after this many rounds; 0 plays until you leave.")] = 0,
    bankroll: Annotated[str, typer.Option(help="The bankroll you start with, in dollars.")] = "1000",
    option: RulingOptions = None,
    paytable: PayTableOptions = None,
    limit: LimitOptions = None,
    preset: PresetOption = "",
    seed: Annotated[
        int | None, typer.Option(min=0, help="Deal the same cards every time: for study and replay, not for real play.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="The folder for the history of each round; default: one in the user's data folder."
        ),
    ] = None,
) -> None:
    r"""Play a game in the terminal: place wagers, decide, and see them settled.

    Press Enter to stake the same as before, 0 to leave a wager out, q to leave the table.  You may shorten an action
    (f for fold).  An action that gives up cards names them: `discard 7d`, `exchange-2 3h 9c`.  If input ends during a
    round, the round is finished as if the remaining decisions had timed out.

    For example:

        pitboss play six-card
        pitboss play lunar --seats 3 --option short_deck=refuse
        pitboss play lunar --seats 2 --wager main=10 --wager super=10 \
            --wager multi-super@2=5
        echo play | pitboss play six-card --rounds 1 --wager main=10 \
            --wager aces-up=5
    """
    console = make_console()
    chosen = load_game(game)
    values = parse_options(chosen, option or [])
    tables = select_paytables(chosen, paytable or [])
    opening = open_round(
        chosen, seats, options=values, paytables=tables, preset=preset, limits=parse_limits(limit or [])
    )
    verify_limits(chosen, values, opening.limits)
    stakes = parse_wagers(chosen, wager or [], seats)
    if stakes:
        reduce(Round.place_wager, stakes, opening).verify_wagers()
    purse = parse_dollars(bankroll, "--bankroll")
    folder = _prepare_folder(record or Path(platformdirs.user_data_dir("pitboss")) / "rounds")
    bits = system_bits if seed is None else seeded_bits(seed)
    console.print(f"{chosen.name}: {chosen.summary}", style="bold")
    if seed is not None:
        console.print(f"Seed {seed}: this seed deals the same cards again. For study and replay, not for real play.")
    session = _TerminalSession(console, opening, stakes, purse, folder, seed)
    session.play(rounds, bits)


def _prepare_folder(folder: Path) -> Path:
    """Make the folder of the records and test that it can be written.

    Otherwise a round could be dealt that cannot be recorded.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except FileExistsError:
        raise HistoryError(
            f"{folder} is a file: name a folder with --record", code="not-a-folder", folder=folder
        ) from None
    except OSError as error:
        message = f"cannot record rounds in {folder} ({error.strerror}): name another folder with --record"
        raise HistoryError(message, code="cannot-write", folder=folder) from None


class _TerminalSession:
    """Consecutive rounds in the terminal.

    They share a bankroll, the last stakes and the progressive's meter.
    """

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
        self._last_stakes: PreviousStakes = {}
        self._rounds_played = 0

    def play(self, rounds: int, bits: BitSource) -> None:
        """Play ``rounds`` rounds, or until the player leaves."""
        try:
            while not rounds or self._rounds_played < rounds:
                if self._rounds_played and self._stakes:
                    ask(self._console, "Enter for the next round, q to leave: ", str)
                elif self._rounds_played:
                    self._console.rule(style="dim")
                self._play_round(bits)
        except NoAnswerError:
            pass
        except WagerError as error:
            if not self._rounds_played:
                raise
            self._console.print(f"{error}", style="yellow", markup=False)
        count = f"{self._rounds_played} round{'' if self._rounds_played == 1 else 's'}"
        self._console.print(f"Bankroll {format_cents(self._bankroll_cents)} after {count}.", style="bold")

    def _play_round(self, bits: BitSource) -> None:
        console = self._console
        console.print(f"Bankroll {format_cents(self._bankroll_cents)}", style="bold")
        game_round = self._place_wagers()
        self._last_stakes = {(stake.seat, stake.bet, stake.on): stake.cents for stake in game_round.stakes}
        game_round = game_round.deal(shuffle_deck(game_round.game.deck, bits))
        printed = self._print_events(game_round, 0)
        has_input = True
        while game_round.turn is not None:
            seat, _ = game_round.turn
            action, cards = game_round.choose_timeout_action()
            if has_input:
                for line in render_view(game_round, seat):
                    console.print(line)
                try:
                    action, cards = ask_action(console, game_round, self._get_available_cents(game_round))
                except NoAnswerError as error:
                    has_input = False
                    why = "You left" if error.left else "The input has ended"
                    console.print(f"{why}: the remaining decisions time out.", style="yellow")
            game_round = game_round.decide(seat, action, cards, lambda muck: shuffle_cards(muck, bits))
            printed = self._print_events(game_round, printed)
        self._settle(game_round)
        if not has_input:
            raise NoAnswerError

    def _get_available_cents(self, game_round: Round) -> int:
        """Return the cents left to stake.

        They are the bankroll, less the stakes on the table, plus what was paid back.
        """
        returned = sum(
            leg.stake_cents + leg.net_cents
            for event in game_round.events
            if isinstance(event, WagerSettled)
            for leg in event.legs
        )
        return (
            self._bankroll_cents - sum(game_round.sum_staked_cents(seat) for seat in range(game_round.seats)) + returned
        )

    def _place_wagers(self) -> Round:
        """Return the round with its stakes.

        They are given on the command line or asked for.

        Raises:
            WagerError: a stake from the command line cannot be placed.
        """
        opening = replace(self._opening, opening_meter=self._meter, meter=self._meter)
        if not self._stakes:
            return ask_stakes(self._console, opening, self._last_stakes, self._bankroll_cents)
        game_round = reduce(Round.place_wager, self._stakes, opening)
        available = self._get_available_cents(game_round)
        if available < 0:
            staked, bankroll = format_cents(self._bankroll_cents - available), format_cents(self._bankroll_cents)
            raise WagerError(
                f"stakes of {staked} are more than the bankroll of {bankroll}",
                code="above-bankroll",
                staked=staked,
                bankroll=bankroll,
            )
        return game_round

    def _print_events(self, game_round: Round, printed: int) -> int:
        for event in game_round.events[printed:]:
            line = render_event(event, game_round)
            if line is not None:
                self._console.print(line)
        return len(game_round.events)

    def _settle(self, game_round: Round) -> None:
        for seat in range(game_round.seats):
            for line in render_view(game_round, seat):
                self._console.print(line)
        self._console.print(render_settlements(game_round.events, game_round))
        net = sum(net for event in game_round.events if isinstance(event, RoundClosed) for net in event.nets_cents)
        self._bankroll_cents += net
        self._meter = game_round.meter
        backs = game_round.game.deck_backs
        deck = backs[self._rounds_played % len(backs)] if backs else ""
        path = self._write_history(
            format_history(build_history(game_round, seed=self._seed, deck=deck)), game_round.game.id
        )
        self._rounds_played += 1
        self._console.print(f"Round {self._rounds_played}: {format_net_cents(net)}.  Recorded: {path}", soft_wrap=True)

    def _write_history(self, text: str, game: str) -> Path:
        """Write a round's history to a new file of its own and return the path."""
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        path = self._folder / f"{game}-{stamp}.toml"
        with atomic_write(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
        return path
