"""Processes forked from a fork server.

A fork is there in 20 ms, with the modules that the fork server loaded; a new interpreter loads them for more than a
second, and holds them a second time.  The fork server does nothing else and runs no thread of Python, so a fork copies
no lock that is held.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import forkserver, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import sleep
from typing import Any

_PRELOADED = ["pitboss.kernels.preload", "pitboss.web.jobs.functions"]
"""The modules that the fork server loads: those that most jobs need.

They load no game and read no setting, which each server chooses for itself.
"""

_MAX_TRIES, _WAIT_SECONDS = 20, 0.1


def start_process(function: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Start a process that runs a function; return it with a connection to it.

    The function is called with the connection's other end and the arguments.

    Raises:
        OSError: the system has no process, file or memory for it; nothing is left open.
        EOFError: the fork server was lost again and again; nothing is left open.
    """
    # The fork server ends when it is killed, or when this process has no file for its answer: then another starts.
    for _ in range(_MAX_TRIES - 1):
        with suppress(EOFError, ConnectionError):
            return _fork_process(function, arguments)
        sleep(_WAIT_SECONDS)
    return _fork_process(function, arguments)


def kill_process(process: BaseProcess) -> None:
    """Kill a process unless it has ended: another may have its id by then.

    One whose fork server was killed counts as ended, and may run until its connection is closed.
    """
    if process.is_alive():
        process.kill()


def _fork_process(function: Callable[..., None], arguments: tuple[Any, ...]) -> tuple[BaseProcess, Connection]:
    processes = get_context("forkserver")
    processes.set_forkserver_preload(_PRELOADED)
    _ensure_fork_server()
    connection, other_end = processes.Pipe()
    try:
        process = processes.Process(
            target=_run_function, args=(dict(os.environ), function, other_end, *arguments), daemon=True
        )
        process.start()
    except (EOFError, OSError):
        connection.close()
        raise
    finally:
        other_end.close()
    return process, connection


def _ensure_fork_server() -> None:
    """Start the fork server unless it runs.

    It and its forks inherit the signals that this thread blocks: only the server handles Ctrl-C, and then ends its
    workers.  Starting the resource tracker would unblock it, so the tracker is started before.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_function(environment: dict[str, str], function: Callable[..., None], *arguments: Any) -> None:
    """Run a function in the server's environment.

    The fork server has that of its own start.
    """
    os.environ.clear()
    os.environ.update(environment)
    function(*arguments)
