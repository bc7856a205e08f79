"""Ports for servers that a test starts as processes, and may start again at the same address."""

import socket
import weakref


def reserve_port(owner: object) -> int:
    """Return a port of this machine that nobody else gets as a free one while its owner lives.

    A bound socket that does not listen keeps it: on Linux a server may still listen there, but the port is not given to
    connections or to whoever asks for any port.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    weakref.finalize(owner, held.close)
    port: int = held.getsockname()[1]
    return port
