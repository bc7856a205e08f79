"""Networks of addresses: those of the proxies in front, and those of the house."""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from pitboss.core.errors import PitbossError, quote


class Networks:
    """Addresses and networks.

    >>> house = Networks(["192.0.2.0/28", "2001:db8::1", "a-name", ""])
    >>> [address in house for address in ("192.0.2.7", "192.0.2.77", "::ffff:192.0.2.7", "2001:db8::1", "nowhere")]
    [True, False, True, True, False]
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        """Parse addresses and networks; what is neither, such as a name, is left out."""
        self._networks = [network for each in texts for network in _parse_network(each)]

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self._networks)

    def __contains__(self, address: str) -> bool:
        """Return whether an address is in one of the networks."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        mapped = getattr(parsed, "ipv4_mapped", None) or parsed
        return any(mapped in network or parsed in network for network in self._networks)


def _parse_network(text: str) -> Iterator[IPv4Network | IPv6Network]:
    try:
        yield ip_network(text.strip(), strict=False)
    except ValueError:  # a name, or "*"
        return


def verify_networks(text: str, option: str) -> None:
    """Check an option's addresses and networks, separated by commas.

    Raises:
        PitbossError: one of them is not an address or a network.
    """
    for each in text.split(",") if text else ():
        if not list(_parse_network(each)):
            raise PitbossError(
                f"{option} {quote(each)} is not an IP address or network: write for example 192.0.2.1 or 192.0.2.0/28",
                code="invalid-network",
                text=each,
            )


NO_NETWORKS = Networks()
