"""The guide to somebody's first hand of a game."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from pitboss.games import load_game
from pitboss.table.session import Phase, TableSession
from pitboss.web.auth.guests import SEE_OTHER, Guest, PlayingGuest, set_guided_cookie
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.table_layout import load_layout

router = APIRouter(include_in_schema=False)

_PAYS_TEXT = "Touch the underlined limits below a circle for its pays. Then press Place and deal."
_RESULT_TEXT = "That was one round: the lines below your hand say what each bet won or lost, and why."


def find_guide_text(session: TableSession, seat: int | None, guest: Guest) -> str:
    """Return what a newcomer in a seat should know now.

    Return "" if there is nothing to say, or if the guest needs no guide to the game.  A table with rules of its own has
    no guide, because the words are about the rule sheet's.
    """
    game = load_game(session.terms.game)
    words = load_layout(game).guide
    is_needed = seat is not None and bool(words.wagers) and game.id not in guest.guided_games
    if not is_needed or HouseRules(session.terms).changes:
        return ""
    if session.phase is Phase.WAGERS and seat is not None and session.seats[seat].stakes is None:
        return _RESULT_TEXT if guest.holder in session.round_holders else f"{words.wagers} {_PAYS_TEXT}"
    if session.turn == seat and session.round is not None and session.round.turn is not None:
        return words.decisions.get(game.decisions[session.round.turn[1]].id, "")
    return ""


@router.post("/guide")
def end_guide(
    request: Request,
    guest: PlayingGuest,
    game: Annotated[str, Form(max_length=32)],
    back: Annotated[str, Form(pattern=r"^/tables/[a-z0-9-]{1,32}$")],
) -> Response:
    """Show a guest no guide to a game any more."""
    response = RedirectResponse(back, SEE_OTHER)
    set_guided_cookie(request, response, dict.fromkeys((*guest.guided_games, load_game(game).id)))
    return response
