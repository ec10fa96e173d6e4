"""What a store holds, in a form that can be compared: `python digests.py STORE` prints it as JSON.

`digest` is the snapshot's own. It depends on the paths of scripts. `portable` does not depend on where the input lies: the root of paths
is removed, and each id is replaced by a hash of the row that it stands for.
"""

from __future__ import annotations

import json
import re
import sys
from hashlib import blake2b
from typing import Any

from headwater.store import Snapshot, Store, StoreError

_ROOT = re.compile(r"^.*?(?=(?:sql|logs)/)")
_REFERENCES = (
    "script_id",
    "statement_id",
    "process_id",
    "scope_id",
    "entity_id",
    "column_id",
    "source_id",
    "target_id",
)
_DEFINED = {
    "scripts": "script_id",
    "processes": "process_id",
    "statements": "statement_id",
    "entities": "entity_id",
    "columns": "column_id",
    "relations": "relation_id",
}
"""Tables in an order in which each refers only to earlier ones, with the ids that they define."""
_LATER = ("defined_by",)
"""References to tables that come later; they are compared by whether they are there."""


def portable(snapshot: Snapshot) -> str:
    """The digest of a snapshot without the places of its input."""
    hashes: dict[Any, str] = {0: "nothing", None: "none"}
    whole = blake2b(digest_size=16)
    for table in (*_DEFINED, "diagnostics", "tags"):
        defined = _DEFINED.get(table, "")
        rows = []
        for row in snapshot.table(table).to_pylist():
            text = repr([(name, _plain(name, row[name], hashes)) for name in row if name != defined])
            rows.append(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest())
            if defined:
                hashes[row[defined]] = rows[-1]
        whole.update("\n".join([table, *sorted(rows)]).encode())
    return whole.hexdigest()


def _plain(name: str, value: Any, hashes: dict[Any, str]) -> object:
    if name in _REFERENCES:
        return hashes.get(value, "scoped")
    if name in _LATER:
        return bool(value)
    return _ROOT.sub("", value) if name == "path" else value


def describe(store: Any) -> dict[str, Any]:
    """The digests and figures of a store's current snapshot."""
    found = Store(store)
    snapshot = found.snapshot()
    return {
        "snapshots": len(found.names()),
        "name": snapshot.name,
        "digest": snapshot.digest(),
        "portable": portable(snapshot),
        "statements": snapshot.run["statements"],
    }


if __name__ == "__main__":
    try:
        print(json.dumps(describe(sys.argv[1])))
    except StoreError as error:
        print(json.dumps({"nothing": str(error)}))
