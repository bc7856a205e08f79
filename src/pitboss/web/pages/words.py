"""What the words of the games mean: a page with all, and one for a dialog."""

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse

from pitboss.core.errors import quote
from pitboss.web.errors import NotFoundError
from pitboss.web.game_words import load_words
from pitboss.web.pages.page_call import ViewCall

router = APIRouter(include_in_schema=False)

WordName = Annotated[str, Path(max_length=40)]


@router.get("/words")
def show_words(call: ViewCall) -> HTMLResponse:
    """Show every word and what it means."""
    return call.render("words/page.html", words=list(load_words().values()))


@router.get("/words/{word}")
def explain_word(call: ViewCall, word: WordName) -> HTMLResponse:
    """Say what one word means, in the dialog of a table."""
    if word not in load_words():
        raise NotFoundError(f"{quote(word)} is not explained here", code="unknown-word", word=word)
    return call.render("words/word.html", word=load_words()[word])
