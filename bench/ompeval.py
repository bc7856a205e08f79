"""OMPEval beside the evaluator: its source compiled here, and driven by ``ompeval.cpp``.

Give the folder of its source in ``OMPEVAL`` (https://github.com/zekyll/OMPEval); without one it is skipped.
"""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

DRIVER = Path(__file__).resolve().parent / "ompeval.cpp"
FLAGS = ("-O3", "-march=native", "-std=c++17")
Hands = NDArray[np.uint8]


@dataclass(frozen=True)
class Timed:
    """What OMPEval took for hands of seven cards, and what it found.

    ``file_seconds`` and ``deck_seconds`` are medians; ``ranks`` are the ranks of the hands given, the highest the
    best, and ``counts`` the hands of a deck by category, from a high card to a straight flush.
    """

    file_seconds: float
    deck_seconds: float
    ranks: list[int]
    counts: list[int]


def time_ompeval(hands: Hands, runs: int) -> Timed | str:
    """Time OMPEval on an array of hands of seven cards and on a whole deck, or say why not."""
    source = Path(os.environ.get("OMPEVAL", ""))
    if not (source / "omp" / "HandEvaluator.cpp").is_file():
        return "OMPEval needs the folder of its source in OMPEVAL"
    compiler = shutil.which("g++")
    if compiler is None:
        return "OMPEval needs g++, which is not installed"
    with TemporaryDirectory() as folder:
        program, given, ranks = (Path(folder) / name for name in ("ompeval", "hands", "ranks"))
        sources = (str(DRIVER), str(source / "omp" / "HandEvaluator.cpp"))
        subprocess.run((compiler, *FLAGS, f"-I{source}", *sources, "-o", str(program)), check=True)  # noqa: S603
        # Its cards are numbered by rank first, its suits s, h, c, d.
        suits = np.array([0, 1, 3, 2], np.uint8)
        (hands % 13 * 4 + suits[hands // 13]).astype(np.uint8).tofile(given)
        answer = subprocess.run(  # noqa: S603  the program is ours
            (str(program), str(given), str(runs + 1), str(ranks)), capture_output=True, text=True, check=True
        )
        seconds = json.loads(answer.stdout)
        return Timed(
            median(seconds["file"][1:]),
            median(seconds["deck"][1:]),
            np.fromfile(ranks, np.uint16).tolist(),
            seconds["counts"][1:],
        )
