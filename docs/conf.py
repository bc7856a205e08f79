"""How the documentation is built: Markdown, doctested."""

import inspect
import re
from typing import Any

import pitboss
from pitboss.core.version import __version__
from pitboss.games import load_games

project = "pitboss"
author = "pitboss contributors"
release = version = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.doctest", "sphinx.ext.napoleon"]
nitpicky = True
smartquotes = False  # two hyphens begin an option
nitpick_ignore_regex = [
    ("py:.*", r"(?!pitboss\.).*")
]  # names of Python's own and of NumPy: nothing is fetched to link them

# Objects come from functions: how one is built is nobody's concern.
autodoc_class_signature = "separated"
autodoc_default_options = {"exclude-members": "__init__, __new__"}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
maximum_signature_line_length = 100

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


def commands() -> str:
    """Return every command with its help: what it does, its arguments and options."""
    import typer

    from pitboss.cli import app

    lines = list[str]()

    def add(command: Any, words: str, context: Any) -> None:
        own = typer.Context(command, info_name=words.rsplit(maxsplit=1)[-1], parent=context)
        hidden = {"help", "install_completion", "show_completion"}
        records = [each.get_help_record(own) for each in command.get_params(own) if each.name not in hidden]
        lines.extend([f"\n{'#' * (len(words.split()))} {words}\n", inspect.cleandoc(command.help or ""), ""])
        lines.extend(f"`{name}`\n: {text.strip() or '-'}\n" for name, text in filter(None, records))
        for name in getattr(command, "commands", {}):
            add(command.commands[name], f"{words} {name}", own)

    for name in app.COMMANDS:
        add(app.load_command(name), f"pitboss {name}", None)
    return "\n".join(lines)


def _with_generated(_app: Any, page: str, source: list[str]) -> None:
    """Put the papers of the games, and the help of the commands, on their pages: at the mark, or at the end."""
    text, mark, rest = source[0].partition("% generated")
    source[0] = text + {"games": papers, "cli": commands}.get(page, str)() + rest.partition("\n")[2] * bool(mark)


def _link_public_name(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Link a type in a signature to the public name of it: `pitboss.contract.PayTable` to `pitboss.PayTable`."""
    target = node.get("reftarget", "")
    name = target.rpartition(".")[2]
    if not target.startswith("pitboss.") or name not in pitboss.__all__:
        return None
    return env.domains["py"].resolve_xref(env, node["refdoc"], app.builder, "obj", f"pitboss.{name}", node, content)


def setup(app: Any) -> None:
    """Hook into Sphinx."""
    app.connect("missing-reference", _link_public_name)
    app.connect("source-read", _with_generated)
