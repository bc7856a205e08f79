"""A guest of a served house, who loads every page."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import httpx
from fastapi.routing import APIRoute

from clients import open_client
from web.examples import routes
from web.served import Served

LEADING = {"/tables/{table}/rounds/{number}/try/{decision}", "/puzzles/next"}
"""The pages that lead to another one: they have no text, and no kind of text."""


class Visit(NamedTuple):
    """A guest of a served house: who sits at a table with a round played, and has begun a drill."""

    served: Served
    web: httpx.Client
    csrf: str
    table: str
    drill: str
    exam: str
    group: str

    def address(self, path: str) -> str:
        """Return a route's path with examples of what it asks for."""
        examples = {
            "/tables/{table}": f"/tables/{self.table}",
            "{number}": "1",
            "/par/sheet": "/par/sheet?game=none",  # refused at once: nothing is counted for its headers
            "/par/exact": "/par/exact?game=none",
            "/design/tables": "/design/tables?game=six-card&bet=aces-up",  # without an edge nothing is searched
            "/design/table.toml": "/design/table.toml?game=six-card&bet=aces-up",
            "/par/{name}.{kind}": "/par/none.csv",
            "/charts": "/charts?game=none",  # nothing is drawn for its headers
            "/charts/picture": "/charts/picture?game=none",
            "/charts/{name}.{form}": "/charts/none.csv?game=none",
            "/protect/leaks": "/protect/leaks?game=none",
            "/study": "/study?game=none",  # nothing is valued for its headers
            "/study/values": "/study/values?game=none",
            "/study/hint.json": "/study/hint.json?game=none",
            "/study/position.svg": "/study/position.svg?game=none",
            "/study/try": "/study/try?game=none",
            "/study/why": "/study/why?game=none",
            "/puzzles/next": "/puzzles/next?source=due",
            "/puzzles/solve": "/puzzles/solve?source=due&game=none",
            "/open/{game}/edges": "/open/none/edges?kind=none",
            "{game}": "six-card",
            "{kind}": "csv",
            "{bet}": "main",
            "{decision}": "fold-or-play",
            "{form}": "csv",
            "{joined}": "0",
            "{word}": "push",
            "/training/classes/{group}": f"/training/classes/{self.group}",
            "/training/classes/{group}/standard/remove": f"/training/classes/{self.group}/standard/remove",
            "/training/classes/{group}/standard": f"/training/classes/{self.group}/standard",
            "/training/classes/{group}/exams/{game}": f"/training/classes/{self.group}/exams/six-card",
            "/training/classes/{group}/tables/{game}": f"/training/classes/{self.group}/tables/six-card",
            "/training/classes/{group}/tables/{game}/remove": f"/training/classes/{self.group}/tables/lunar/remove",
            "/training/classes/{group}/trainees/{joined}/remove": f"/training/classes/{self.group}/trainees/0/remove",
            "/training/classes/{group}/results.csv": f"/training/classes/{self.group}/results.csv",
            "/training/classes/{group}/errors": f"/training/classes/{self.group}/errors",
            "/training/classes/{group}/leave": f"/training/classes/{self.group}/leave",
            "/training/classes/{group}/remove": f"/training/classes/{self.group}/remove",
            "/training/certificates/{name}": f"/training/certificates/{self.exam}",
            "/training/exams/{name}": f"/training/exams/{self.exam}",
            "/training/{name}/next": f"/training/{self.drill}/next",
            "/training/{name}": f"/training/{self.drill}",
            "/static/{name:path}": "/static/pitboss.css",
            "/progressive/console/tables/{table}": "/progressive/console/tables/1",
            "/par/{name}": "/par/none",
            "/{name}": "/none",
            "/{name:path}": "/none",
            "/{table}": "/1",
        }
        if path in examples:
            return examples[path]
        for part, example in examples.items():
            path = path.replace(part, example) if "{" in part else path
        assert "{" not in path, f"give an example of what {path} asks for"
        return path

    def pages(self) -> Iterator[tuple[str, httpx.Response]]:
        """Load every page, part of a page and asset; of a stream its head alone."""
        for method, path in sorted(page_routes(self.served)):
            if method == "GET":
                with self.web.stream("GET", self.address(path), headers={"Accept": "text/html"}) as answer:
                    if path in LEADING or "event-stream" not in answer.headers["content-type"]:
                        answer.read()
                yield path, answer

    def is_whole_page(self, path: str) -> bool:
        """Tell whether a route answers with a page of its own, not a part, a file or a stream."""
        with self.web.stream("GET", self.address(path), headers={"Accept": "text/html"}) as answer:
            is_page = answer.headers.get("content-type", "").startswith("text/html")
            if not is_page or "content-disposition" in answer.headers:
                return False
            return "<html" in answer.read().decode()

    def forms(self) -> list[str]:
        """Return the address of every form."""
        return [self.address(path) for method, path in sorted(page_routes(self.served)) if method == "POST"]


def page_routes(served: Served) -> set[tuple[str, str]]:
    """Return method and path of every route that is no program's."""
    programs = ("/api", "/openapi", "/health", "/metrics")
    return {each for each in routes(served.app) if not each[1].startswith(programs)}


def fields_of(visit: Visit, method: str, path: str) -> tuple[list[str], list[str]]:
    """Return the names of what a page's route takes from its query and from a form."""
    (route,) = (
        each
        for each in visit.served.app.routes
        if isinstance(each, APIRoute) and each.path == path and method in (each.methods or ())
    )
    dependants = [route.dependant]
    for each in dependants:
        dependants.extend(each.dependencies)
    query = [field.alias for each in dependants for field in each.query_params]
    return query, [field.alias for each in dependants for field in each.body_params if field.alias != "csrf"]


def visiting(served: Served) -> Visit:
    """Play a round and begin a drill."""
    web = open_client(served.address)
    csrf = token_of(web.get("/").text)
    table = web.post("/tables", data={"csrf": csrf, "game": "six-card", "bots": "0"}).headers["location"]
    for number, (act, fields) in enumerate(
        {"wager": {"stake-main": "5", "round": "1"}, "decide": {"action": "fold", "round": "1"}}.items()
    ):
        form = {"csrf": csrf, "key": f"visit-{number:04}", **fields}
        assert web.post(f"{table}/{act}", data=form).status_code == 303
    drill = web.post("/training", data={"csrf": csrf, "game": "six-card"}).headers["location"]
    form = {"csrf": csrf, "exam": "on", "start": "on", "name": "Ann", "rounds": "1"}
    exam = web.post("/training/table/six-card", data=form).headers["location"]
    group = web.post("/training/classes", data={"csrf": csrf, "name": "Swing shift"}).headers["location"]
    table_of_class = {"csrf": csrf, "own": group.rpartition("/")[2], "assign": "on"}
    assert web.post("/training/table/six-card", data=table_of_class).headers["location"].startswith(group)
    return Visit(served, web, csrf, *(each.rpartition("/")[2] for each in (table, drill, exam, group)))


def token_of(page: str) -> str:
    """Return the token of a page's forms."""
    found = re.search(r'name="csrf" value="(\w+)"', page)
    assert found
    return found[1]
