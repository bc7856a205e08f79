"""The sitting: chips, wagers, turns and time of one to six seats, and every command that comes at the wrong time."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.drawing import SEEDS, each_game
from pitboss.cards import seeded_bits
from pitboss.contract import Game
from pitboss.core.errors import IllegalActionError, PitbossError, WagerError
from pitboss.games import load_game
from pitboss.meter import Meter
from pitboss.paytables import select_paytables, to_document
from pitboss.table.fair_shuffle import hash_seed
from pitboss.table.round import DecisionMade, WagerSettled
from pitboss.table.session import (
    HOUSE,
    BetStake,
    CallTime,
    CommandError,
    CommandForbiddenError,
    DealRound,
    ExternalInputs,
    LeaveSeat,
    Phase,
    PlaceWagers,
    RevealSeed,
    SettleRound,
    TableCommand,
    TableSession,
    TableTerms,
    TakeAction,
    TakeSeat,
    build_view,
    choose_timeout_command,
    explain_refusal,
    handle_command,
    open_table,
    parse_command,
    replay_events,
)
from pitboss.table.session.events import EVENT_ADAPTER, RoundSettled, SessionEvent
from pitboss.table.session.state import open_table_round
from refusals import refusal
from table.seated import CHIPS, dealt, done, evening, lowest_wagers, seated, some_decision

SIX = TableTerms(game="six-card")
LUNAR = TableTerms(game="lunar")
ANTE = (BetStake(bet="main", cents=1_000),)


# Chips.


def chips(now: TableSession) -> int:
    return sum(seat.chips_cents for seat in now.seats.values())


@each_game
@settings(max_examples=12)
@given(seed=SEEDS)
def test_chips_are_neither_made_nor_lost_and_no_seat_has_less_than_none(game: Game, seed: int) -> None:
    for now in evening(game, seed):
        kept = now.snapshot
        assert kept.bought_cents - kept.changed_cents == chips(now) + kept.house_cents
        assert all(now.get_available_cents(seat) >= 0 for seat in now.seats)
        assert all(
            now.get_available_cents(seat) == now.seats[seat].chips_cents - now.sum_staked_cents(seat)
            for seat in now.seats
        ) or (not now.is_settled)


def test_tables_of_other_terms_are_not_taken_for_one_another() -> None:
    kind = select_paytables(load_game("six-card"))["aces-up"]
    own = to_document(kind)
    terms = [
        SIX,
        SIX.model_copy(update={"limits": {"main": (1_000, 2_000)}}),
        SIX.model_copy(update={"own_paytables": ({**own, "id": "mine"},)}),
        SIX.model_copy(update={"own_paytables": ({**own, "id": "ours"},)}),
    ]
    for _ in range(2):
        rounds = [open_table_round(each, None) for each in terms]
        assert [now.limits["main"].minimum_cents for now in rounds] == [500, 1_000, 500, 500]
        assert [now.paytables["aces-up"].id for now in rounds] == [kind.id, kind.id, "mine", "ours"]
    assert open_table_round(SIX, Meter(7, 0)).opening_meter == Meter(7, 0)
    assert open_table_round(SIX, None, 3).seats == 3


@each_game
@settings(max_examples=6)
@given(seed=SEEDS)
def test_a_sitting_is_the_fold_of_its_events_read_back_from_json(game: Game, seed: int) -> None:
    bits = seeded_bits(seed)
    events: list[SessionEvent] = list(open_table("t1", TableTerms(game=game.id), ExternalInputs(bits)))
    now = replay_events(events)
    for command, by in (
        (TakeSeat(seat=2, cents=CHIPS, name="Ann"), "ann"),
        (TakeSeat(seat=5, cents=CHIPS, name="Bo"), "bo"),
    ):
        events += handle_command(now, command, by, 0)
        now = replay_events(events)
    for seat, by in ((2, "ann"), (5, "bo")):
        events += handle_command(now, lowest_wagers(now, seat), by, 0)
        now = replay_events(events)
    events += handle_command(now, DealRound(), "ann", 0, ExternalInputs(bits))
    now = replay_events(events)
    while now.turn is not None:
        events += handle_command(now, some_decision(now, bits), {2: "ann", 5: "bo"}[now.turn], 0)
        now = replay_events(events)
    events += handle_command(now, SettleRound(), HOUSE, 0)
    again = replay_events(EVENT_ADAPTER.validate_json(EVENT_ADAPTER.dump_json(tuple(events))))
    assert build_view(again, 2) == build_view(replay_events(events), 2)
    assert again.snapshot.number == 2


def test_a_settlement_moves_what_the_round_driver_says() -> None:
    now = dealt(SIX, 1, 4)
    before = {seat: now.seats[seat].chips_cents for seat in (1, 4)}
    now = done(done(now, TakeAction(seat=1, action="play"), "p1"), TakeAction(seat=4, action="fold"), "p4")
    assert now.round is not None
    nets = [
        sum(e.net_cents for e in now.round.events if isinstance(e, WagerSettled) and e.seat == place)
        for place in (0, 1)
    ]
    assert [now.seats[seat].chips_cents - before[seat] for seat in (1, 4)] == nets
    assert nets[1] == -500
    assert (now.phase, now.snapshot.number, now.snapshot.house_cents) == (Phase.WAGERS, 2, -sum(nets))


def test_a_seat_buys_more_chips_in_mid_round_and_takes_all_of_them_away() -> None:
    now = dealt(SIX, 3)
    now = done(now, TakeSeat(seat=3, cents=700), "p3")
    assert now.get_available_cents(3) == CHIPS + 700 - 500
    now = done(now, TakeAction(seat=3, action="fold"), "p3")
    now = done(now, LeaveSeat(seat=3), "p3")
    assert now.snapshot.changed_cents == CHIPS + 700 - 500
    assert now.seats == {}


# What is refused, and why.

DEALT = dealt(SIX, 2, 5)
WAGERING = seated(SIX, 2, 5)


@pytest.mark.parametrize(
    ("now", "command", "by", "why"),
    [
        (WAGERING, TakeSeat(seat=5, cents=1, name="Eve"), "eve", "seat 5 is taken; free: 1, 3, 4, 6"),
        (WAGERING, TakeSeat(seat=1, cents=1, name="Bo"), "p5", "you sit in seat 5: leave it first"),
        (WAGERING, TakeSeat(seat=1, cents=0, name="Eve"), "eve", "a seat needs chips: buy some"),
        (WAGERING, TakeSeat(seat=1, cents=1, name=" "), "eve", "a seat needs a name: enter yours"),
        (WAGERING, TakeSeat(seat=1, cents=1, bot="practical"), "eve", "only the house seats bots"),
        (WAGERING, TakeSeat(seat=1, cents=1), HOUSE, "the house can seat only bots: name a strategy"),
        (WAGERING, TakeSeat(seat=1, cents=1, bot="lucky"), HOUSE, "unknown strategy 'lucky': known: practical"),
        (WAGERING, PlaceWagers(seat=2, stakes=ANTE), "p5", "seat 2 belongs to another player: use your own"),
        (WAGERING, PlaceWagers(seat=1, stakes=ANTE), "p1", "nobody sits in seat 1: sit down first"),
        (
            WAGERING,
            PlaceWagers(seat=2, stakes=(BetStake(bet="aces-up", cents=500),)),
            "p2",
            "seat 2 has no Ante",
        ),
        (
            WAGERING,
            PlaceWagers(seat=2, stakes=(BetStake(bet="main", cents=499),)),
            "p2",
            "is not allowed: stake $5 to",
        ),
        (WAGERING, PlaceWagers(seat=2, stakes=ANTE * 2), "p2", "is placed twice: place each wager once"),
        (WAGERING, PlaceWagers(seat=2, stakes=(BetStake(bet="lock", cents=500),)), "p2", "unknown bet 'lock'"),
        (WAGERING, PlaceWagers(seat=2, stakes=ANTE, seed_hash="0" * 64), "p2", "this table's shuffle takes no seeds"),
        (WAGERING, DealRound(), "p2", "nobody has wagered: place a wager first"),
        (WAGERING, TakeAction(seat=2, action="fold"), "p2", "no decision now: wagers are being placed"),
        (WAGERING, SettleRound(), "p2", "nothing to settle now: wagers are being placed"),
        (WAGERING, LeaveSeat(seat=2), "p5", "seat 2 belongs to another player: use your own"),
        (WAGERING, LeaveSeat(seat=1), HOUSE, "nobody sits in seat 1: sit down first"),
        (WAGERING, RevealSeed(seat=2, seed="x"), "p2", "no seeds now: wagers are being placed"),
        (WAGERING, CallTime(), HOUSE, "nobody to call time on now: wagers are being placed"),
        (DEALT, PlaceWagers(seat=2, stakes=ANTE), "p2", "no wagers now: seat 2 is deciding"),
        (DEALT, DealRound(), HOUSE, "no deal now: seat 2 is deciding"),
        (DEALT, TakeAction(seat=5, action="fold"), "p5", "seat 5 cannot fold now: it is seat 2's turn"),
        (DEALT, TakeAction(seat=2, action="fold"), "p5", "seat 2 belongs to another player: use your own"),
        (
            DEALT,
            TakeAction(seat=2, action="check"),
            "p2",
            "'check' is not possible now: the legal actions are fold, play",
        ),
        (DEALT, TakeAction(seat=2, action="play", cards=("As",)), "p2", "play takes no cards: name none, not As"),
        (DEALT, LeaveSeat(seat=2), "p2", "seat 2 is in this round: leave when it is settled"),
        (DEALT, CallTime(), "p2", "only the house calls time"),
        (DEALT, CallTime(), HOUSE, "seat 2 still has time: wait until it is up"),
        (DEALT, SettleRound(), "p2", "nothing to settle now: seat 2 is deciding"),
    ],
)
def test_a_command_that_may_not_be_given_now_is_refused_in_a_line(
    now: TableSession, command: TableCommand, by: str, why: str
) -> None:
    assert why in explain_refusal(now, command, by, 105)
    with pytest.raises(PitbossError):
        handle_command(now, command, by, 105)


def test_whose_it_is_not_is_told_apart() -> None:
    with pytest.raises(CommandForbiddenError):
        handle_command(WAGERING, PlaceWagers(seat=2, stakes=ANTE), "p5", 100)


def test_a_wager_is_refused_that_the_chips_do_not_cover() -> None:
    now = done(seated(SIX), TakeSeat(seat=1, cents=800, name="Ann"), "ann")
    with pytest.raises(WagerError, check=refusal("above-chips")):
        done(now, PlaceWagers(seat=1, stakes=ANTE), "ann")
    now = done(now, PlaceWagers(seat=1, stakes=(BetStake(bet="main", cents=500),)), "ann")
    now = done(now, DealRound(), "ann")
    with pytest.raises(WagerError, check=refusal("above-chips", action="play")):
        done(now, TakeAction(seat=1, action="play"), "ann")
    assert [(each["action"], each["affordable"]) for each in build_view(now, 1)["actions"]] == [
        ("fold", True),
        ("play", False),
    ]


def test_a_wager_with_two_circles_takes_its_stake_for_each() -> None:
    now = seated(TableTerms(game="shifting-wilds"), 1)
    now = done(now, PlaceWagers(seat=1, stakes=ANTE), "p1")
    assert now.sum_staked_cents(1) == 2_000
    assert [each["circle"] for each in build_view(now, 1)["seats"][0]["wagers"]] == ["ante", "blind"]


def test_washington_holds_the_ante_of_a_raise_to_two_hundred() -> None:
    now = seated(TableTerms(game="wild-52", preset="washington"), 1)
    high = (BetStake(bet="main", cents=20_500),)
    with pytest.raises(WagerError, check=refusal("outside-limits")):
        done(now, PlaceWagers(seat=1, stakes=high), "p1")


def test_a_table_is_refused_whose_terms_are_not_in_order() -> None:
    with pytest.raises(PitbossError, check=refusal("unknown-value", name="dealer_qualifies", value="never")):
        open_table("t1", TableTerms(game="six-card", options={"dealer_qualifies": "never"}))
    with pytest.raises(WagerError, check=refusal("invalid-limit", wager="main")):
        open_table("t1", TableTerms(game="six-card", limits={"main": (1_000, 500)}))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("{", "this is not a valid command: "),
        ({"kind": "dance"}, "this is not a valid command: "),
        ({"kind": "deal", "card": "As"}, "deal card is not known here: remove it or correct its name"),
        ({"kind": "decide", "seat": 7, "action": "fold"}, "decide seat: 7 is too large: write at most 6"),
        ({"kind": "leave"}, "leave seat is missing"),
        ({"kind": "sit", "seat": 1, "cents": True}, "sit cents: True is not a whole number"),
        (float("nan"), "this is not a valid command: "),
    ],
)
def test_what_is_no_command_is_refused(said: object, why: str) -> None:
    with pytest.raises(CommandError, check=refusal("invalid-command")) as refused:
        parse_command(said)
    assert why in str(refused.value)


# Empty chairs.


def test_a_round_is_dealt_to_those_who_wager_and_others_sit_it_out() -> None:
    now = seated(LUNAR, 1, 3, 6)
    for seat in (1, 6):
        now = done(now, lowest_wagers(now, seat), f"p{seat}")
    with pytest.raises(IllegalActionError, check=refusal("wagers-awaited")):
        done(now, DealRound(), "p1", 110)
    now = done(now, PlaceWagers(seat=3, stakes=()), "p3")
    now = done(now, DealRound(), "p1", 110)
    assert now.round_seats == (1, 6)
    assert [seat["playing"] for seat in build_view(now, 3)["seats"]] == [True, False, False, False, False, True]


def test_multi_super_goes_on_a_chair_and_is_no_wager_where_no_hand_is_dealt() -> None:
    now = seated(LUNAR, 1, 3, 6)
    three = (*lowest_wagers(now, 1).stakes, BetStake(bet="multi-super", cents=500, on=6))
    now = done(now, PlaceWagers(seat=1, stakes=(*three, BetStake(bet="multi-super", cents=700, on=3))), "p1")
    with pytest.raises(WagerError, check=refusal("empty-seat", wager="Multi Super", seat=5)):
        done(now, PlaceWagers(seat=1, stakes=(*three, BetStake(bet="multi-super", cents=500, on=5))), "p1")
    now = done(now, PlaceWagers(seat=3, stakes=()), "p3")
    now = done(done(now, lowest_wagers(now, 6), "p6"), DealRound(), "p1")
    lies = [(each["bet"], each["on"], each["cents"]) for each in build_view(now, 1)["seats"][0]["circles"]]
    assert ("multi-super", 6, 500) in lies
    assert all(on != 3 for _, on, _ in lies)
    assert now.sum_staked_cents(1) == 1_500


# Time.


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("six-card", ["fold"]),
        ("lunar", ["fold"]),
        ("wild-52", ["fold"]),
        ("shifting-wilds", ["check", "fold"]),
        ("wild-six-card", ["discard"]),
    ],
)
def test_who_lets_time_run_out_is_decided_for_as_the_ruling_says(game: str, wanted: list[str]) -> None:
    now = dealt(TableTerms(game=game, decide_seconds=20), 2, bits=seeded_bits(4))
    at = 100
    while now.turn is not None:
        assert build_view(now, 2)["deadline"] == at + 20
        assert choose_timeout_command(now, at + 19) is None
        command = choose_timeout_command(now, at + 20)
        assert command == CallTime()
        at += 25
        now = done(now, CallTime(), HOUSE, at)
    assert now.round is not None
    assert [event.action for event in now.round.events if isinstance(event, DecisionMade)] == wanted
    for eyes in (2, 1, None):  # everybody sees whose time it was; nobody sees what was given up
        assert build_view(now, eyes)["seats"][1]["late"] == [{"what": "decision", "action": each} for each in wanted]
    now = done(done(now, lowest_wagers(now, 2), "p2", at), DealRound(), at=at)
    assert build_view(now, 2)["seats"][1]["late"] == []  # it is told of a round until the next is dealt


def test_wagers_are_not_waited_for_longer_than_the_terms_say() -> None:
    now = seated(TableTerms(game="six-card", wager_seconds=30), 1, 2)
    now = done(now, PlaceWagers(seat=1, stakes=ANTE), "p1", 100)
    assert build_view(now, 1)["deadline"] == 130
    assert choose_timeout_command(now, 129) is None
    assert choose_timeout_command(now, 130) == DealRound()
    assert not any(each["late"] for each in build_view(now, 2)["seats"])
    assert not done(now, DealRound(), HOUSE, 129).timeouts  # who deals by hand need not wait
    now = done(now, DealRound(), "p1", 130)
    assert now.round_seats == (1,)
    assert [each["late"] for each in build_view(now, 2)["seats"][:2]] == [[], [{"what": "wager", "action": ""}]]
    again = done(done(now, LeaveSeat(seat=2), "p2"), TakeSeat(seat=2, cents=CHIPS, name="q"), "q")
    assert not build_view(again, 2)["seats"][1]["late"]  # it was somebody else's


def test_a_seed_that_is_not_shown_in_time_is_told_beside_a_wager_that_was_not_placed() -> None:
    now = seated(TableTerms(game="six-card", fair=True, wager_seconds=30, decide_seconds=20), 1, 2, 3)
    for seat in (1, 3):
        now = done(
            now, PlaceWagers(seat=seat, stakes=ANTE, seed_hash=hash_seed(f"s{seat}", "t1", 1, seat)), f"p{seat}", 100
        )
    now = done(now, DealRound(), HOUSE, 130)
    now = done(now, RevealSeed(seat=3, seed="s3"), "p3", 140)
    assert now.phase is Phase.SEEDS
    assert choose_timeout_command(now, 150) == CallTime()
    now = done(now, CallTime(), HOUSE, 150)
    told = [[late["what"] for late in each["late"]] for each in build_view(now, 1)["seats"][:3]]
    assert told == [["seed"], ["wager"], []]


def test_a_bots_wager_hurries_nobody() -> None:
    now = seated(SIX, 1)
    now = done(now, TakeSeat(seat=2, cents=5_000, bot="practical", standing=ANTE), HOUSE)
    assert build_view(now, 1)["deadline"] is None
    assert choose_timeout_command(now, 10**9) is None


def test_nobody_is_late_where_the_terms_have_no_time() -> None:
    now = dealt(TableTerms(game="six-card", decide_seconds=0), 1)
    assert choose_timeout_command(now, 10**9) is None
    assert build_view(now, 1)["deadline"] is None


# Bots, decks, dealers.


def test_bots_wager_decide_and_buy_again_by_themselves() -> None:
    now = seated(LUNAR, 1)
    standing = (BetStake(bet="main", cents=1_000), BetStake(bet="super", cents=1_000))
    for seat in (2, 3):
        now = done(now, TakeSeat(seat=seat, cents=2_000, bot="practical", standing=standing), HOUSE)
    assert all(now.seats[seat].chips_cents >= 20_000 for seat in (2, 3))
    backs = []
    for number in range(1, 4):
        now = done(done(now, lowest_wagers(now, 1), "p1"), DealRound(), "p1", bits=seeded_bits(number))
        backs.append(now.deck_back)
        while now.turn is not None:
            assert now.turn == 1
            now = done(now, some_decision(now, seeded_bits(number)), "p1")
    assert now.snapshot.number == 4
    assert len(set(backs)) == 2
    assert backs[0] == backs[2]


def test_where_a_person_deals_a_round_is_settled_on_command() -> None:
    now = done(dealt(TableTerms(game="six-card", dealer=True), 1), TakeAction(seat=1, action="fold"), "p1")
    assert (now.phase, build_view(now, 1)["next"]["step"]) == (Phase.SETTLE, "settle")
    events = handle_command(now, SettleRound(), "p1", 0)
    assert isinstance(events[0], RoundSettled)
    assert replay_events(events, now).seats[1].chips_cents == CHIPS - 500


def test_the_meter_goes_on_from_round_to_round_and_takes_every_wager() -> None:
    now = dealt(SIX, 1, bets=("progressive",))
    assert build_view(now, 1)["meter_cents"] == 1_000_014
    now = done(now, TakeAction(seat=1, action="fold"), "p1")
    now = done(done(now, lowest_wagers(now, 1, ("progressive",)), "p1"), DealRound(), "p1")
    assert build_view(now, 1)["meter_cents"] == 1_000_028


@given(st.integers(1, 6))
@settings(max_examples=6)
def test_a_new_holder_of_a_chair_does_not_have_the_hand_of_the_one_before(seat: int) -> None:
    now = done(dealt(SIX, seat), TakeAction(seat=seat, action="fold"), f"p{seat}")
    now = done(done(now, LeaveSeat(seat=seat), f"p{seat}"), TakeSeat(seat=seat, cents=1, name="Eve"), "eve")
    assert build_view(now, seat)["seats"][seat - 1]["cards"] == []
    assert not build_view(now, seat)["seats"][seat - 1]["playing"]


# Who walked off.

AT_LEISURE = TableTerms(game="six-card", wager_seconds=0, decide_seconds=0)


def test_a_chair_may_be_given_up_for_who_has_kept_others_waiting_two_minutes() -> None:
    now = seated(AT_LEISURE, 2, 5)
    assert "place your own wagers first" in explain_refusal(now, LeaveSeat(seat=2), "p5", 1_000)
    now = done(now, PlaceWagers(seat=2, stakes=ANTE), "p2", 100)
    assert "seat 5 may still return: go on without it in 1 s" in explain_refusal(now, LeaveSeat(seat=5), "p2", 219)
    assert "seat 5 belongs to another player" in explain_refusal(now, LeaveSeat(seat=5), "eve", 220)
    assert "belongs to another player" in explain_refusal(now, LeaveSeat(seat=2), "p5", 220)  # nobody waits for seat 2
    now = done(now, LeaveSeat(seat=5), "p2", 220)
    assert set(now.seats) == {2}
    assert now.snapshot.changed_cents == CHIPS
    assert not explain_refusal(now, DealRound(), "p2", 220)


def test_time_may_be_called_on_who_has_kept_others_waiting_two_minutes() -> None:
    now = dealt(AT_LEISURE, 2, 5)
    assert now.turn == 2
    assert "seat 2 may still return" in explain_refusal(now, CallTime(), "p5", 219)
    assert "only the house calls time" in explain_refusal(now, CallTime(), "eve", 220)
    now = done(now, CallTime(), "p5", 220)
    assert now.turn == 5
    assert [(each.seat, each.action) for each in now.timeouts] == [(2, "fold")]
    assert "only the house calls time" in explain_refusal(
        dealt(SIX, 2, 5), CallTime(), "p5", 10_000
    )  # where a clock runs


def test_all_wagers_that_cannot_stand_are_named() -> None:
    wagers = PlaceWagers(seat=2, stakes=(BetStake(bet="main", cents=499), BetStake(bet="bad-beat", cents=1)))
    assert re.search("Ante of .*; Bad Beat of ", explain_refusal(seated(SIX, 2), wagers, "p2", 100))
