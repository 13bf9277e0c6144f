"""How often a client may ask: a bucket of tokens for each kind of request and each address.

Own, and not from a package: the ones there are start a thread at each request or ask for a store of their own, go by a
clock that may be set back, and keep the time of every single request.
"""

import ipaddress
import math
import threading
import time
from collections.abc import Callable, Mapping

#: Buckets above which those that are full again are thrown away.
_MOST_BUCKETS = 20_000


class RateLimits:
    """Buckets that hold so many tokens and fill up evenly within so many seconds.

    Parameters
    ----------
    rates : mapping of str to (int, float)
        For each kind of request: tokens of a full bucket, and seconds in which an empty one fills.
    clock : callable
        Seconds that only rise.

    Source
    ------
    Own; the token bucket of J. Turner, IEEE Communications Magazine 24(10) (1986).

    Examples
    --------
    >>> limits = RateLimits({"game": (2, 60.0)}, clock=lambda: 0.0)
    >>> [limits.take("game", "192.0.2.1") for _ in range(3)]
    [0.0, 0.0, 30.0]
    """

    def __init__(
        self, rates: Mapping[str, tuple[int, float]], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rates, self._clock = dict(rates), clock
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, kind: str, client: str) -> float:
        """Take a token: 0.0, or, where there is none, the seconds until there will be."""
        size, period = self._rates[kind]
        with self._lock:
            now = self._clock()
            tokens, last = self._buckets.get((kind, client), (float(size), now))
            tokens = min(float(size), tokens + (now - last) * size / period)
            wait = 0.0 if tokens >= 1.0 else (1.0 - tokens) * period / size
            self._buckets[kind, client] = (tokens - 1.0 if tokens >= 1.0 else tokens, now)
            if len(self._buckets) > _MOST_BUCKETS:
                self._throw_away(now)
        return wait

    def _throw_away(self, now: float) -> None:
        """Throw away full buckets; where that is not enough, all: better lenient for a moment than out of memory."""
        for (kind, client), (tokens, last) in list(self._buckets.items()):
            size, period = self._rates[kind]
            if tokens + (now - last) * size / period >= size:
                del self._buckets[kind, client]
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.clear()


def client_of(address: str | None) -> str:
    """What counts as one client: an address, or the network of 64 bits that one household gets in IPv6.

    Examples
    --------
    >>> client_of("192.0.2.7"), client_of("2001:db8:1:2:3:4:5:6"), client_of(None)
    ('192.0.2.7', '2001:db8:1:2::/64', '')
    """
    try:
        known = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or ""
    if known.version == 4:
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((int(known) >> 64 << 64, 64)))


def whole_seconds(wait: float) -> int:
    """Seconds for the header Retry-After: whole, at least 1."""
    return max(1, math.ceil(wait))
