"""What every test shares: where kernels are kept, and how hard Hypothesis tries."""

import os
from pathlib import Path

from hypothesis import settings

# Kernels are compiled once for all workers and runs, and never land in the user's own cache.
os.environ.setdefault("PITBOSS_CACHE", str(Path(__file__).parent.parent / ".cache" / "pitboss"))

settings.register_profile("suite", derandomize=True, deadline=None)  # the same examples on every machine
settings.register_profile("long", max_examples=5_000, deadline=None)
settings.load_profile("suite")
