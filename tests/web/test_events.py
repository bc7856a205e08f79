"""Live events: the display for anybody, a round for its table, resumed without a gap, one watcher for all."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from pitboss.jackpot.commands import OpenRound
from pitboss.jackpot.controller import Controller
from pitboss.jackpot.events import AwardPaid
from pitboss.jackpot.roles import Actor, Role
from pitboss.jackpot.state import ProgressiveState
from pitboss.ledger.store import Store
from pitboss.web.ledger_events import StreamEvent, find_event_tables
from pitboss.web.server.stream_slots import MAX_STREAMS, StreamKind, StreamSlots
from waiting import wait_until
from web.served import Served, said

WAGERS = {"wagers": [{"seat": 1, "cents": 100}]}


@contextmanager
def listening(served: Served, path: str, name: str = "", last: int | None = None) -> Iterator[Iterator[StreamEvent]]:
    """Listen to a stream."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    if name:
        headers["Authorization"] = f"Bearer {served.session(name)}"
    with served.client.stream("GET", f"/api{path}", headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield told(answer.iter_lines())


def told(lines: Iterator[str]) -> Iterator[StreamEvent]:
    """Yield the events that lines tell."""
    fields: dict[str, str] = {}
    waited = 0
    for line in lines:
        name, _, value = line.partition(": ")
        waited += line == ": alive"
        assert waited < 400, "nothing came for a long time"
        if name:
            fields[name] = value
        elif fields.get("event"):
            yield StreamEvent(int(fields["id"]), fields["event"], fields["data"])
            fields = {}


def shown(news: StreamEvent) -> int:
    """Return the cents that a display is told."""
    assert news.kind == "display"
    cents: int = json.loads(news.data)["display_cents"]
    return cents


def test_a_display_shows_the_meter_and_follows_it(served: Served) -> None:
    with listening(served, "/display/events") as events:
        assert shown(next(events)) == 1_000_000
        served.do("/tables/1/rounds/1/open", "dora", WAGERS)
        news = next(events)
        assert (shown(news), news.entry) == (1_000_014, served.controller.state.entries)
        served.do("/tables/1/rounds/1/hits", "dora", {"seat": 1, "hand": "flush"})  # nothing that is shown
        served.do("/tables/1/rounds/1/hits", "dora", {"seat": 1, "hand": "flush"})
        served.do("/tables/1/rounds/1/close", "dora")
        news = next(events)
        assert json.loads(news.data)["rounds"] == {"1": {"round": 1, "open": False}}


def test_a_display_that_comes_back_is_told_what_stands_now_unless_it_knows(served: Served) -> None:
    seen = served.controller.state.entries
    with listening(served, "/display/events?seconds=0", last=seen) as events:
        assert list(events) == []
    with listening(served, "/display/events?seconds=0", last=seen - 1) as events:
        assert [shown(news) for news in events] == [1_000_000]


def test_a_round_goes_on_after_the_last_event_that_was_seen(served: Served) -> None:
    with listening(served, "/tables/1/events", "dora") as events:
        first = next(events)
        assert (first.kind, json.loads(first.data)["round"]) == ("table", 0)
        served.do("/tables/1/rounds/1/open", "dora", WAGERS)
        opened = next(events)
        assert (opened.kind, opened.entry) == ("opened", first.entry + 1)
    served.do("/tables/2/rounds/1/open", "dora", WAGERS)  # another table's
    served.do("/tables/1/rounds/1/hits", "dora", {"seat": 1, "hand": "flush"})
    served.do("/awards/1/confirm", "dora", proof="sue")
    served.do("/awards/1/pay", "dora")
    with listening(served, "/tables/1/events", "dora", last=opened.entry) as events:
        assert [next(events).kind for _ in range(3)] == ["entered", "confirmed", "paid"]
        served.do("/tables/1/rounds/1/close", "dora")
        assert next(events).kind == "ended"


def test_what_another_process_does_is_seen(served: Served) -> None:
    store = Store(served.url)
    with listening(served, "/display/events") as events:
        next(events)
        coin_in = OpenRound(table=1, round=1, wagers=())
        Controller(store, served.signer).execute(coin_in, Actor("dora", Role.DEALER), "elsewhere")
        assert json.loads(next(events).data)["rounds"] == {"1": {"round": 1, "open": True}}
    store.close()


@pytest.mark.more
def test_a_stream_ends_with_its_session_and_does_not_keep_it_alive(served: Served) -> None:
    with listening(served, "/tables/1/events", "dora") as events:
        next(events)
        served.ask("DELETE", "/session", "dora")
        assert list(events) == []
    served.sessions.clear()
    with listening(served, "/tables/1/events", "dora") as events:
        next(events)
        served.seconds += 15 * 60 + 1
        assert list(events) == []


def test_many_listen_and_one_looks(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = served.house.watcher
    with ExitStack() as stack:
        streams = [stack.enter_context(listening(served, "/display/events")) for _ in range(5)]
        assert [shown(next(events)) for events in streams] == [1_000_000] * 5
        looked: list[int] = []
        look, began = Controller.refresh, monotonic()

        def counted(controller: Controller) -> ProgressiveState:
            looked.append(1)
            return look(controller)

        monkeypatch.setattr(Controller, "refresh", counted)
        coin_in = OpenRound(table=1, round=1, wagers=())
        served.controller.execute(coin_in, Actor("dora", Role.DEALER), "press-0001")
        for events in streams:
            next(events)
        assert watch.listeners == 5
        sleep(0.5)
        assert len(looked) <= (monotonic() - began) / 0.02 + 2  # one look each 20 ms, not five
    wait_until(lambda: watch.listeners == 0 and not watch.is_polling)


def test_more_listeners_than_are_served_are_turned_away_and_staff_have_places_of_their_own(served: Served) -> None:
    served.app.state.slots = StreamSlots({**MAX_STREAMS, StreamKind.DISPLAYS: 1})
    with listening(served, "/display/events") as events:
        next(events)
        assert said(served.ask("GET", "/display/events")) == (429, "1 streams are open: close one")
        assert served.ask("GET", "/tables/1/events?seconds=0", "dora").status_code == 200
    wait_until(lambda: not served.app.state.slots.count(StreamKind.DISPLAYS))
    assert served.ask("GET", "/display/events?seconds=0").status_code == 200


def test_a_ledger_that_does_not_answer_closes_the_display(served: Served, tmp_path: Path) -> None:
    with listening(served, "/display/events") as events:
        next(events)
        (tmp_path / "ledger.db").rename(tmp_path / "elsewhere.db")
        (tmp_path / "ledger.db").mkdir()
        served.store.engine.dispose()
        closed = next(events)
        assert closed.kind == "closed"
        assert json.loads(closed.data)["detail"].startswith("the ledger does not answer, so the tables are closed")
        assert list(events) == []


def test_what_happened_is_at_hand_for_all_and_older_things_are_read(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.web.ledger_events.MAX_RECENT", 2)
    watch = served.house.watcher
    served.session("dora")
    begin = served.controller.refresh().entries
    with listening(served, "/tables/1/events", "dora", last=begin) as events:
        for number in (1, 2, 3):
            served.do(f"/tables/1/rounds/{number}/open", "dora", WAGERS)
            served.do(f"/tables/1/rounds/{number}/close", "dora")
            assert [next(events).kind for _ in range(2)] == ["opened", "ended"]
        state = served.controller.state
        wait_until(
            lambda: watch.is_polling and next(iter(watch.get_events_since(begin + 5, state))).event.entry == begin + 6
        )
        for after in range(begin, begin + 6):
            found = [each.event.entry for each in watch.get_events_since(after, state)]
            assert found == list(range(after + 1, begin + 7))
        assert list(watch.get_events_since(begin + 6, state)) == []


def test_a_last_event_that_is_none_is_refused(served: Served) -> None:
    answer = served.ask("GET", "/display/events", headers={"Last-Event-ID": "x"})
    assert said(answer)[0] == 422


def test_an_award_that_there_never_was_was_at_no_table() -> None:
    paid = AwardPaid(by="dora", award=1, cents=5)
    assert find_event_tables(paid, ProgressiveState(), lambda _award: None) == frozenset()
