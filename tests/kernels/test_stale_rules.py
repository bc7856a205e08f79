"""A count is cached only as long as the rules that made it stay the same."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.games import load_game

ASK = """
from pitboss.analysis.census import count_outcomes
from pitboss.games import load_game
from pitboss.options import resolve_options
game = load_game("pocket-card")
print(*count_outcomes(game, game.wagers[1], resolve_options(game, {})))
"""


def counted(games: Path, cache: Path) -> list[int]:
    """Count Aces Up of the copied game in a process of its own."""
    environment = {**os.environ, "PITBOSS_GAMES": str(games), "PITBOSS_CACHE": str(cache)}
    asked = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True)
    return [int(count) for count in asked.stdout.split()]


@pytest.mark.more
@pytest.mark.compiled
def test_a_rule_edited_in_another_file_gives_a_new_count(tmp_path: Path) -> None:
    games, cache = tmp_path / "games", tmp_path / "cache"
    folder = games / "pocket_card"
    shutil.copytree(load_game("six-card").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("pitboss.games.six_card", "pitboss.games.pocket_card").replace(
            '"six-card"', '"pocket-card"'
        )
        path.write_text(text, encoding="utf-8")
    aces = [188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 751_332, 15_592_308]
    assert counted(games, cache) == aces
    (kept,) = cache.rglob("pocket-card.aces-up*.json")
    made_ns = kept.stat().st_mtime_ns
    assert counted(games, cache) == aces
    assert kept.stat().st_mtime_ns == made_ns

    rules = folder / "rules.py"
    text = rules.read_text(encoding="utf-8")
    assert "PAIR_OF_ACES = pack_lowest_strength(PAIR, 14)" in text
    changed = text.replace("pack_lowest_strength(PAIR, 14)", "pack_lowest_strength(PAIR, 13)")
    rules.write_text(changed, encoding="utf-8")
    kings = counted(games, cache)
    assert kings[:8] == aces[:8]
    assert kings[8] == 2 * aces[8]
    assert sum(kings) == sum(aces)
