"""Games outside the package, written for a test."""

from pathlib import Path

WHOLE = "from dataclasses import replace\nfrom pathlib import Path\nfrom pitboss.games.six_card import GAME\n"
ANOTHER = WHOLE + "GAME = replace(GAME, id='another', name='Another', folder=Path(__file__).parent)\n"


def write_game(folder: Path, name: str, source: str = ANOTHER, **files: str) -> Path:
    """Write a game's folder: its ``__init__.py``, Six Card's pay tables, and ``files`` as TOML."""
    made = folder / name
    made.mkdir(parents=True)
    (made / "__init__.py").write_text(source, encoding="utf-8")
    original = Path(__file__).parent.parent / "src/pitboss/games/six_card/paytables.toml"
    (made / "paytables.toml").write_bytes(original.read_bytes())
    for stem, text in files.items():
        (made / f"{stem}.toml").write_text(text, encoding="utf-8")
    return made
