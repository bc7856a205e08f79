"""The socket on which the site is served."""

import socket


def listen(host: str, port: int) -> socket.socket:
    """Open a socket that listens, whose connections send every write at once.

    asyncio switches Nagle's algorithm off only for sockets that were made with a protocol number, which those of
    ``create_server`` are not.  With it on, the body of an answer waits until the client has acknowledged the headers:
    40 ms on every request of a connection that is kept open.  Accepted sockets take the option from this one.

    Raises:
        OSError: the address cannot be listened at.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
