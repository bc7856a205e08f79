"""Downloads of a provably fair round.

They are the receipt of the guest's own seat, and the house's public key.
"""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from pitboss.core.errors import IllegalActionError
from pitboss.table.fair_shuffle import VERSION
from pitboss.table.receipts import format_receipt
from pitboss.web.auth.guests import ViewingGuest
from pitboss.web.errors import NotFoundError
from pitboss.web.pages.guest_seat import TableName
from pitboss.web.pages.page_call import PageCall, ViewCall, make_download
from pitboss.web.pages.seen_round import RoundNumber
from pitboss.web.registry import RegistryDep

router = APIRouter(include_in_schema=False)


@router.get("/fair/key")
def read_house_key(registry: RegistryDep, _guest: ViewingGuest) -> JSONResponse:
    """Return the public key with which the house signs receipts."""
    return JSONResponse({"version": VERSION, "algorithm": "Ed25519", "key": registry.tables.house_key.public})


@router.get("/tables/{table}/receipt")
def download_receipt(call: ViewCall, table: TableName) -> Response:
    """Return the receipt of the guest's own seat.

    It is the one for the current round, or else for the last.
    """
    return _render_receipt(call, table)


@router.get("/tables/{table}/rounds/{number}/receipt")
def download_past_receipt(call: ViewCall, table: TableName, number: RoundNumber) -> Response:
    """Return the receipt of the guest's own seat in a settled or void round."""
    return _render_receipt(call, table, number)


def _render_receipt(call: PageCall, table: str, number: int = 0) -> Response:
    call.registry.get_session(table)
    try:
        receipt = call.registry.tables.get_receipt(table, call.guest.holder, number)
    except IllegalActionError as error:
        raise NotFoundError.from_error(error) from None
    return make_download(format_receipt(receipt), f"{table}-{receipt.round}-receipt.json", "application/json")
