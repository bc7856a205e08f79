"""The guide to somebody's first rounds of a game."""

import re
from typing import Annotated, NamedTuple, Self

from fastapi import APIRouter, Form, Response

from pitboss.contract import Game
from pitboss.games import load_game
from pitboss.table.session import Phase, TableSession
from pitboss.web.auth.guests import Guest, set_guided_cookie
from pitboss.web.pages.house_rules import HouseRules
from pitboss.web.pages.page_call import PageCall, PlayCall
from pitboss.web.pages.table_layout import load_layout

router = APIRouter(include_in_schema=False)

_PAYS_TEXT = "Touch the underlined limits below a circle for its pays. Then press Place and deal."
_RESULT_TEXT = "That was one round: the lines above say what each bet won or lost, and why."
_MORE_TEXT = "Any other decision of this game is explained when you first meet it."
_SKIPPED = ""
_STATE = re.compile(r"((?:[a-z0-9-]+:[0-9]+)?):([0-9a-f]{1,16}):([0-9a-f]{1,16})")


class GuideProgress(NamedTuple):
    """What a guide has explained.

    Bit i is the game's decision i, and the bit after the decisions is the result of a round.  ``now`` was first met in
    the round of this name, whose pages go on explaining it, and ``before`` in earlier ones.
    """

    round: str = ""
    before: int = 0
    now: int = 0

    @classmethod
    def parse(cls, state: str) -> Self | None:
        """Parse what a guest's cookie has; None if the guide is over.

        >>> GuideProgress.parse(GuideProgress("wild-52-1:7", 1, 4).state)
        GuideProgress(round='wild-52-1:7', before=1, now=4)
        """
        found = _STATE.fullmatch(state)
        return cls(found[1], int(found[2], 16), int(found[3], 16)) if found else None

    @property
    def state(self) -> str:
        """What a guest's cookie keeps of it."""
        return f"{self.round}:{self.before:x}:{self.now:x}"

    def meet(self, kind: int, round_: str) -> "GuideProgress":
        """Explain a kind in a round, unless it was explained before."""
        if self.has_met(kind):
            return self
        before, now = (self.before, self.now) if round_ == self.round else (self.before | self.now, 0)
        return GuideProgress(round_, before, now | 1 << kind)

    def has_met(self, kind: int) -> bool:
        """Whether a kind was explained, in this round or before."""
        return bool((self.before | self.now) >> kind & 1)

    def explains(self, kind: int, round_: str) -> bool:
        """Whether the pages of a round explain a kind: it was first met there."""
        return round_ == self.round and bool(self.now >> kind & 1)

    def close(self) -> "GuideProgress":
        """Return it with all that was explained so far as read."""
        return GuideProgress(self.round, self.before | self.now)


class Guide(NamedTuple):
    """What a newcomer in a seat should know now, "" if nothing.

    ``game`` is "" where there is no guide at all.  ``is_result`` says that the text is on the result of a round,
    ``can_repeat`` that the guide can be asked for again.  ``state`` is what is to be remembered of it.
    """

    game: str = ""
    text: str = ""
    is_result: bool = False
    can_repeat: bool = False
    state: str | None = None


def find_guide(session: TableSession, seat: int | None, guest: Guest) -> Guide:
    """Find the guide for a seat.

    It explains the circles until the guest has finished a round of the game, then the result of that round, and each
    kind of decision in the round in which the guest first meets it.  A table with rules of its own has no guide,
    because the words are about the rule sheet's.
    """
    game = load_game(session.terms.game)
    words = load_layout(game).guide
    if seat is None or not words.wagers or HouseRules(session.terms).changes:
        return Guide()
    stored = guest.guided_games.get(game.id)
    progress = GuideProgress() if stored is None else GuideProgress.parse(stored)
    if progress is None:
        return Guide(game.id, can_repeat=True, state=stored)
    text, result, last_round = "", len(game.decisions), _name_round(session, -1)
    is_betting = session.phase is Phase.WAGERS and session.seats[seat].stakes is None
    has_finished = session.phase is Phase.WAGERS and guest.holder in session.round_holders
    if session.turn == seat and session.round is not None and session.round.turn is not None:
        kind, now = session.round.turn[1], _name_round(session, 0)
        progress = progress.meet(kind, now)
        text = words.decisions.get(game.decisions[kind].id, "") if progress.explains(kind, now) else ""
    elif has_finished and progress != GuideProgress(last_round):  # it did not begin again after that round
        progress = progress.meet(result, last_round)
        if is_betting and progress.explains(result, last_round):
            return Guide(game.id, _describe_result(game, progress), is_result=True, state=progress.state)
    elif is_betting and not progress.has_met(result):
        text = f"{words.wagers} {_PAYS_TEXT}"
    state = stored if progress == GuideProgress() else progress.state
    return Guide(game.id, text, can_repeat=progress.has_met(result), state=state)


def _describe_result(game: Game, progress: GuideProgress) -> str:
    has_met_all = all(map(progress.has_met, range(len(game.decisions))))
    return _RESULT_TEXT if has_met_all else f"{_RESULT_TEXT} {_MORE_TEXT}"


def remember_guide(call: PageCall, response: Response, guide: Guide) -> None:
    """Keep in the guest's cookie what a guide has explained."""
    if guide.state is not None and call.guest.guided_games.get(guide.game) != guide.state:
        _keep_state(call, response, guide.game, guide.state)


def _keep_state(call: PageCall, response: Response, game: str, state: str) -> None:
    others = {name: each for name, each in call.guest.guided_games.items() if name != game}
    set_guided_cookie(call.request, response, others | {game: state})


def _name_round(session: TableSession, change: int) -> str:
    """Name the present or next round of a table, or one ``change`` rounds later."""
    return f"{session.snapshot.table}:{session.snapshot.number + change}"


@router.post("/guide")
def change_guide(
    call: PlayCall,
    game: Annotated[str, Form(max_length=32)],
    back: Annotated[str, Form(pattern=r"^/tables/[a-z0-9-]{1,32}$")],
    again: Annotated[str, Form(pattern="^(on)?$")] = "",
    read: Annotated[str, Form(pattern="^(on)?$")] = "",
) -> Response:
    """End a guest's guide to a game.

    With ``again`` it begins from the start instead, and with ``read`` it goes on, without what it has explained so far.
    """
    game_id, state = load_game(game).id, _SKIPPED
    if again:
        state = GuideProgress(_name_round(call.registry.get_session(back.rpartition("/")[2]), -1)).state
    elif read and (progress := GuideProgress.parse(call.guest.guided_games.get(game_id, ""))):
        state = progress.close().state
    response = call.show_again(f"{back}#guide" if again else back)
    _keep_state(call, response, game_id, state)
    return response
