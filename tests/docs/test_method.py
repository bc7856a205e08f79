"""The program on docs/method.md prints what the page says, and its two ways of counting agree."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "method.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_worked_example_prints_what_the_page_says() -> None:
    blocks = dict(BLOCK.findall(PAGE))
    done = subprocess.run([sys.executable, "-c", blocks["example.py"]], capture_output=True, text=True, check=True)
    assert done.stdout == blocks["printed"]
    visited, swept = done.stdout.splitlines()[0].split()
    assert visited == swept
