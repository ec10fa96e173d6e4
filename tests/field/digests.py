"""What a store holds, in a form that can be compared: `python digests.py STORE` prints it as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from headwater.store import Store


def describe(store: Any) -> dict[str, Any]:
    """The digest and figures of a store's current snapshot."""
    found = Store(store)
    snapshot = found.snapshot()
    return {
        "snapshots": len(found.names()),
        "name": snapshot.name,
        "digest": snapshot.digest(),
        "statements": snapshot.run["statements"],
    }


if __name__ == "__main__":
    there = Store(sys.argv[1]).exists
    print(json.dumps(describe(sys.argv[1]) if there else {"nothing": sys.argv[1]}))
