"""Rounds a second beside PokerKit and Gymnasium's blackjack, all in one run: part of ``make bench``.

Games differ, so each line says how many cards a round takes and who plays.  A figure is rounds by CPU time on one core,
kernels compiled, the best of several runs.  What may be compared stands below the tables.
"""

import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np

from pitboss.analysis.simulation_report import resolve_stakes
from pitboss.cards import seeded_bits, shuffle_cards, shuffle_deck
from pitboss.cards.shuffle import BitSource
from pitboss.contract import Game, HandOwner
from pitboss.games import load_game, load_games
from pitboss.hands import load_hand_tables
from pitboss.options import resolve_options
from pitboss.simulate.block_kernel import BLOCK_ROUNDS
from pitboss.simulate.players import get_default_player
from pitboss.simulate.runner import Simulation, run_simulation
from pitboss.strategies import load_strategies
from pitboss.table.round import CardsDealt, Round, Stake, open_round

RUNS = 3
SECONDS = 0.3
AT_ONCE = 1024
BLOCKS = 16
HUNDREDS = 400
SEATS = (1, 6)
BLACKJACK, SIX_CARD = "Blackjack-v1", "pitboss.env:pitboss/SixCard-v0"
STAND_FROM = 17
PLAYS = (1, 2)
"""In Six Card Poker: play where there is a decision, next where there is none."""

NOTES = """
What may be compared, and what not:

- PokerKit and the table: two Python engines that deal one round, take each decision, pay the chips and keep every
  event.  PokerKit has betting streets and side pots; the table has a dealer's hand, pay tables and a progressive.
- Gymnasium's blackjack and our environments: the same interface, the same kind of loop.  Blackjack draws from a deck
  without end, adds up points and has one wager; ours deals without replacement and ranks hands.
- `pitboss simulate` has no counterpart in either: neither plays a round without Python between its cards.  Its ratio
  to them says what millions of rounds cost in each, not which engine is the better written.
- A round of one game is no unit for another.  Cards a second are nearer to one, and leave out how hands are ranked.
"""


@dataclass(frozen=True)
class Measured:
    """Rounds a second of one core, and how many cards a round takes; a round of a table is one of all its seats."""

    name: str
    plays: str
    rounds: float
    cards: float

    def row(self) -> str:
        """Return a row of the table."""
        return (
            f"| {self.name} | {self.plays} | {self.cards:.1f} | {self.rounds:,.0f} | {self.rounds * self.cards:,.0f} |"
        )


def main() -> None:
    """Measure all and print the tables."""
    show(f"\n## Rounds a second on one core, Python {platform.python_version()}\n")
    show("| engine | who plays | cards of a round | rounds/s | cards/s |\n|---|---|--:|--:|--:|")
    for measured in (*pokerkit(), *tables("six-card"), *environments()):
        show(measured.row())
    show("\n## `pitboss simulate`, every wager settled and counted, by CPU time\n")
    show("| game | seats | cards of a round | rounds/s | seats' rounds/s | cards/s | ns a card |")
    show("|---|--:|--:|--:|--:|--:|--:|")
    for game in load_games().values():
        for seats in SEATS:
            rounds, cards = simulated(game, seats), dealt_cards(game, seats)
            per_card = 1e9 / rounds / cards
            show(
                f"| `{game.id}` | {seats} | {cards:.1f} | {rounds:,.0f} | {rounds * seats:,.0f} | "
                f"{rounds * cards:,.0f} | {per_card:.1f} |"
            )
    show(NOTES)


def rounds_a_second(play: Callable[[], int]) -> float:
    """Return the rounds that ``play`` says it played by CPU seconds, the best of several runs."""
    play()
    best = 0.0
    for _ in range(RUNS):
        rounds, began, spent = 0, time.process_time(), 0.0
        while spent < SECONDS:
            rounds += play()
            spent = time.process_time() - began
        best = max(best, rounds / spent)
    return best


def pokerkit() -> list[Measured]:
    """Measure PokerKit: no-limit hold'em, everybody calls or checks to the showdown."""
    from pokerkit import Automation, NoLimitTexasHoldem

    blinds = (True, 0, (1, 2), 2, 200)  # antes trimmed, none, blinds, least bet, stacks

    def hand(players: int) -> int:
        state = NoLimitTexasHoldem.create_state(tuple(Automation), *blinds, player_count=players)
        while state.status:
            state.check_or_call()
        return 1

    name = f"PokerKit {version('pokerkit')}, Texas hold'em, {{}} players"
    return [
        Measured(
            name.format(players), "all call to the showdown", rounds_a_second(partial(hand, players)), 2 * players + 5
        )
        for players in (2, 6)
    ]


def tables(name: str) -> list[Measured]:
    """Measure the table: the round driver of ``pitboss play``, every wager staked."""
    game = load_game(name)
    found = []
    for seats in SEATS:
        bits = seeded_bits(1)
        speed = rounds_a_second(partial(_played_once, game, seats, bits))
        label = f"pitboss, the table, {game.name}, {seats} seat{'s' * (seats > 1)}"
        found.append(Measured(label, "practical strategy", speed, dealt_cards(game, seats)))
    return found


def _played_once(game: Game, seats: int, bits: BitSource) -> int:
    """Play a round; return how many that were."""
    played(game, seats, bits)
    return 1


def played(game: Game, seats: int, bits: BitSource) -> Round:
    """Play a round at the table by the practical strategy, every seat staking the least on every wager."""
    now = open_round(game, seats)
    bets = resolve_stakes(game, now.options, seats, [])
    for seat in range(seats):
        for wager in (each for each in game.wagers if each.id in bets):
            on = (seat + 1) % seats if wager.hand_owner is HandOwner.OTHER_SEAT else None
            now = now.place_wager(Stake(seat, wager.id, now.limits[wager.id].minimum_cents, on))
    now, strategy = now.deal(shuffle_deck(game.deck, bits)), load_strategies(game)[0]
    while now.turn is not None:
        seat, asked = now.turn
        action, given = strategy.choose(
            load_hand_tables(), now.get_view(seat), asked, strategy.numbers, now.option_codes
        )
        cards = (card for card in game.deck.cards if given >> card & 1)
        now = now.decide(seat, game.decisions[asked].actions[action].id, cards, partial(shuffle_cards, bits=bits))
    return now


def dealt_cards(game: Game, seats: int) -> float:
    """Return how many cards a round takes, on average of some hundreds."""
    bits = seeded_bits(2)
    rounds = [played(game, seats, bits) for _ in range(HUNDREDS)]
    return sum(len(event.cards) for each in rounds for event in each.events if isinstance(event, CardsDealt)) / HUNDREDS


def environments() -> list[Measured]:
    """Measure Gymnasium's blackjack and ours, one round at a time and many."""
    found = []
    cards = {
        BLACKJACK: cards_of_blackjack(),
        SIX_CARD: dealt_cards(load_game("six-card"), 1),
    }
    choose: dict[str, Callable[[Any], Any]] = {
        BLACKJACK: lambda observation: np.asarray(observation[0] < STAND_FROM, np.int64),
        SIX_CARD: lambda observation: np.where(observation["decision"] == 0, *PLAYS),
    }
    said = {BLACKJACK: f"stands from {STAND_FROM}", SIX_CARD: "plays every hand"}
    for name, policy in choose.items():
        env = gymnasium.make(name)
        env.reset(seed=1)
        speed = rounds_a_second(partial(episode, env, policy))
        found.append(Measured(f"`{name.rpartition(':')[2]}`, one", said[name], speed, cards[name]))
    for name, policy in choose.items():
        mode = "sync" if name == BLACKJACK else "vector_entry_point"
        envs = gymnasium.make_vec(name, AT_ONCE, mode)
        observation, _ = envs.reset(seed=1)
        speed = rounds_a_second(partial(steps, envs, policy, [observation]))
        found.append(Measured(f"`{name.rpartition(':')[2]}`, {AT_ONCE:,} at once", said[name], speed, cards[name]))
    return found


def episode(env: Any, policy: Callable[[Any], Any]) -> int:
    """Play a round to its end."""
    observation, _ = env.reset()
    over = False
    while not over:
        observation, _, over, _, _ = env.step(int(policy(observation)))
    return 1


def steps(envs: Any, policy: Callable[[Any], Any], last: list[Any]) -> int:
    """Step all rounds once and return how many ended; ``last`` keeps what was observed."""
    last[0], _, over, _, _ = envs.step(policy(last[0]))
    return int(over.sum())


def cards_of_blackjack() -> float:
    """Return how many cards a round of Gymnasium's blackjack takes."""
    env = gymnasium.make(BLACKJACK)
    env.reset(seed=2)
    table: Any = env.unwrapped
    dealt = 0
    for _ in range(HUNDREDS):
        episode(env, lambda observation: observation[0] < STAND_FROM)
        dealt += len(table.player) + len(table.dealer)
    return dealt / HUNDREDS


def simulated(game: Game, seats: int) -> float:
    """Return the rounds that ``pitboss simulate`` counts by CPU seconds, every wager staked."""
    options = tuple(resolve_options(game, {}).items())
    asked = Simulation(game.id, options, get_default_player(game), seats)
    rounds = BLOCKS * BLOCK_ROUNDS
    return rounds_a_second(lambda: run_simulation(asked, rounds, seed=1).rounds)


def show(line: str) -> None:
    """Print a line at once: the whole takes minutes."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
