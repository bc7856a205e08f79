"""What a correction of a payment says: how the amount is found, and which cards were wild."""

import re
from collections.abc import Iterator
from fractions import Fraction

import pytest

from pitboss.cards import format_card, seeded_bits
from pitboss.core.money import parse_cents
from pitboss.games import load_game
from pitboss.table.layout_snapshot import build_layout_snapshot
from pitboss.table.round import Round, open_round
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.questions import DisputeRate, build_questions
from pitboss.table.training.rounds import deal_training_round

_ODDS = re.compile(r"([\d,]+) to (\d+)")
_WILD = re.compile(r"((?:\w\w and )*\w\w) (?:is|are) wild for (seat \d|the dealer)")


def tasks(name: str, count: int, disputes: DisputeRate = "") -> Iterator[tuple[Round, DealerQuestion]]:
    """Yield the questions of some rounds of a game."""
    for seed in range(count):
        played = deal_training_round(open_round(load_game(name), 3), seeded_bits(seed))
        yield from ((played, task) for task in build_questions(played, seeded_bits(seed), disputes=disputes))


def test_a_payment_on_two_lines_says_the_arithmetic_of_both() -> None:
    """As it was: "paid on pair and ace-king" did not say how $20 came of it."""
    found = 0
    for _, task in tasks("lunar", 60):
        paid = re.search(r"paid on ([\w -]+) and ([\w -]+), (.+) for \1 and (.+) for \2 on (\$[\d,.]+)$", task.reason)
        assert paid or "paid on" not in task.reason or " and ace-king" not in task.reason
        if paid and task.answer == ChipAction.PAY:
            odds = sum(Fraction(int(many), int(one)) for many, one in _ODDS.findall(task.reason))
            assert odds * parse_cents(paid[5].replace(",", "").lstrip("$")) == task.cents
            found += 1
    assert found


@pytest.mark.parametrize("disputes", ["", "only"])
def test_a_correction_names_the_wild_cards_of_the_hands_that_it_compares(disputes: DisputeRate) -> None:
    """As it was: it named a pair of aces of a hand with one ace."""
    found = set[str]()
    for played, task in tasks("shifting-wilds", 40, disputes):
        find_wild_cards, deck = played.game.find_wild_cards, played.game.deck
        assert find_wild_cards
        if task.seat is None or not (task.cents or task.stake_cents or "”" in task.question):
            assert not _WILD.search(task.reason)
            continue
        masks = find_wild_cards(played.states[task.seat])
        names = {"the dealer": masks[1], f"seat {task.seat + 1}": masks[0]}
        places = {each.name: each.cards for each in build_layout_snapshot(played, task.event_count)}
        told = {whose: set(cards.split(" and ")) for cards, whose in _WILD.findall(task.reason)}
        for whose, cards in told.items():
            assert cards == {format_card(card, deck) for card in deck.cards if names[whose] >> card & 1}
            assert cards <= set(places["Dealer" if whose == "the dealer" else whose.capitalize()])
            found.add(whose.split(" ")[-2])
        if " beats " in task.reason and "nothing wild" not in task.reason:
            assert told.keys() == {whose for whose, mask in names.items() if mask}
        if "nothing wild" in task.reason:
            assert not told
    assert found == {"the", "seat"}
