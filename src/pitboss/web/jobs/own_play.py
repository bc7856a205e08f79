"""A guest's play over all of their tables: rounds, bets, accuracy and leaks."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.analysis.game_terms import GameTerms
from pitboss.analysis.player_account import BankrollRound, PlayedBet
from pitboss.builders import capitalize_first
from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.options import resolve_options
from pitboss.table.played_rounds import PlayedRound, PlayedWager
from pitboss.table.session import TableTerms
from pitboss.table.session.terms import get_table_paytables
from pitboss.value_units import name_value_unit
from pitboss.web.jobs.account_content import make_bet_key
from pitboss.web.jobs.player_leaks import LeakReview, ReviewedDecision


class ReviewedTable(NamedTuple):
    """A table of a guest, with the review of the guest's play there."""

    name: str
    terms: TableTerms
    review: LeakReview

    @property
    def game(self) -> Game:
        """The game."""
        return load_game(self.terms.game)


class Accuracy(NamedTuple):
    """How many judged decisions of a kind were right, and the mistakes."""

    game: Game
    question: str
    judged: int
    mistakes: tuple[ReviewedDecision, ...]

    @property
    def right(self) -> int:
        """How many were right."""
        return self.judged - len(self.mistakes)

    @property
    def cost(self) -> Fraction:
        """The exact cost of the mistakes."""
        return sum((each.chosen.cost for each in self.mistakes), Fraction(0))

    @property
    def cost_cents(self) -> int:
        """The cost in cents."""
        return sum(each.cost_cents for each in self.mistakes)

    @property
    def unit(self) -> str:
        """The unit of the cost."""
        return name_value_unit(self.game)

    def as_json(self) -> dict[str, Any]:
        """Return the accuracy with its names in JSON."""
        cost = {"cost": float(self.cost), "cost_cents": self.cost_cents, "unit": self.unit}
        return {"game": self.game.id, "decision": self.question, "judged": self.judged, "right": self.right, **cost}


class PlacedMistake(NamedTuple):
    """A mistake and the table where it was made."""

    table: str
    made: ReviewedDecision


class OwnLeak(NamedTuple):
    """Mistakes of one kind at all tables of a game, the costliest first."""

    game: Game
    question: str
    mistakes: tuple[PlacedMistake, ...]

    @property
    def kind(self) -> str:
        """The ids of the game and the decision, by which puzzles of its kind are found."""
        return f"{self.game.id}/{self.mistakes[0].made.decision}"

    @property
    def choice(self) -> str:
        """The name of the action that was chosen."""
        return self.mistakes[0].made.chosen.name

    @property
    def best(self) -> str:
        """The name of the action that was best."""
        return self.mistakes[0].made.best.name

    @property
    def unit(self) -> str:
        """The unit of the cost."""
        return name_value_unit(self.game)

    @property
    def cost(self) -> Fraction:
        """The cost of all of them."""
        return sum((each.made.chosen.cost for each in self.mistakes), Fraction(0))

    @property
    def cost_cents(self) -> int:
        """The cost in cents."""
        return sum(each.made.cost_cents for each in self.mistakes)

    def as_json(self) -> dict[str, Any]:
        """Return the leak with its names in JSON."""
        return {
            "game": self.game.id,
            "decision": self.question,
            "chosen": self.choice,
            "best": self.best,
            "cost": float(self.cost),
            "cost_cents": self.cost_cents,
            "unit": self.unit,
            "mistakes": [
                {
                    "table": table,
                    "round": made.round,
                    "hand": list(made.seen[0][1]),
                    "seen": {name: list(cards) for name, cards in made.seen},
                    "gave_up": list(made.chosen.cards),
                    "best_gives_up": list(made.best.cards),
                    "cost": float(made.chosen.cost),
                    "cost_cents": made.cost_cents,
                }
                for table, made in self.mistakes
            ],
        }


@dataclass
class _Tally:
    """The wagers on a bet so far, its place among the bets, and its last round."""

    bet: PlayedBet
    place: int
    wagers: int = 0
    staked_cents: int = 0
    net_cents: int = 0
    shares_rounds: bool = False
    last_round: tuple[str, int] = ("", 0)

    def add(self, wager: PlayedWager, in_round: tuple[str, int]) -> None:
        """Add a wager."""
        self.wagers += 1
        self.staked_cents += wager.staked_cents
        self.net_cents += wager.net_cents
        self.shares_rounds = self.shares_rounds or self.last_round == in_round
        self.last_round = in_round

    def close(self) -> PlayedBet:
        """Return the bet with its wagers."""
        return self.bet._replace(
            wagers=self.wagers,
            staked_cents=self.staked_cents,
            net_cents=self.net_cents,
            shares_rounds=self.shares_rounds,
        )


class OwnPlay(NamedTuple):
    """A guest's tables, the latest first, as far as they are read and judged."""

    tables: tuple[ReviewedTable, ...]

    @property
    def rounds(self) -> int:
        """The rounds that the guest played."""
        return sum(len(table.review.played) for table in self.tables)

    @property
    def unread(self) -> int:
        """The rounds of the tables that are still to be read."""
        return sum(table.review.last_round - table.review.read_up_to for table in self.tables)

    @property
    def pending(self) -> int:
        """The decisions that are still to be judged."""
        return sum(len(table.review.pending) for table in self.tables)

    @property
    def refused(self) -> int:
        """The decisions that cannot be judged."""
        return sum(table.review.refused for table in self.tables)

    @property
    def refusals(self) -> list[str]:
        """The reasons why decisions cannot be judged, each once."""
        return list(dict.fromkeys(table.review.refusal for table in self.tables if table.review.refusal))

    @property
    def is_judged(self) -> bool:
        """Whether every round is read and every decision judged that can be."""
        return not self.unread and not self.pending

    @property
    def staked_cents(self) -> int:
        """All that the guest put down."""
        return sum(wager.staked_cents for _, played in self._iter_rounds() for wager in played.wagers)

    @property
    def net_cents(self) -> int:
        """All that the guest won or lost, envy included."""
        return sum(played.net_cents for _, played in self._iter_rounds())

    def _iter_rounds(self) -> Iterator[tuple[ReviewedTable, PlayedRound]]:
        return ((table, played) for table in self.tables for played in table.review.played)

    def list_accuracy(self) -> list[Accuracy]:
        """List the accuracy by game and kind of decision, in the order of each game."""
        by_kind: dict[tuple[str, str], list[ReviewedDecision]] = {}
        for table in self.tables:
            for each in table.review.reviewed:
                by_kind.setdefault((table.game.id, each.decision), []).append(each)
        return [
            Accuracy(game, capitalize_first(decision.question), len(made), tuple(filter(_is_mistake, made)))
            for game in map(load_game, dict.fromkeys(game for game, _ in by_kind))
            for decision in game.decisions
            if (made := by_kind.get((game.id, decision.id)))
        ]

    def list_leaks(self) -> list[OwnLeak]:
        """List the mistakes of each kind together, the costliest kind first."""
        by_kind: dict[tuple[str, str, str, str], list[PlacedMistake]] = {}
        for table in self.tables:
            for made in table.review.reviewed:
                if _is_mistake(made):
                    kind = table.game.id, made.decision, made.chosen.name, made.best.name
                    by_kind.setdefault(kind, []).append(PlacedMistake(table.name, made))
        leaks = [
            OwnLeak(
                load_game(game),
                next(each.question for each in load_game(game).decisions if each.id == decision),
                tuple(sorted(mistakes, key=lambda each: -each.made.cost_cents)),
            )
            for (game, decision, _, _), mistakes in by_kind.items()
        ]
        return sorted(leaks, key=lambda leak: -leak.cost_cents)

    def tally_bets(self) -> tuple[tuple[PlayedBet, ...], tuple[BankrollRound, ...]]:
        """Return the bets at each stake, and every round in the order of time."""
        tallies: dict[Any, _Tally] = {}
        opened: dict[tuple[str, str, int], _Tally] = {}
        rounds = list[BankrollRound]()
        for table, played in sorted(self._iter_rounds(), key=lambda each: (each[1].at, each[0].name, each[1].number)):
            places = []
            for wager in played.wagers:
                at_table = table.name, wager.bet, wager.stake_cents
                if at_table not in opened:
                    bet = _open_bet(table, wager)
                    key = make_bet_key(bet), wager.stake_cents
                    opened[at_table] = tallies.setdefault(key, _Tally(bet, len(tallies)))
                opened[at_table].add(wager, (table.name, played.number))
                places.append(opened[at_table].place)
            rounds.append(BankrollRound(played.net_cents, tuple(places)))
        return tuple(tally.close() for tally in tallies.values()), tuple(rounds)

    def as_json(self) -> dict[str, Any]:
        """Return all that is known so far with its names in JSON."""
        return {
            "tables": [table.name for table in self.tables],
            "rounds": self.rounds,
            "staked_cents": self.staked_cents,
            "net_cents": self.net_cents,
            "rounds_not_read": self.unread,
            "decisions_not_judged": self.pending,
            "decisions_refused": self.refused,
            "refusals": self.refusals,
            "accuracy": [each.as_json() for each in self.list_accuracy()],
            "leaks": [each.as_json() for each in self.list_leaks()],
        }


def _is_mistake(made: ReviewedDecision) -> bool:
    return bool(made.chosen.cost)


def _open_bet(table: ReviewedTable, wager: PlayedWager) -> PlayedBet:
    terms = GameTerms(get_table_paytables(table.terms), resolve_options(table.game, table.terms.options))
    return PlayedBet(table.game, wager.bet, terms, wager.stake_cents, 0, 0, 0)
