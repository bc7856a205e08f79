"""The guide to somebody's first hand of a game."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Form, Request, Response

from pitboss.games import load_game
from pitboss.table.session import Phase, TableSession
from pitboss.web.auth.guests import Guest, PlayingGuest, set_guided_cookie
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.render import show_again
from pitboss.web.pages.table_layout import load_layout
from pitboss.web.registry import RegistryDep

router = APIRouter(include_in_schema=False)

_PAYS_TEXT = "Touch the underlined limits below a circle for its pays. Then press Place and deal."
_RESULT_TEXT = "That was one round: the lines above say what each bet won or lost, and why."
_SKIPPED = ""
_ANEW = "+"


class Guide(NamedTuple):
    """What a newcomer in a seat should know now, "" if nothing.

    ``game`` is "" where there is no guide at all.  ``has_ended`` says that it can only be asked for again, ``state`` is
    what is to be remembered of it.
    """

    game: str = ""
    text: str = ""
    has_ended: bool = False
    state: str | None = None


def find_guide(session: TableSession, seat: int | None, guest: Guest) -> Guide:
    """Find the guide for a seat.

    It goes through the guest's first finished round of a game.  A table with rules of its own has no guide, because the
    words are about the rule sheet's.  The state of a guide is the round with which it ended, "" if it was skipped, and
    "+" with a round after which it began anew.
    """
    game = load_game(session.terms.game)
    words = load_layout(game).guide
    if seat is None or not words.wagers or HouseRules(session.terms).changes:
        return Guide()
    state, last_round = guest.guided_games.get(game.id), _name_last_round(session)
    is_running = state is None or state.startswith(_ANEW)
    is_betting = session.phase is Phase.WAGERS and session.seats[seat].stakes is None
    has_finished = session.phase is Phase.WAGERS and guest.holder in session.round_holders
    if has_finished and state != _ANEW + last_round and (is_running or state == last_round):
        return Guide(game.id, _RESULT_TEXT if is_betting else "", has_ended=False, state=last_round)
    if not is_running:
        return Guide(game.id, has_ended=True, state=state)
    text = f"{words.wagers} {_PAYS_TEXT}" if is_betting else ""
    if session.turn == seat and session.round is not None and session.round.turn is not None:
        text = words.decisions.get(game.decisions[session.round.turn[1]].id, "")
    return Guide(game.id, text, state=state)


def remember_guide(request: Request, response: Response, guest: Guest, guide: Guide) -> None:
    """Keep in the guest's cookie that a guide has ended with the round that is shown."""
    if guide.state is not None and guest.guided_games.get(guide.game) != guide.state:
        _keep_state(request, response, guest, guide.game, guide.state)


def _keep_state(request: Request, response: Response, guest: Guest, game: str, state: str) -> None:
    others = {name: each for name, each in guest.guided_games.items() if name != game}
    set_guided_cookie(request, response, others | {game: state})


def _name_last_round(session: TableSession) -> str:
    return f"{session.snapshot.table}:{session.snapshot.number - 1}"


@router.post("/guide")
def change_guide(
    request: Request,
    registry: RegistryDep,
    guest: PlayingGuest,
    game: Annotated[str, Form(max_length=32)],
    back: Annotated[str, Form(pattern=r"^/tables/[a-z0-9-]{1,32}$")],
    again: Annotated[str, Form(pattern="^(on)?$")] = "",
) -> Response:
    """End a guest's guide to a game, or begin it anew with ``again``."""
    game_id, state = load_game(game).id, _SKIPPED
    if again:
        state = _ANEW + _name_last_round(registry.get_session(back.rpartition("/")[2]))
    response = show_again(request, f"{back}#guide" if again else back)
    _keep_state(request, response, guest, game_id, state)
    return response
