"""What a game says of itself: names, legs, pay tables, options and papers fit together."""

import re

from conformance.drawing import each_game
from pitboss.cards import DECK_52, DECK_53, DECK_54
from pitboss.contract import Game, LegResult, PayUnit, StakeConstraintKind, Wager
from pitboss.games import load_games
from pitboss.options import encode_options, resolve_options
from pitboss.outcome_nets import compute_outcome_net, list_required_lines
from pitboss.paytables import load_builtin_paytables, select_paytables

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RULING = re.compile(r"\b[A-Z][A-Z0-9]*-\d+\b")


def wagers_and_parts(game: Game) -> tuple[Wager, ...]:
    """Return all that settles and prints as a bet."""
    return (*game.wagers, *game.main_parts)


@each_game
def test_the_game_is_found_by_its_id_and_named_for_people(game: Game) -> None:
    assert load_games()[game.id] is game
    assert ID.fullmatch(game.id)
    assert game.name
    assert game.summary.endswith(".")
    assert game.deck in {DECK_52, DECK_53, DECK_54}
    assert 1 <= game.seats <= 6


@each_game
def test_a_decision_is_a_question(game: Game) -> None:
    assert all(decision.question.endswith("?") for decision in game.decisions)


@each_game
def test_one_name_has_one_net_whatever_the_options(game: Game) -> None:
    """An outcome's net comes from its legs and the pay tables alone, so names that differ only by case never clash."""
    for wager in wagers_and_parts(game):
        nets = {
            outcome.name: compute_outcome_net(outcome, select_paytables(game), 100, 100_000)
            for outcome in wager.outcomes
        }
        assert len(nets) == len(wager.outcomes)
        assert all(net.denominator == 1 for net in nets.values())


@each_game
def test_an_action_can_be_told_from_its_word_in_a_history(game: Game) -> None:
    for decision in game.decisions:
        assert {action.id for action in decision.actions}.isdisjoint({"f", "cc", "sd", "d"})
        given_up = [action.discards for action in decision.actions if action.discards]
        assert len(set(given_up)) == len(given_up)


@each_game
def test_a_leg_that_pushes_is_paid_on_no_line_and_each_has_a_reason(game: Game) -> None:
    for wager in wagers_and_parts(game):
        for outcome in wager.outcomes:
            for leg in outcome.legs:
                assert leg.result is not LegResult.PUSH or not leg.lines
                assert leg.reason


@each_game
def test_the_pay_tables_have_exactly_the_lines_that_outcomes_are_paid_on(game: Game) -> None:
    tables = load_builtin_paytables(game)
    kinds = [kind for wager in game.wagers for kind in wager.paytable_kinds]
    assert {table.kind for table in tables} == set(kinds)
    for table in tables:
        payers = [wager for wager in game.wagers if table.kind in wager.paytable_kinds]
        assert table.bet in {wager.id for wager in payers}
        for wager in payers:
            assert set(table.lines) == set(list_required_lines(wager, table.kind))
        assert table.source
        assert any(pay.amount > 0 for pay in table.lines.values())
    for kind in set(kinds):
        assert sum(table.default for table in tables if table.kind == kind) == 1


@each_game
def test_a_part_of_main_is_paid_by_a_table_of_main_and_counted(game: Game) -> None:
    for part in game.main_parts:
        assert set(part.paytable_kinds) <= set(game.wagers[0].paytable_kinds)
        assert part.census is not None


@each_game
def test_options_have_a_ruling_a_meaning_and_a_code_for_every_value(game: Game) -> None:
    for option in game.options:
        assert RULING.fullmatch(option.ruling)
        assert option.meaning
    codes = encode_options(game, resolve_options(game, {}))
    assert len(codes) == len(game.options)


@each_game
def test_a_wager_that_may_be_switched_names_an_option_that_switches_it(game: Game) -> None:
    options = {option.name: option for option in game.options}
    for wager in game.wagers:
        if wager.status_option:
            assert set(options[wager.status_option].values) == {"optional", "mandatory", "off"}
        if wager.census_option:
            assert set(options[wager.census_option].values) == {"on", "off"}
            assert wager.census is not None
        for tie in wager.constraints:
            assert tie.kind in StakeConstraintKind
            before = [each.id for each in game.wagers[: game.wagers.index(wager)]]
            assert tie.bet in before
            assert tie.option == "" or set(options[tie.option].values) == {"on", "off"}


@each_game
def test_limits_can_be_met_in_whole_units(game: Game) -> None:
    for wager in game.wagers:
        limits = wager.limits
        assert 0 < limits.minimum_cents <= limits.maximum_cents
        assert limits.minimum_cents % limits.unit_cents == limits.maximum_cents % limits.unit_cents == 0


@each_game
def test_a_progressive_table_keeps_whole_its_wager(game: Game) -> None:
    for table in load_builtin_paytables(game):
        percents = [pay for pay in table.lines.values() if pay.unit is PayUnit.PERCENT_OF_METER]
        assert bool(percents) <= (table.progressive is not None)
        if table.progressive is not None:
            assert table.progressive.meter_bps + table.progressive.reserve_bps <= 10_000
        assert set(table.envy) <= set(table.lines)


@each_game
def test_the_readme_cites_every_ruling_that_the_game_rests_on(game: Game) -> None:
    readme = (game.folder / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# ")
    wanted = {option.ruling for option in game.options}
    wanted |= {tie.ruling for wager in game.wagers for tie in wager.constraints}
    wanted |= {pay.ruling for table in load_builtin_paytables(game) for pay in table.lines.values() if pay.ruling}
    wanted |= {label for path in game.folder.glob("*.py") for label in RULING.findall(path.read_text(encoding="utf-8"))}
    assert sorted(wanted - set(RULING.findall(readme))) == []


@each_game
def test_the_readme_names_every_option_bet_and_pay_table(game: Game) -> None:
    readme = (game.folder / "README.md").read_text(encoding="utf-8")
    named = [option.name for option in game.options]
    named += [wager.id for wager in game.wagers if wager.id != "main"]
    named += [table.id for table in load_builtin_paytables(game)]
    assert [name for name in named if name not in readme] == []
