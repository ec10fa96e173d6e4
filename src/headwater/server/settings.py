"""What a server is started with."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

from headwater.server.playground.limits import Limits


@dataclass(frozen=True, slots=True)
class Settings:
    """Where it listens, who may ask, and what one request may take."""

    host: str = "127.0.0.1"
    """The name or address that it listens on."""
    allowed_hosts: tuple[str, ...] = ()
    """Further names that it is known by."""
    token: str | None = None
    """What who asks must know; needed wherever others can reach it."""
    body: int = 8_000_000
    """Bytes of a request's body."""
    query: int = 60_000
    """Bytes of what stands behind the `?`."""
    seconds: float = 60.0
    """For one request."""
    crowd: int = 128
    """Questions about the store that may be unanswered at once."""
    playground: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.token is not None and not self.token.strip():
            raise ValueError("the token is empty")
        if self.token is None and not is_loopback(self.host):
            raise ValueError(f"{self.host} can be reached by others: a token is needed")


def is_loopback(host: str) -> bool:
    """Whether a name or address is this machine's own, which no other can reach."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
