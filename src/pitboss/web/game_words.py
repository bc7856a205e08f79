"""The words of the games that pages explain where they stand.

They come from ``words.toml``.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup, escape

from pitboss.builders import capitalize_first


class GameWord(NamedTuple):
    """A word, the forms in which texts have it, and what it means.

    ``circles`` are those of the layouts that it explains.
    """

    name: str
    forms: tuple[str, ...]
    text: str
    circles: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """The last part of its address."""
        return self.name.lower().replace(" ", "-")

    @property
    def sentence(self) -> str:
        """What it means, as a sentence."""
        return self.text.removesuffix(".") + "."


@cache
def load_words() -> dict[str, GameWord]:
    """Load the words, by the last part of their address.

    >>> load_words()["push"].sentence
    'The stake is returned and nothing is won.'
    """
    document = tomllib.loads((files("pitboss.web") / "words.toml").read_text(encoding="utf-8"))
    words = (
        GameWord(name, tuple(each["forms"]), each["text"], tuple(each.get("circles", ())))
        for name, each in document.items()
    )
    return {word.anchor: word for word in words}


def find_circle_word(circle: str) -> GameWord | None:
    """Return the word that explains a circle.

    It is None for one that has the name of its wager.

    >>> find_circle_word("fee").name
    'Draw'
    """
    return next((word for word in load_words().values() if circle in word.circles), None)


@cache
def _list_forms() -> dict[str, GameWord]:
    return {
        form: word for word in load_words().values() for each in word.forms for form in (each, capitalize_first(each))
    }


@cache
def _get_pattern() -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(map(re.escape, sorted(_list_forms(), key=len, reverse=True)))})\b")


def find_words(text: str) -> list[GameWord]:
    """Return the words that occur in a text, each once.

    >>> [word.name for word in find_words("Bonus 10 to 1, Joker 4 to 1; the dealer qualifies")]
    ['to one', 'qualify']
    """
    return list(dict.fromkeys(_list_forms()[match[0]] for match in _get_pattern().finditer(text)))


def link_words(text: str) -> Markup:
    """Return a text as HTML in which words lead to what they mean.

    Each does where it first occurs.

    >>> print(link_words("The dealer does not qualify."))
    The dealer does not <a class="word" href="/words#qualify">qualify</a>.
    """
    linked, parts, end = set[str](), list[Markup](), 0
    for match in _get_pattern().finditer(text):
        anchor = _list_forms()[match[0]].anchor
        if anchor not in linked:
            linked.add(anchor)
            link = Markup('<a class="word" href="/words#{}">{}</a>').format(anchor, match[0])
            parts += [escape(text[end : match.start()]), link]
            end = match.end()
    return Markup().join([*parts, escape(text[end:])])
