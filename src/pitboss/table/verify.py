"""A provably fair round checked from its history: the commitment, the seeds, the deck, the settlements."""

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.cards import format_card
from pitboss.core.errors import HistoryError, PitbossError
from pitboss.games import game_named
from pitboss.table.domain.form import FairRecord, History
from pitboss.table.domain.history import dealt_cards, replay
from pitboss.table.fair import VERSION, Decks, SeatSeed, commitment, decks, given_back, seed_hash, stream


class Check(NamedTuple):
    """A thing that was checked, whether it holds, and what was found."""

    name: str
    holds: bool
    text: str


def checks(history: History) -> Iterator[Check]:
    """Check a round, the first things first.

    Raises:
        HistoryError: its shuffle was not provably fair, or fair by another method.
    """
    fair = history.fair
    if fair is None:
        raise HistoryError("this round's shuffle was not provably fair: it has no _fair, there is nothing to verify")
    if fair.version != VERSION:
        raise HistoryError(f"this round was shuffled by {fair.version}: this program verifies {VERSION}")
    if not fair.secret:
        yield Check("commitment", holds=False, text="the house never opened it: nothing can be verified")
        return
    yield _commitment(fair)
    yield from _seeds(fair)
    seeds = [SeatSeed(each.seat, each.hash, each.seed) for each in fair.seeds]
    game = game_named(history.variant)
    drawn = decks(game.deck, stream(bytes.fromhex(fair.secret), fair.table, fair.round, seeds))
    yield _deck(history, drawn)
    yield _round(history, drawn)


def _commitment(fair: FairRecord) -> Check:
    made = commitment(bytes.fromhex(fair.secret), fair.table, fair.round)
    holds = made == fair.commitment
    found = "the secret has the hash that was shown before wagers" if holds else f"the secret has the hash {made}"
    return Check("commitment", holds, found)


def _seeds(fair: FairRecord) -> Iterator[Check]:
    for each in fair.seeds:
        name = f"seed of seat {each.seat}"
        if not each.seed:
            yield Check(
                name, holds=True, text="it was never shown: the hash stands in its place, as the seat was bound"
            )
            continue
        holds = seed_hash(each.seed, fair.table, fair.round, each.seat) == each.hash
        yield Check(name, holds, "it has the hash that was handed in" if holds else "it has another hash")


def _deck(history: History, drawn: Decks) -> Check:
    game = game_named(history.variant)
    dealt = list(dict.fromkeys(dealt_cards(history, game)))
    for place, (card, due) in enumerate(zip(dealt, drawn.deck, strict=False), 1):
        if card != due:
            wrong = f"card {place} dealt is {format_card(card, game.deck)}, the deck has {format_card(due, game.deck)}"
            return Check("deck", holds=False, text=wrong)
    return Check("deck", holds=True, text=f"the {len(dealt)} cards dealt are the deck's, in its order")


def _round(history: History, drawn: Decks) -> Check:
    try:
        replay(history, (drawn.deck, given_back(drawn.spare)))
    except PitbossError as error:
        return Check("round", holds=False, text=str(error))
    return Check("round", holds=True, text="dealt from this deck it is settled to the same cent")
