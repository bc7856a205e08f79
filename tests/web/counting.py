"""Every page of a served house is loaded and every game played, and what is counted for them is waited for."""

from collections.abc import Iterator
from pathlib import Path
from time import sleep
from urllib.parse import urlencode

import httpx
import pytest

from pitboss.cards import format_card
from pitboss.games import load_game, load_games
from pitboss.paytables import load_builtin_paytables
from pitboss.reports.report import GameReport
from pitboss.table.session import TableSession
from pitboss.web.auth.guests import BEFORE
from pitboss.web.jobs.page_jobs import build_report_job, build_sheet_job
from pitboss.web.jobs.queue import JobQueue
from pitboss.web.pages.house_rules import list_paytable_kinds
from pitboss.web.pages.sheet_choices import list_sheet_wagers
from pitboss.web.pages.table_setup import find_priced_wager
from pitboss.web.registry import compute_minimum_stakes
from reports.conftest import made
from web.served import Served, cheaply, choose_coach, copied, serving
from web.visits import Visit, visiting


def visit_all(patch: pytest.MonkeyPatch, folder: str, counting: list[str], *, solve: bool) -> dict[str, list[str]]:
    """Play all games and load all pages; return which games were played, and of which what was counted.

    Unless they ``solve``, what would take a solver minutes is known beforehand.
    """
    cheaply(patch)
    seen: dict[str, list[str]] = {
        name: [] for name in ("played", "coached", "studied", "priced", "edged", "filed", "failed")
    }
    seen["offered"] = list(load_games())
    with serving(*copied(Path(folder)), patch, floor=True) as served:
        assert served.floor
        try:
            visit = visiting(served)
            visit.web.timeout = httpx.Timeout(3_600)
            seen["failed"] += [path for path, answer in visit.pages() if answer.status_code >= 500]
            left = {"csrf": visit.csrf, "key": "leave-the-visit"}  # or *Play* leads back to that seat
            assert visit.web.post(f"/tables/{visit.table}/leave", data=left).status_code == 303
            for game in () if solve else counting:
                know(served.floor.jobs, made(game))
            for game in seen["offered"]:
                _look_at(visit, served, game, seen, counted=game in counting)
            visit.web.close()
        finally:
            served.floor.jobs.close()
    return seen


def know(jobs: JobQueue, report: GameReport) -> None:
    """Have a game's report and the sheet of its main known without counting."""
    assert report.main_sheet
    jobs.store_result(build_report_job(report.game, report.terms), report)
    jobs.store_result(build_sheet_job(report.game, report.main_sheet.wager, report.terms), report.main_sheet)


def _look_at(visit: Visit, served: Served, game: str, seen: dict[str, list[str]], *, counted: bool) -> None:
    floor, web = served.floor, visit.web
    assert floor
    choose_coach(web, BEFORE)
    table = web.post("/tables", data={"csrf": visit.csrf, "game": game, "bots": "2"}).headers["location"]
    now = floor.get_session(table.rpartition("/")[2])
    stakes = {f"stake-{each.bet}": str(each.cents // 100) for each in compute_minimum_stakes(now)}
    form = {"csrf": visit.csrf, "round": "1", **stakes, "do": "deal"}
    assert web.post(f"{table}/wager", data={**form, "key": f"wager-{game}"}).status_code == 303
    while (now := floor.get_session(table.rpartition("/")[2])).turn:
        if counted:
            assert 'class="number">best' in known(web, f"{table}/coach").text
        action, cards = _first_action(now)
        said = {"csrf": visit.csrf, "round": "1", "action": action, "cards": cards}
        assert web.post(f"{table}/decide", data={**said, "key": f"{game}-{now.snapshot.sequence}"}).status_code == 303
        floor.run_automation(now.snapshot.table)
    seen["played"].append(game)
    pages = f"/open/{game}", f"/rules/{game}", f"/par?game={game}", f"/design?game={game}"
    seen["failed"] += [page for page in pages if web.get(page).status_code != 200]
    if not counted:
        return
    seen["coached"].append(game)
    while "decisions valued" in (page := web.get(f"{table}/leaks/known").text):
        sleep(0.1)
    seen["studied"] += [game] if ">Mistakes<" in page else []
    edges = [kind.id for kind in list_paytable_kinds(load_game(game)) if find_priced_wager(load_game(game), kind)]
    if all("%" in known(web, f"/open/{game}/edges?kind={kind}").text for kind in edges):
        seen["edged"].append(game)
    if all("House edge" in known(web, address).text for address in _sheets(game)):
        seen["priced"].append(game)
    if web.get(f"/par/{game}.pdf").content.startswith(b"%PDF"):
        seen["filed"].append(game)


def _sheets(game: str) -> Iterator[str]:
    """Yield the address of every bet's sheet, as it is and with a pay edited."""
    for wager in list_sheet_wagers(load_game(game)):
        yield f"/par/sheet?{urlencode({'game': game, 'bet': wager.id})}"
        table = next(
            (each for each in load_builtin_paytables(load_game(game)) if each.kind in wager.paytable_kinds[:1]), None
        )
        if table:
            line, pay = next(iter(table.lines.items()))
            edited = {f"pay-{line}": str(int(pay.amount) - 1)}
            yield f"/par/sheet?{urlencode({'game': game, 'bet': wager.id, **edited})}"


def _first_action(now: TableSession) -> tuple[str, list[str]]:
    """Return some legal action of the seat whose turn it is, the last there is, and cards to give up."""
    assert now.round is not None
    assert now.turn is not None
    action = now.round.list_legal_actions()[-1]
    own, deck = now.round.get_view(now.round_seats.index(now.turn))[0], now.round.game.deck
    return action.id, [format_card(card, deck) for card in deck.cards if own >> card & 1][: action.discards]


def known(web: httpx.Client, address: str) -> httpx.Response:
    """Return an answer, asked for again until it is known."""
    while (answer := web.get(address)).status_code == 202:
        sleep(0.1)
    return answer
