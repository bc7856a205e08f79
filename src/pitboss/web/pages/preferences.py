"""A guest's display preferences.

They are light or dark, two or four colours, slow or fast, when the coach speaks, whether letters press buttons, and
whether cards, chips and wins are heard.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Response

from pitboss.web.auth.guests import PREFERENCES, set_preferences_cookie
from pitboss.web.pages.page_call import PlayCall

router = APIRouter(include_in_schema=False)


@router.post("/look")
def save_preferences(
    call: PlayCall,
    theme: Annotated[str, Form()] = "",
    deck: Annotated[str, Form()] = "",
    speed: Annotated[str, Form()] = "",
    coach: Annotated[str, Form()] = "",
    keys: Annotated[str, Form()] = "",
    sound: Annotated[str, Form()] = "",
    back: Annotated[str, Form(pattern=r"^/([a-z0-9-][a-z0-9/-]*)?$")] = "/",
) -> Response:
    """Save the guest's display preferences."""
    chosen = {"theme": theme, "deck": deck, "speed": speed, "coach": coach, "keys": keys, "sound": sound}
    response = call.show_again(back)
    set_preferences_cookie(
        call.request,
        response,
        {
            name: chosen[name] if chosen[name] in PREFERENCES[name] else call.guest.preferences[name]
            for name in PREFERENCES
        },
    )
    return response
