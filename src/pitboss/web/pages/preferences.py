"""A guest's display preferences.

They are light or dark, two or four colours, slow or fast, when the coach speaks, whether letters press buttons, and
whether cards, chips and wins are heard.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Response

from pitboss.web.auth.guests import PREFERENCES, set_preferences_cookie
from pitboss.web.pages.page_call import PlayCall, SentFields

router = APIRouter(include_in_schema=False)


@router.post("/look")
def save_preferences(
    call: PlayCall,
    sent: SentFields,
    back: Annotated[str, Form(pattern=r"^/([a-z0-9-][a-z0-9/-]*)?$")] = "/",  # "//host" is another site's
) -> Response:
    """Save the guest's display preferences; one that is not valid stays."""
    chosen = {name: sent[name] for name, values in PREFERENCES.items() if sent.get(name) in values}
    response = call.show_again(back)
    set_preferences_cookie(call.request, response, call.guest.preferences | chosen)
    return response
