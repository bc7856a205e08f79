"""How the documentation is built: Markdown, doctested."""

import re
from typing import Any

from pitboss.core.version import __version__
from pitboss.games import load_games

project = "pitboss"
author = "pitboss contributors"
release = version = __version__

extensions = ["myst_nb", "sphinx.ext.doctest"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist"]  # no page has formulas that a script from elsewhere would draw
myst_heading_anchors = 3

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600

doctest_test_doctest_blocks = "default"

html_theme = "furo"
html_title = f"pitboss {release}"
html_show_copyright = False


def papers() -> str:
    """Return the papers of every game there is, one below the other, their headings a level lower."""
    texts = [(game.folder / "README.md").read_text(encoding="utf-8") for game in load_games().values()]
    return "\n\n".join(re.sub(r"^#", "##", text, flags=re.MULTILINE) for text in texts)


def _with_papers(_app: Any, page: str, source: list[str]) -> None:
    """Put the papers of the games on their page: a new game's folder brings its own."""
    if page == "games":
        source[0] += papers()


def setup(app: Any) -> None:
    """Hook into Sphinx."""
    app.connect("source-read", _with_papers)
