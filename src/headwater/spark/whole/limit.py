"""How great a closure may become: an error with figures, instead of a full disk."""

from __future__ import annotations

LIMIT_PAIRS = 100_000_000


class TooManyPairs(Exception):
    """A closure that is greater than its limit; the message says how great, and what to do."""

    def __init__(self, pairs: int, limit: int, depth: int | None = None) -> None:
        within = "" if depth is None else f" within {depth} hops"
        super().__init__(
            f"there are {pairs:,} pairs or more{within}, and the limit is {limit:,}; raise the limit, or limit the depth"
        )
        self.pairs, self.limit, self.depth = pairs, limit, depth
