"""The sections of a submission with real rounds: examples and procedure."""

from collections.abc import Iterator

from pitboss.builders import display_name
from pitboss.cards import format_cards, seeded_bits
from pitboss.contract import Game, LegResult
from pitboss.core.money import format_cents, format_dollars
from pitboss.reports.document import LEFT, RIGHT, PageBlock, Section, TableBlock, TextBlock
from pitboss.reports.report import GameReport
from pitboss.reports.worked_rounds import Example
from pitboss.table.round import CardsDealt, DecisionMade, EnvyPaid, Round, StakePlaced, WagerSettled
from pitboss.table.round.wagers import get_circle_name, get_wager
from pitboss.table.training.questions import build_questions

_RESULT_WORDS = {LegResult.WIN: "wins", LegResult.PUSH: "pushes", LegResult.LOSE: "loses"}


def make_examples_section(report: GameReport) -> Section:
    """Return the worked examples with their cards, decisions and payments."""
    submission = report.submission
    if submission is None:
        return Section("Worked examples")
    blocks: list[PageBlock] = [
        TextBlock(
            "Real rounds, dealt from the seed given and settled by the game's own rules. Each was the first seed, from "
            "0 on, that showed a result not shown before. The player follows the game's written strategy, or takes any "
            "legal action if it has none. Amounts and reasons are those of the settlement."
        )
    ]
    if submission.missing:
        results = ", ".join(f"{result} of {_name_bet(report.game, bet)}" for bet, result in submission.missing)
        blocks.append(TextBlock(f"Possible, but too rare to be among the rounds dealt: {results}."))
    return Section("Worked examples", tuple(blocks), tuple(map(_make_example_section, submission.examples)))


def _name_bet(game: Game, bet: str) -> str:
    return get_wager(game, bet).name


def _make_example_section(example: Example) -> Section:
    game = example.played.game
    shown: dict[str, list[str]] = {}
    for bet, result in example.shows:
        shown.setdefault(result, []).append(_name_bet(game, bet))
    title = "; ".join(f"{result} ({', '.join(names)})" for result, names in shown.items())
    source = f"Seed {example.seed}." if example.seed is not None else f"Recorded round {example.recorded}."
    course = TableBlock("", ("Step", "Cards or action"), LEFT * 2, tuple(_iter_course(example.played)))
    return Section(
        title[:1].upper() + title[1:], (TextBlock(source, small=True), course, make_settlement_table(example.played))
    )


def _iter_course(played: Round) -> Iterator[tuple[str, str]]:
    """Yield the stakes, deals and decisions of a round, in order."""
    game, several = played.game, played.seats > 1
    for seat in range(played.seats):
        stakes = [each for each in played.events if isinstance(each, StakePlaced) and each.seat == seat]
        text = ", ".join(f"{_name_bet(game, each.bet)} {format_dollars(each.cents)}" for each in stakes)
        yield f"{_name_seat(seat, several=several)} stakes", text
    for event in played.events:
        match event:
            case CardsDealt():
                to = _name_seat(event.seat, several=several) if event.seat is not None else event.destination
                yield (
                    f"Dealt to {to[:1].lower() + to[1:] if event.seat is not None else to}",
                    format_cards(event.cards, game.deck),
                )
            case DecisionMade():
                cards = f" {format_cards(event.cards, game.deck)}" if event.cards else ""
                cost = f", {format_dollars(event.cents)}" if event.cents else ""
                name = _name_seat(event.seat, several=several)
                yield f"{name} decides", f"{display_name(event.action)}{cards}{cost}"


def _name_seat(seat: int, *, several: bool) -> str:
    return f"Seat {seat + 1}" if several else "The player"


def make_settlement_table(played: Round) -> TableBlock:
    """Return a row for each circle that was settled, and the net of all."""
    several, rows, total = played.seats > 1, [], 0
    for event in played.events:
        seat = [f"{event.seat + 1}"] if isinstance(event, WagerSettled | EnvyPaid) and several else []
        if isinstance(event, WagerSettled):
            total += event.net_cents
            on = "" if event.on is None else f" on seat {event.on + 1}"
            for leg in event.legs:
                stake = format_cents(leg.stake_cents) if leg.stake_cents else ""
                name = get_circle_name(leg.circle, played.game) + on
                rows.append(
                    (*seat, name, stake, _RESULT_WORDS[leg.shown_result], format_cents(leg.net_cents), leg.reason)
                )
        elif isinstance(event, EnvyPaid):
            total += event.cents
            name = f"{_name_bet(played.game, event.bet)} envy"
            reason = f"seat {event.hitter + 1} has a {display_name(event.line)}"
            rows.append((*seat, name, "", "wins", format_cents(event.cents), reason))
    rows.append((*([""] if several else []), "All", "", "", format_cents(total), ""))
    headings = (*(["Seat"] if several else []), "Circle", "Stake", "Result", "Net", "Why")
    alignment = LEFT * several + LEFT + RIGHT + LEFT + RIGHT + LEFT
    return TableBlock("Settlement", headings, alignment, tuple(rows))


def make_procedure_section(report: GameReport) -> Section:
    """Return the steps of a round as the dealer takes them, each with its clause."""
    submission = report.submission
    if submission is None:
        return Section("Dealing procedure")
    played = submission.procedure
    steps = []
    for number, each in enumerate(build_questions(played, seeded_bits(0)), start=1):
        paid = f" {format_cents(each.cents)}" if each.cents else ""
        step = each.answer if each.choices else f"{each.question}: {each.answer}{paid}"
        steps.append((str(number), step, each.reason, each.clause))
    about = TextBlock(
        f"The steps of a round with {played.seats} seats, dealt from seed 0, in the order in which the table takes "
        "them; the cards and answers of another round lead to other steps. Each round is dealt from one freshly "
        "shuffled deck. Shuffling, cutting and burning cards, fills and credits are the casino's own procedures."
    )
    table = TableBlock("", ("", "The dealer's step", "Because", "Clause"), RIGHT + LEFT * 3, tuple(steps))
    course = TableBlock("The round", ("Step", "Cards or action"), LEFT * 2, tuple(_iter_course(played)))
    return Section("Dealing procedure", (about, course, table))
