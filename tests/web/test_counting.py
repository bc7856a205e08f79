"""No page's answer is counted in the server's own process: Numba cannot be loaded there, and all pages work.

The games are those of the package and those that the engine solves.
The server runs in a process in which importing Numba fails; its workers are processes of their own, and have it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from examples.loading import EXAMPLES, FOLDERS
from pitboss.games import load_games

SERVER = """
import json
import sys

if __name__ == "__main__":
    sys.modules["numba"] = None  # whatever imports it in this process fails; workers have it

    import pytest

    from web.counting import visit_all

    with pytest.MonkeyPatch.context() as patch:
        seen = visit_all(patch, sys.argv[1], sys.argv[2].split(","), solve="solve" in sys.argv[3:])
    heavy = "llvmlite", "matplotlib", "numba", "reportlab", "scipy"
    seen["loaded"] = [name for name in heavy if sys.modules.get(name)]
    print(json.dumps(seen))
"""


def served(folder: Path, counting: list[str], *more: str) -> dict[str, list[str]]:
    """Return what was seen of a server that cannot load Numba, with coach, sheets and files of some games."""
    path = os.pathsep.join(filter(None, sys.path))
    script = folder / "server.py"
    script.write_text(SERVER)
    command = [sys.executable, str(script), str(folder), ",".join(counting), *more]
    ran = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": path, "PITBOSS_GAMES": str(EXAMPLES)},
        capture_output=True,
        text=True,
        check=False,
        timeout=3_600,
    )
    assert ran.returncode == 0, ran.stderr
    seen: dict[str, list[str]] = json.loads(ran.stdout.splitlines()[-1])
    return seen


def verify(seen: dict[str, list[str]], counting: list[str]) -> None:
    """Check that every game was played, those that were to be were counted, and nothing was loaded."""
    offered = seen.pop("offered")
    assert len(offered) == len(list(load_games())) + len(FOLDERS)
    assert seen.pop("loaded") == []
    assert seen.pop("failed") == []
    each = dict.fromkeys(("coached", "studied", "priced", "edged", "filed"), counting)
    assert seen == {"played": offered, **each}


@pytest.mark.more
@pytest.mark.compiled
def test_the_server_counts_nothing_itself(tmp_path: Path) -> None:
    verify(served(tmp_path, ["six-card"]), ["six-card"])


@pytest.mark.long
def test_the_server_counts_nothing_itself_of_any_game(tmp_path: Path) -> None:
    verify(served(tmp_path, list(load_games()), "solve"), list(load_games()))
