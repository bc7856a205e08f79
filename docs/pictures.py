"""Make the pictures of the documentation from screenshots of the browser tests: ``python docs/pictures.py FOLDER``."""

import sys
from pathlib import Path

from PIL import Image

NAMES = (
    "six-card-desktop",
    "lunar-phone",
    "coach-six-card",
    "house-rules-light",
    "par-sheet",
    "dealer-training",
    "progressive-display",
    "linked-waiting-desktop",
)
COLOURS = 256


def main(folder: Path) -> None:
    """Write each picture with a palette beside this file, in ``pictures``."""
    pictures = Path(__file__).parent / "pictures"
    for name in NAMES:
        with Image.open(folder / f"{name}.png") as shot:
            shot.convert("RGB").quantize(COLOURS).save(pictures / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
