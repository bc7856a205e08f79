"""A table linked to a progressive: its keys are pressed once, its amounts are the ledger's, and it waits for people."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jackpot.house import DEALER, EXECUTIVE, SUPERVISOR
from pitboss.core.errors import IllegalActionError, PitbossError
from pitboss.jackpot.commands import (
    CancelHit,
    CloseRound,
    ConfirmAward,
    EnterHit,
    OpenIncident,
    OpenRound,
    ProgressiveCommand,
    RequestBackOut,
)
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.errors import RefusalError
from pitboss.jackpot.events import BackOut, ProgressiveWager
from pitboss.ledger.signing import Signer
from pitboss.ledger.store import Store
from pitboss.table.progressive_client import ProgressiveClient, build_linked_terms
from pitboss.table.round.history import parse_history, replay_history
from pitboss.table.round.history_writer import format_history
from pitboss.table.session import (
    HOUSE,
    CommandForbiddenError,
    LeaveSeat,
    Phase,
    RelieveDealer,
    TableTerms,
    TakeAction,
    build_view,
)
from pitboss.web.pages.table_page import build_table_context
from refusals import refusal
from table.linking import NAME, SECOND_DEALER, Pit, envied, felt, ledgers
from table.seated import lowest_wagers

Made = Callable[..., Pit]

DEALER_HAND = "Ah Jd Td 8c 6c 3s"
NOTHING = "Kc Jc 9c 7c 3h 2s"
ROYAL = "As Ks Qs Js Ts 2h"
STRAIGHT_FLUSH = "9h 8h 7h 6h 5h 2c"
ANOTHER_STRAIGHT_FLUSH = "9d 8d 7d 6d 5d 2d"
FOUR = "4s 4h 4d 4c Kh Qh"


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Made]:
    """Open linked tables."""
    made: list[Pit] = []

    def opened(*seats: int, **settings: Any) -> Pit:
        made.append(Pit(tmp_path, *seats, **settings))
        return made[-1]

    yield opened
    for each in made:
        each.close()


def played(at: Pit, *hands: str) -> dict[int, tuple[str, int, int]]:
    """Play a round of these hands, and return what the felt shows while it waits."""
    at.wager(*range(1, len(hands) + 1))
    at.deal(" ".join((*hands, DEALER_HAND)))
    return felt(at.play())


# A round.


def test_wagers_are_taken_when_the_cards_are_dealt_and_the_round_ends_with_its_settlement(pit: Made) -> None:
    at = pit(2, 5)
    at.wager(2, 5)
    assert at.deal(f"{NOTHING} Ks Qc Jh 8s 7s 3d {DEALER_HAND}").turn == 2
    opened = at.controller.state.rounds[1]
    assert [wager.seat for wager in opened.wagers] == [2, 5]
    assert opened.link == NAME
    assert at.controller.state.meter_units == 1_000_000 * 10_000 + 2 * 140_000
    assert at.play().snapshot.number == 2
    assert not at.controller.state.rounds[1].running
    assert build_view(at.now, 2)["meter_cents"] is None  # the ledger's is the only one


def test_an_award_waits_for_the_supervisor_and_the_table_with_it(pit: Made) -> None:
    at = pit(1, 2)
    assert played(at, ROYAL, NOTHING) == {1: ("royal-flush", 1_000_028 - 100, 1_000_028)} == ledgers(at.pending())
    assert at.now.phase is Phase.SETTLE
    entries = at.controller.state.entries
    assert at.tables.run_automation(NAME).phase is Phase.SETTLE
    assert at.controller.refresh().entries == entries  # waiting writes nothing
    assert build_view(at.now, 1)["next"] == {
        "step": "wait",
        "text": "The round is played.",
    }
    assert build_view(at.now, 1)["seats"][0]["chips_cents"] == 500_000 + 500 - 100  # the award is not paid yet
    at.confirm(1)
    now = at.tables.run_automation(NAME)
    assert (now.phase, now.snapshot.number) == (Phase.WAGERS, 2)
    assert envied(now) == {(2, 1, "royal-flush", 10_000)}
    assert now.seats[1].chips_cents == 500_000 + 1_000_028 - 100 + 500  # beside Play: no king, so the Ante is pushed
    assert at.controller.state.counts[1].envy_cents == 10_000


def test_a_wager_whose_award_waits_stays_in_its_circle(pit: Made) -> None:
    at = pit(1)
    played(at, ROYAL)

    def get_spot() -> dict[str, Any]:
        rows = build_table_context(at.now, 1, f"/tables/{NAME}")["rows"]
        return next(spot for row in rows for spot in row if spot["bet"] == "progressive")

    assert (get_spot()["lying"], get_spot()["result"]) == (100, None)
    at.confirm(1)
    assert at.tables.run_automation(NAME).phase is Phase.WAGERS
    assert get_spot()["lying"] == 0


def test_a_round_that_nobody_wagers_the_progressive_in_is_the_ledgers_too(pit: Made) -> None:
    at = pit(1)
    at.wager(1, bets=())
    at.deal(f"{ROYAL} {DEALER_HAND}")
    assert at.play().snapshot.number == 2
    assert at.controller.state.rounds[1].number == 1
    assert not at.controller.state.hits


# Amounts.


@pytest.mark.parametrize(
    ("settings", "hands"),
    [
        ({}, (STRAIGHT_FLUSH, ANOTHER_STRAIGHT_FLUSH)),
        ({}, (STRAIGHT_FLUSH, ROYAL)),
        ({}, (ROYAL, STRAIGHT_FLUSH)),
        ({"limit_cents": 1_000_000}, (STRAIGHT_FLUSH, ANOTHER_STRAIGHT_FLUSH)),
        ({"limit_cents": 1_000_000}, (STRAIGHT_FLUSH, ROYAL)),
        ({"limit_cents": 1_000_010, "meter_bps": 9_000}, (STRAIGHT_FLUSH, FOUR, ANOTHER_STRAIGHT_FLUSH)),
        ({"seed_cents": 777_777, "reserve_bps": 500}, (ANOTHER_STRAIGHT_FLUSH, ROYAL)),
        ({"award_order": "split"}, (STRAIGHT_FLUSH, ROYAL)),
        ({"award_order": "split", "limit_cents": 1_000_000}, (STRAIGHT_FLUSH, ANOTHER_STRAIGHT_FLUSH)),
        ({"award_rounding": "dollar"}, (STRAIGHT_FLUSH, NOTHING)),
        ({"fixed_awards_from": "meter", "seed_cents": 5_000}, (FOUR, STRAIGHT_FLUSH)),
        ({"seed_cents": 0, "zero_seed": True, "fixed_awards_from": "meter"}, (STRAIGHT_FLUSH, FOUR)),
    ],
)
def test_amounts_on_the_felt_are_the_ledgers(settings: dict[str, Any], hands: tuple[str, ...], pit: Made) -> None:
    at = pit(*range(1, len(hands) + 1), **settings)
    shown = played(at, *hands)
    hits = at.pending()
    assert shown == {seat: each for seat, each in ledgers(hits).items() if each[1] > 0}
    assert len(hits) == len(hands) - hands.count(NOTHING)
    before = {seat: held.chips_cents for seat, held in at.now.seats.items()}
    for hit in hits:
        at.confirm(hit.owed.award)
    now = at.tables.run_automation(NAME)
    assert felt(now) == shown
    history = parse_history(format_history(at.tables.get_history(NAME, 1)))
    assert replay_history(history).awards == now.round.awards if now.round else False
    won = {seat: now.seats[seat].chips_cents - before[seat] for seat in now.seats}
    records = history.settlements
    assert list(won.values()) == [
        sum(each.net_cents for each in records if each.seat == place) for place in range(1, len(won) + 1)
    ]


def test_a_win_at_another_table_meanwhile_comes_first(pit: Made) -> None:
    at = pit(1, 2, tables=2)
    at.wager(1, 2)
    at.deal(f"{STRAIGHT_FLUSH} {NOTHING} {DEALER_HAND}")
    other: list[ProgressiveCommand] = [
        OpenRound(table=2, round=1, wagers=(ProgressiveWager(seat=4, cents=100),)),
        EnterHit(table=2, round=1, seat=4, hand="royal-flush"),
    ]
    for number, command in enumerate(other):
        at.controller.execute(command, DEALER, f"other-{number}")
    at.confirm(1)
    shown = felt(at.play())
    assert shown == ledgers(at.pending())
    assert shown[1][2] == 100_000 + 6 // 10  # 10% of the seed and what three wagers left in the reserve


def test_a_hand_that_was_confirmed_between_two_keys_keeps_its_amount(pit: Made) -> None:
    at = pit(1, 2)

    class Hurried(ProgressiveClient):
        """A table whose supervisor confirms the first hand before the second is entered."""

        def _press_key(self, command: Any, state: Any, what: str) -> Any:
            after = super()._press_key(command, state, what)
            if what == "hit-2":
                after = at.controller.execute(ConfirmAward(award=1), EXECUTIVE, "at-once").state
            return after

    at.start(partial(Hurried, at.controller))
    shown = played(at, STRAIGHT_FLUSH, ANOTHER_STRAIGHT_FLUSH)
    hits = tuple(at.controller.state.hits.values())
    assert [hit.step for hit in hits] == ["confirmed", "pending"]
    assert shown == ledgers(hits)
    at.confirm(2)
    assert at.tables.run_automation(NAME).snapshot.number == 2


def test_who_is_envied_without_a_wager_is_entered_too(pit: Made) -> None:
    at = pit(1, 2, envy_hitter_must_wager="off")
    at.wager(1, bets=())
    at.wager(2)
    at.deal(f"{ROYAL} {NOTHING} {DEALER_HAND}")
    at.play()
    (hit,) = at.pending()
    assert (hit.owed.seat, hit.cents) == (1, 0)
    at.confirm(1)
    assert envied(at.tables.run_automation(NAME)) == {(2, 1, "royal-flush", 10_000)}
    assert at.controller.state.counts[1].envy_cents == 10_000


# Who deals.


def test_without_its_dealer_no_round_begins_and_one_that_began_waits_for_who_takes_over(pit: Made) -> None:
    at = pit(1, 2)
    at.wager(1, 2)
    at.staff(DEALER, active=False)
    why = "dealer no longer deals, so staff must take over table 1 at its console"
    with pytest.raises(IllegalActionError, match=why):
        at.deal()
    assert at.now.phase is Phase.WAGERS
    assert not at.controller.state.rounds
    at.staff(DEALER)
    at.deal(f"{STRAIGHT_FLUSH} {NOTHING} {DEALER_HAND}")
    at.staff(DEALER, active=False)
    with pytest.raises(IllegalActionError, match=why):
        at.play()
    with pytest.raises(CommandForbiddenError, check=refusal("house-only")):
        at.tables.execute(NAME, RelieveDealer(dealer="p1"), "p1", "takes-over")
    at.tables.execute(NAME, RelieveDealer(dealer=SECOND_DEALER.name), HOUSE, "max-takes-over")
    at.start(partial(ProgressiveClient, at.controller))  # what was written says who deals
    at.play()
    assert [hit.owed.by for hit in at.pending()] == ["max"]
    at.confirm(1)
    assert at.tables.run_automation(NAME).snapshot.number == 2


# The console.


def test_a_round_that_was_opened_at_the_console_has_to_be_ended_there(pit: Made) -> None:
    at = pit(1)
    at.controller.execute(OpenRound(table=1, round=1, wagers=()), DEALER, "by-hand")
    at.wager(1)
    with pytest.raises(IllegalActionError, check=refusal("round-open", round=1, table=1)):
        at.deal()
    at.tables.execute(NAME, LeaveSeat(seat=1), "p1", "leave")  # nobody is held
    at.controller.execute(CloseRound(table=1, round=1), DEALER, "over")


def test_the_console_leaves_the_tables_round_alone(pit: Made) -> None:
    at = pit(1, 2)
    at.wager(1, 2)
    at.deal(f"{STRAIGHT_FLUSH} {FOUR} {DEALER_HAND}")
    there = f"round 1 of table 1 is played at {NAME}: end it there"
    by_hand: list[tuple[ProgressiveCommand, str]] = [
        (EnterHit(table=1, round=1, seat=2, hand="royal-flush"), there),
        (CloseRound(table=1, round=1), there),
        (OpenRound(table=1, round=2, wagers=()), "round 1 of table 1 is still open"),
    ]
    at.play()
    by_hand.append((CancelHit(award=1), f"award 1 was entered by {NAME} and cannot be cancelled: confirm it"))
    for number, (command, why) in enumerate(by_hand):
        with pytest.raises(RefusalError, match=why):
            at.controller.execute(command, SUPERVISOR, f"by-hand-{number}")
    at.confirm(1)
    back_out = RequestBackOut(change=BackOut(award=1, text="not so"))
    with pytest.raises(RefusalError, match=f"award 1 is being paid at {NAME}: back it out when the round is over"):
        at.controller.execute(back_out, SUPERVISOR, "back-out-early")
    at.confirm(2)
    assert at.tables.run_automation(NAME).snapshot.number == 2
    at.controller.execute(back_out, SUPERVISOR, "back-out")


def test_awards_that_the_felt_does_not_show_keep_the_table_waiting(pit: Made) -> None:
    at = pit(1, 2)
    played(at, STRAIGHT_FLUSH, NOTHING)
    at.controller.execute(EnterHit(table=1, round=1, seat=2, hand="flush", link=NAME), DEALER, "as if it were lost")
    for award in (2, 1):
        at.confirm(award)
    assert at.tables.run_automation(NAME).phase is Phase.SETTLE
    with pytest.raises(RefusalError, check=refusal("awards-differ", table_name="linked-1-t")):
        ProgressiveClient(at.controller, at.now).close_round(1, ())


def test_wagers_that_are_not_taken_are_given_back_and_the_page_says_why(pit: Made) -> None:
    at = pit(1)

    class Late(ProgressiveClient):
        """A table at which somebody opens a round by hand at the last moment."""

        def coin_in(self, number: int, wagers: Any) -> Any:
            if number == 1:
                at.controller.execute(OpenRound(table=1, round=1, wagers=()), DEALER, "by-hand")
                at.controller.execute(CloseRound(table=1, round=1), DEALER, "over")
            return super().coin_in(number, wagers)

    at.start(partial(Late, at.controller))
    at.wager(1)
    now = at.deal()
    assert (now.phase, now.seats[1].stakes) == (Phase.WAGERS, None)
    said = "Your wagers were returned: round 1 of table 1 cannot be opened: the next one is 2. Place your wagers: "
    assert build_view(now, 1)["next"]["text"].startswith(said)
    at.wager(1)
    assert at.deal().progressive_round == 2
    assert at.controller.state.counts[1].in_count == 1


# What the table plays by.


def test_a_table_plays_by_the_settings_that_it_was_opened_by(pit: Made) -> None:
    at = pit(1, seats=4, paytable="SIXCPP-01")
    terms = at.now.terms
    assert (terms.seats, terms.game) == (4, "six-card")
    at.configure(seed_cents=2_000_000)
    at.wager(1)
    why = f"the settings have version 2, but {NAME} was opened with version 1: staff"
    with pytest.raises(IllegalActionError, match=why):
        at.deal()
    again = build_linked_terms(at.controller, 1, DEALER.name)
    assert again.linked is not None
    assert again.linked.version == 2
    assert again.own_paytables[0]["progressive"]["seed_cents"] == 2_000_000


def test_settings_that_no_felt_can_be_played_by_are_refused(pit: Made) -> None:
    at = pit(1)
    with pytest.raises(RefusalError, check=refusal("unknown-table", table_number=9, tables=1)):
        build_linked_terms(at.controller, 9, DEALER.name)
    at.configure(wager_cents=500)
    with pytest.raises(RefusalError, check=refusal("other-wager", wager="progressive", cents=100, game="six-card")):
        build_linked_terms(at.controller, 1, DEALER.name)
    settings = at.controller.state.settings
    assert settings is not None
    at.configure(wager_cents=100, lines=settings.lines[1:])
    why = "Six Card Poker cannot be linked with these settings, .*: .*line 'royal-flush' is missing"
    with pytest.raises(RefusalError, match=why):
        build_linked_terms(at.controller, 1, DEALER.name)


def test_a_table_waits_for_its_own_progressive(pit: Made, tmp_path: Path) -> None:
    at = pit(1)
    at.wager(1)
    at.start(None)
    with pytest.raises(IllegalActionError, match=f"table {NAME} plays for a progressive that is not served"):
        at.deal()
    (tmp_path / "other").mkdir()
    store = Store.open_or_create(f"sqlite:///{tmp_path / 'other' / 'progressive.db'}")
    other = Controller(store, Signer.load_or_create(tmp_path / "other" / "signing"))
    assert at.controller.state.settings is not None
    other.create(at.controller.state.settings, EXECUTIVE.name)
    at.start(partial(ProgressiveClient, other))
    with pytest.raises(PitbossError, match=f"table {NAME} plays for another progressive: serve it with that ledger"):
        at.deal()
    assert not other.state.rounds
    store.close()
    at.start(partial(ProgressiveClient, at.controller))
    assert at.deal().turn == 1


def test_an_incident_keeps_cards_in_the_deck(pit: Made) -> None:
    at = pit(1)
    at.controller.execute(OpenIncident(table=1, text="display is dark"), SUPERVISOR, "report")
    at.wager(1)
    with pytest.raises(IllegalActionError, check=refusal("table-closed", incident=1, table=1, text="display is dark")):
        at.deal()
    assert at.now.seats[1].stakes


def test_a_table_of_its_own_needs_no_dealer(pit: Made) -> None:
    at = pit(1)
    at.tables.open_table("own", TableTerms(game="six-card"), "own")
    with pytest.raises(IllegalActionError, check=refusal("not-linked")):
        at.tables.execute("own", RelieveDealer(dealer="max"), HOUSE, "max")
    with pytest.raises(ValueError, match="table own is not linked to a progressive"):
        ProgressiveClient(at.controller, at.tables.get_session("own"))


def test_a_decision_that_ends_the_round_waits_for_the_ledger(pit: Made) -> None:
    at = pit(1)
    at.wager(1)
    at.deal(f"{STRAIGHT_FLUSH} {DEALER_HAND}")
    at.start(None)
    with pytest.raises(IllegalActionError, check=refusal("progressive-not-served", table="linked-1-t")):
        at.tables.execute(NAME, TakeAction(seat=1, action="play"), "p1", "play")
    assert at.now.turn == 1
    at.start(partial(ProgressiveClient, at.controller))
    assert felt(at.play()) == ledgers(at.pending())
    assert lowest_wagers(at.now, 1, ("progressive",)).stakes
