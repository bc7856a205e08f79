"""A floor for browsers: the real command in a process of its own, which may be killed and started again."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

from pitboss.core.game_folders import VARIABLE
from ports import reserve_port

# The shell draws pages as Chromium does, without windows, for a third less processor time.
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _BROWSERS)), "")
NO_BROWSER = "no Chromium on this machine: the browser tests are left out (Debian: apt install chromium-headless-shell)"


class Casino:
    """``pitboss serve`` on a database of its own."""

    def __init__(
        self,
        folder: Path,
        *more: str,
        files: int = 0,
        per_address: int = 2_000,
        log: Path | None = None,
        games: Path | None = None,
    ) -> None:
        self._log = log
        self._environment = os.environ | {"PYTHONUNBUFFERED": "1"} | ({VARIABLE: str(games)} if games else {})
        self._command = [sys.executable, "-m", "pitboss", "serve", "--database", str(folder / "tables.db")]
        self._command += ["--per-address", str(per_address), "--no-prepare", *more]
        if files:  # so many may be open in its process
            self._command = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *self._command]
        self._process: subprocess.Popen[str] | None = None
        self._port = reserve_port(self)
        self.address = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it, and wait until it has said its address."""
        with self._log.open("a") if self._log else nullcontext() as log:
            self._process = subprocess.Popen(
                [*self._command, "--port", str(self._port)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self._environment,
            )
        assert self._process.stdout is not None
        assert self.address in self._process.stdout.readline()

    @property
    def pid(self) -> int:
        """The process, while it runs."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill it, as a power cut does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
