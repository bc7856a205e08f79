"""What a correction of a payment says: how the amount is found."""

import re
from collections.abc import Iterator
from fractions import Fraction

from pitboss.cards import seeded_bits
from pitboss.core.money import parse_cents
from pitboss.games import load_game
from pitboss.table.round import Round, open_round
from pitboss.table.training.dealer_question import ChipAction, DealerQuestion
from pitboss.table.training.questions import DisputeRate, build_questions
from pitboss.table.training.rounds import deal_training_round

_ODDS = re.compile(r"([\d,]+) to (\d+)")


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
