"""``pitboss hint``: the exact value of every legal action for the given cards."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from pitboss.analysis.hint_request import parse_hint_request
from pitboss.analysis.hints import Hint
from pitboss.analysis.position import Position, format_view_cards
from pitboss.cards import parse_cards
from pitboss.cli.arguments import (
    GameArgument,
    JsonOption,
    PayTableOptions,
    RulingOptions,
    SideStakeOptions,
    parse_terms,
)
from pitboss.cli.progress import show_progress
from pitboss.contract import Game
from pitboss.core.joined_words import join_words
from pitboss.games import load_game
from pitboss.reports.formatting import format_difference
from pitboss.value_units import name_value_unit

_SHOWN_CHOICES = 3
_TWO_CARDS_WIDTH = 5


def hint(
    game: GameArgument,
    player: Annotated[str, typer.Option(metavar="CARDS", help='Your own cards, for example "As Td 9h".')],
    dealer: Annotated[str, typer.Option(metavar="CARDS", help="The dealer's cards that you can see.")] = "",
    community: Annotated[str, typer.Option(metavar="CARDS", help="The community cards dealt face up.")] = "",
    indicators: Annotated[
        str, typer.Option(metavar="CARDS", help="The indicator cards: W1, and W2 once revealed.")
    ] = "",
    drew: Annotated[str, typer.Option(metavar="CARDS", help="The cards you drew.")] = "",
    discarded: Annotated[str, typer.Option(metavar="CARDS", help="The cards you gave up for them.")] = "",
    taken: Annotated[
        str, typer.Option(metavar="ACTIONS", help='What you did at earlier decisions, for example "check".')
    ] = "",
    with_: SideStakeOptions = None,
    option: RulingOptions = None,
    paytable: PayTableOptions = None,
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Show every choice of cards to give up, not only the best three of an action.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    r"""Print the exact value of every legal action for the given cards, best first.

    The cards that you give determine the decision.  A value is what you win or lose on average in the whole round, with
    the best play from here on.  Its unit is the game's first bet: the Ante, or Poker in Wild Six Card Poker.  It counts
    that bet, a Blind, raises and fees, also those placed before: a fold loses them.  Side wagers count only if you
    add them with `--with`: those whose result depends on your play.

    After a draw, `--player` may be the cards you hold now, the cards you kept, or your first cards.  Where values
    depend on earlier actions that the cards do not show, give `--taken`.

    For example:

        pitboss hint six-card --player "As Ad 9h 7c 5s 2d" --dealer "Kh Qc Jd"
        pitboss hint wild-52 --player "Ks Kd 8h 5c Jk" --community 8c
        pitboss hint shifting-wilds --player "As 9d 9h 4c" --community "9s 2d" \
            --indicators "4h 9c"
        pitboss hint lunar --player "As Ks Qd 7h 2c" --dealer 9d --all
        pitboss hint lunar --player "As Ks Qd" --dealer 9d --drew "Jc Th" \
            --discarded "7h 2c" --json
    """
    of_game = load_game(game)
    terms = parse_terms(of_game, paytable, option, with_)
    texts = {
        "player": player,
        "dealer": dealer,
        "community": community,
        "indicators": indicators,
        "drew": drew,
        "discarded": discarded,
    }
    request = parse_hint_request(of_game, terms, texts, tuple(taken.split()))
    with show_progress(f"{request.position.decision.id} of {of_game.name}") as progress:
        ranked = request.compute(progress)
    if as_json:
        typer.echo(json.dumps(request.as_json(ranked), indent=2))
    else:
        _print_hints(of_game, request.position, ranked, every=every)


def _print_hints(game: Game, at: Position, ranked: tuple[Hint, ...], *, every: bool) -> None:
    from rich.text import Text

    from pitboss.cli.round_display import render_cards
    from pitboss.cli.terminal_tables import Column, TerminalTable, make_console, make_number_columns

    console = make_console()
    console.print()
    console.print(Text.assemble((f"{game.name}: ", "bold"), at.decision.question))
    for name, text in format_view_cards(at.view, at.decision, game.deck).items():
        console.print(Text(f"  {name.capitalize():<12}") + render_cards(parse_cards(text, game.deck), game))
    has_discards = any(each.action.discards for each in ranked)
    discards = [Column("Gives up", wraps=True, min_width=_TWO_CARDS_WIDTH)] if has_discards else []
    table = TerminalTable((Column("Action"), *discards, *make_number_columns("Expected value", "Cost")))
    shown = ranked if every else tuple(_select_best(ranked))
    for each in shown:
        best = each is ranked[0]
        cost = "best" if best else format_difference(ranked[0].value, each.value, 6)
        action = Text(each.action.id, "bold green" if best else "")
        cards = [render_cards(each.cards, game)] if has_discards else []
        table.add_row(action, *cards, f"{float(each.value):+.6f}", cost)
    console.print(table)
    left_out = Counter(each.action.id for each in ranked) - Counter(each.action.id for each in shown)
    if left_out:
        first, *others = (f"{count} of {action}" for action, count in left_out.items())
        total = left_out.total()
        listed = join_words((first.replace(" of", f" more choice{'s' * (total > 1)} of", 1), *others))
        verb, them = ("is", "it") if total == 1 else ("are", "them")
        console.print(Text(f"{listed} {verb} not shown (--all shows {them})", "dim"))
    console.print(Text(f"Net of the whole round in {name_value_unit(game)}, with the best play from here on", "dim"))
    console.print()


def _select_best(ranked: Iterable[Hint]) -> Iterator[Hint]:
    """Yield the best few choices of cards of each action."""
    shown: Counter[str] = Counter()
    for each in ranked:
        if shown[each.action.id] < _SHOWN_CHOICES:
            shown[each.action.id] += 1
            yield each
