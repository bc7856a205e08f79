"""What a guest keeps of a provably fair round: the receipt of one's own seat, and the house's public key."""

from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi.responses import JSONResponse

from pitboss.core.errors import IllegalActionError
from pitboss.table.fair import VERSION
from pitboss.table.receipts import format_receipt
from pitboss.web.floor import Floor, TheFloor
from pitboss.web.guests import Guest, Looking
from pitboss.web.problems import NotThereError
from pitboss.web.tables import Name

router = APIRouter(include_in_schema=False)


@router.get("/fair/key")
def house_key(floor: TheFloor, _guest: Looking) -> JSONResponse:
    """Return the public key with which the house signs receipts."""
    return JSONResponse({"version": VERSION, "algorithm": "Ed25519", "key": floor.tables.house_key.public})


@router.get("/tables/{table}/receipt")
def receipt(table: Name, floor: TheFloor, guest: Looking) -> Response:
    """Return the receipt of one's own seat in the round in play, else in the last."""
    return _receipt(floor, table, guest)


@router.get("/tables/{table}/rounds/{number}/receipt")
def past_receipt(table: Name, number: Annotated[int, Path(ge=1)], floor: TheFloor, guest: Looking) -> Response:
    """Return the receipt of one's own seat in a settled or void round."""
    return _receipt(floor, table, guest, number)


def _receipt(floor: Floor, table: str, guest: Guest, number: int = 0) -> Response:
    floor.sitting(table)
    try:
        found = floor.tables.receipt(table, guest.holder, number)
    except IllegalActionError as error:
        raise NotThereError(str(error)) from None
    name = f"{table}-{found.round}-receipt.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(format_receipt(found), media_type="application/json", headers=headers)
