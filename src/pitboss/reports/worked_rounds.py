"""Worked examples: real rounds that the table's driver deals and settles.

Rounds are dealt from the seeds 0, 1, 2 ... in turn, so the same terms give the same examples.  What is too rare for
that is taken from the rounds recorded in the game's folder.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from pitboss.analysis.par_sheet import ParSheet
from pitboss.cards import format_cards, seeded_bits, shuffle_cards, shuffle_deck
from pitboss.contract import HandOwner, PayTable
from pitboss.core.errors import WagerError
from pitboss.core.progress import ProgressCallback, ignore_progress
from pitboss.paytables import to_document
from pitboss.table.round import DecisionMade, Round, Stake, WagerSettled
from pitboss.table.round.bots import choose_bot_action, get_default_bot
from pitboss.table.round.history import read_history, replay_history
from pitboss.table.round.history_schema import History

MAX_SEEDS = 5_000
"""The most rounds that are dealt to find the examples."""

RARE_RESULT = Fraction(1, 1_000)
"""The probability below which a recorded round is looked for before more seeds."""

Results = Mapping[tuple[str, str], Fraction]
"""Results of bets, (bet, result) pairs, with their probabilities."""

WIN, LOSS, TIE, FOLD, UNQUALIFIED = "win", "loss", "tie", "fold", "dealer does not qualify"

_NOT_QUALIFIED = "not-qualified"
_FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Example:
    """A round that shows results of some bets: (bet, result) pairs.

    It is dealt from ``seed``, or recorded in a file of the game's folder that ``recorded`` names.
    """

    shows: tuple[tuple[str, str], ...]
    played: Round
    seed: int | None = None
    recorded: str = ""

    def list_actions(self) -> list[str]:
        """List the player's answers as the command line reads them."""
        deck = self.played.game.deck
        return [
            f"{event.action} {format_cards(event.cards, deck)}".strip()
            for event in self.played.events
            if isinstance(event, DecisionMade)
        ]


def choose_stakes(opening: Round) -> tuple[Stake, ...]:
    """Choose the same stake on every bet that is not on another seat's hand.

    If the bets' constraints do not allow that, only mandatory bets are staked.
    """
    game, limits = opening.game, opening.limits
    base = limits[game.main.id].minimum_cents

    def make_stakes(statuses: Iterable[str]) -> tuple[Stake, ...]:
        return tuple(
            Stake(seat, each.id, max(limits[each.id].minimum_cents, min(limits[each.id].maximum_cents, base)))
            for seat in range(opening.seats)
            for each in game.wagers
            if opening.get_wager_status(each) in statuses and each.hand_owner is not HandOwner.OTHER_SEAT
        )

    stakes = make_stakes(("mandatory", "optional"))
    try:
        reduce(Round.place_wager, stakes, opening).verify_wagers()
    except WagerError:
        return make_stakes(("mandatory",))
    return stakes


def play_seeded_round(opening: Round, stakes: Iterable[Stake], seed: int) -> Round:
    """Play a round as ``pitboss play --seed`` deals it, by the written strategy."""
    bits = seeded_bits(seed)
    placed = reduce(Round.place_wager, stakes, opening)
    played = placed.deal(shuffle_deck(opening.game.deck, bits), lambda muck: shuffle_cards(muck, bits))
    bot = get_default_bot(opening.game)
    while played.turn is not None:
        action, cards = choose_bot_action(played, bot)
        played = played.decide(played.turn[0], action, cards, lambda muck: shuffle_cards(muck, bits))
    return played


def list_possible_results(sheets: Iterable[ParSheet], stakes: Iterable[Stake]) -> Results:
    """List the results of each staked bet that has a sheet, with their probabilities.

    A fold of main is a result of its own, and so is a dealer who does not qualify.
    """
    staked = {stake.bet for stake in stakes}
    results: dict[tuple[str, str], Fraction] = {}
    for sheet in sheets:
        for line in sheet.lines if sheet.wager.id in staked else ():
            for result in _classify(line.outcome.name, line.net) if line.deals else ():
                key = (sheet.wager.id, result)
                results[key] = results.get(key, Fraction(0)) + line.probability
    return results


def _classify(outcome: str, net: Fraction | int) -> Iterator[str]:
    """Yield the results that an outcome shows."""
    if outcome.rsplit("-", maxsplit=1)[-1] == _FOLD:
        yield FOLD
        return
    yield WIN if net > 0 else LOSS if net < 0 else TIE
    if _NOT_QUALIFIED in outcome:
        yield UNQUALIFIED


def find_examples(
    opening: Round,
    stakes: Sequence[Stake],
    wanted: Results,
    progress: ProgressCallback = ignore_progress,
    max_seeds: int = MAX_SEEDS,
) -> tuple[Example, ...]:
    """Find an example round for each result in ``wanted``.

    It is the first of the seeds that shows it, or for a rare result a recorded round.  A result that neither shows is
    missing.
    """
    missing = dict(wanted)
    examples = []

    def take(played: Round, seed: int | None, recorded: str) -> None:
        shows = tuple(each for each in dict.fromkeys(_iter_results(played)) if missing.pop(each, None) is not None)
        if shows:
            examples.append(Example(shows, played, seed, recorded))

    seeds = iter(range(max_seeds))
    for rarest in (RARE_RESULT, Fraction(0)):
        while missing and max(missing.values()) >= rarest and (seed := next(seeds, None)) is not None:
            progress(seed, max_seeds)
            take(play_seeded_round(opening, stakes, seed), seed, "")
        for path in sorted((opening.game.folder / "rounds").glob("*.toml")) if missing else ():
            history = read_history(path)
            played = replay_history(history)
            if played.options == opening.options:
                is_same = played.paytables == opening.paytables
                paid = played if is_same else _replay_under_pays(history, opening.paytables)
                take(paid, None, path.name if is_same else f"{path.name}, under these pay tables")
    return tuple(examples)


def _replay_under_pays(history: History, paytables: Mapping[str, PayTable]) -> Round:
    """Replay a recorded round as other pay tables settle it."""
    own = [to_document(table) for table in paytables.values()]
    other_terms = {"paytables": [], "own_paytables": own, "settlements": []}
    return replay_history(history.model_copy(update=other_terms))


def _iter_results(played: Round) -> Iterator[tuple[str, str]]:
    for event in played.events:
        if isinstance(event, WagerSettled):
            for result in _classify(event.outcome, event.net_cents):
                yield event.bet, result
