"""The OpenAPI document of the API, with the refusals of every operation."""

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.openapi.utils import get_openapi

from pitboss.web.api_router import make_api_router
from pitboss.web.auth.sessions import Caller, PublicGuard
from pitboss.web.problems import MEDIA_TYPE, ProblemDetails

API_DESCRIPTION = """\
The controller of a progressive: the commands of `pitboss jackpot`, decided and recorded by the same ledger.

Money is whole cents; meters are units of 1/10,000 cent. Every command carries an `Idempotency-Key`: sent again with
the same key, it runs once and gets the first answer, even a refusal. A refusal is `application/problem+json` with one
line that says what is wrong and what would be right."""

OPENAPI_TAGS = [
    {"name": "display", "description": "The public meter, a table for its consoles, and their live events."},
    {"name": "sessions", "description": "Choose a password, log in, log out."},
    {"name": "rounds", "description": "A round from COIN IN, START GAME to GAME OVER, END GAME."},
    {"name": "changes", "description": "Changes that take two people: adjustments, settings, incidents."},
    {"name": "staff", "description": "Staff and their roles."},
    {"name": "operations", "description": "Whether the server is live and ready; its metrics."},
    {"name": "books", "description": "Reports: meters, checks, exports, the day."},
]

_ERROR_TEXTS = {
    "400": "The request cannot be read.",
    "401": "The request has no valid session or credentials.",
    "403": "The role does not allow it, the same person did the other half of it, or another site's page sent it.",
    "404": "Nothing has that name.",
    "409": "The procedure, the settings or later events do not allow it.",
    "413": "The body is too large.",
    "422": "The request is not in the required format.",
    "429": "Too many requests or attempts: wait as long as `Retry-After` says.",
    "503": "The ledger does not answer or fails its checks: the tables are closed.",
}

openapi_router = make_api_router("display", "")


@openapi_router.get("/openapi.json")
def openapi(request: Request, _caller: Annotated[Caller, Depends(PublicGuard("read-display"))]) -> dict[str, Any]:
    """Return the OpenAPI document of this API."""
    document: dict[str, Any] = request.app.openapi()
    return document


def build_openapi(app: Any) -> dict[str, Any]:
    """Build the OpenAPI document of an application, with its refusals."""
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, tags=app.openapi_tags, routes=app.routes
    )
    schemas = document["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = ProblemDetails.model_json_schema()
    for operations in document["paths"].values():
        for method, operation in operations.items():
            for status in _list_error_statuses(method, operation):
                operation["responses"][status] = _describe_error(status)
    return document


def _list_error_statuses(method: str, operation: dict[str, Any]) -> list[str]:
    """Return the statuses of an operation's refusals."""
    statuses = {"422", "429", "503"}
    if operation.get("security"):
        statuses |= {"401", "403"}
    if method != "get":
        statuses |= {"400", "401", "403", "409", "413"}
    parameters = operation.get("parameters", ())
    if any(each["in"] == "path" for each in parameters):
        statuses |= {"404"}
    if any(_is_day(each["schema"]) for each in parameters):
        statuses |= {"409"}  # a day that has not begun, or days that are not in order
    return sorted(statuses)


def _is_day(schema: dict[str, Any]) -> bool:
    """Tell whether a parameter takes a day."""
    return any(each.get("format") == "date" for each in (schema, *schema.get("anyOf", ())))


def _describe_error(status: str) -> dict[str, Any]:
    headers = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    return {
        "description": _ERROR_TEXTS[status],
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        **({"headers": headers} if status == "429" else {}),
    }
