"""``pitboss serve`` as of a clock in a file, with passwords that cost next to nothing: a script that tests kill."""

import sys
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from pitboss.cli.app import run
from pitboss.jackpot import passwords
from pitboss.jackpot.credentials import CredentialStore

if __name__ == "__main__":
    clock = Path(sys.argv[1])
    patch = pytest.MonkeyPatch()
    patch.setattr(passwords, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    patch.setattr(CredentialStore, "_get_seconds", lambda _staff: int(clock.read_text()))
    sys.exit(run(["serve", *sys.argv[2:]]))
