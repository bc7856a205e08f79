"""The site's socket: an answer is sent at once, and not held back until its headers are acknowledged."""

import socket

import pytest

from pitboss.web.server.listener import listen

HOSTS = ["127.0.0.1", *(["::1"] if socket.has_dualstack_ipv6() else [])]


@pytest.mark.parametrize("host", HOSTS)
def test_a_connection_sends_each_write_at_once(host: str) -> None:
    with listen(host, 0) as listener, socket.create_connection(listener.getsockname()[:2]):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_an_address_that_is_taken_is_refused() -> None:
    with listen("127.0.0.1", 0) as listener, pytest.raises(OSError, match="in use"):
        listen(*listener.getsockname())
