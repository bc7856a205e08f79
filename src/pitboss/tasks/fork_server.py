"""Processes forked from a fork server.

A fork is there in 20 ms, with the modules that the fork server loaded; a new interpreter loads them for more than a
second, and holds them a second time.  The fork server does nothing else and runs no thread of Python, so a fork copies
no lock that is held.
"""

import gc
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import forkserver, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from time import sleep
from typing import Any

_COMPILER = "pitboss.kernels.preload"
"""The module that loads the compiler: nearly every process needs it."""

_MAX_TRIES, _WAIT_SECONDS = 20, 0.1


def prepare_fork_server(*modules: str) -> ForkServerContext:
    """Start the fork server unless it runs; return the context that forks from it.

    One that starts loads the modules, which may load no game and read no setting: a fork would keep what was read.
    It and its forks inherit the signals that this thread blocks, Ctrl-C among them: the parent handles it, and then
    ends its processes.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload([_COMPILER, *modules])
    resource_tracker.ensure_running()  # starting it unblocks signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return context


def set_up_fork(environment: Mapping[str, str]) -> None:
    """Give a fork its parent's environment, and let it collect garbage.

    It has the environment in which the fork server started.  It never looks through what was loaded: that would copy
    the memory that it shares.
    """
    gc.freeze()
    gc.enable()
    os.environ.clear()
    os.environ.update(environment)


def start_process(
    function: Callable[..., None], *arguments: Any, modules: tuple[str, ...] = ()
) -> tuple[BaseProcess, Connection]:
    """Start a process that runs a function; return it with a connection to it.

    The function is called with the connection's other end and the arguments.  A fork server that starts for it loads
    the modules.

    Raises:
        OSError: the system has no process, file or memory for it; nothing is left open.
        EOFError: the fork server was lost again and again; nothing is left open.
    """
    # The fork server ends when it is killed, or when this process has no file for its answer: then another starts.
    for _ in range(_MAX_TRIES - 1):
        with suppress(EOFError, ConnectionError):
            return _fork_process(function, arguments, modules)
        sleep(_WAIT_SECONDS)
    return _fork_process(function, arguments, modules)


def kill_process(process: BaseProcess) -> None:
    """Kill a process unless it has ended: another may have its id by then.

    One whose fork server was killed counts as ended, and may run until its connection is closed.
    """
    if process.is_alive():
        process.kill()


def _fork_process(
    function: Callable[..., None], arguments: tuple[Any, ...], modules: tuple[str, ...]
) -> tuple[BaseProcess, Connection]:
    context = prepare_fork_server(*modules)
    connection, other_end = context.Pipe()
    try:
        process = context.Process(
            target=_run_function, args=(dict(os.environ), function, other_end, *arguments), daemon=True
        )
        process.start()
    except (EOFError, OSError):
        connection.close()
        raise
    finally:
        other_end.close()
    return process, connection


def _run_function(environment: Mapping[str, str], function: Callable[..., None], *arguments: Any) -> None:
    set_up_fork(environment)
    function(*arguments)
