"""Older versions of tables: those that are declared for Spark have none, so the clause is left out.

```sql
SELECT a FROM t VERSION AS OF 5     -- SELECT a FROM t
```

A moment may be any expression. Where more of it stands behind what is left out here, Spark's parser refuses the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from headwater.analyzers.catalyst.edits import Edit
from headwater.sql.statement import Statement

TIME_TRAVEL = "RelationTimeTravel"
"""The operator that Spark's parser makes of the clause."""
_KINDS = frozenset({"VERSION", "TIMESTAMP", "SYSTEM_VERSION", "SYSTEM_TIME"})


def version_clauses(statement: Statement) -> Iterator[Edit]:
    """Nothing in the place of each `[FOR] VERSION AS OF …`."""
    tokens = statement.tokens()
    for i in range(1, len(tokens) - 3):
        kind, *rest = (token.text.upper() for token in tokens[i : i + 3])
        if kind in _KINDS and rest == ["AS", "OF"]:
            first = i - 1 if tokens[i - 1].text.upper() == "FOR" else i
            yield Edit(tokens[first].start, tokens[_end(tokens, i + 3)].end + 1, "")


def _end(tokens: Sequence[Any], first: int) -> int:
    """The last token of a literal or a call."""
    depth, last = 0, first
    for i in range(first, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[i].text, 0)
        last = i
        if depth == 0 and (i + 1 == len(tokens) or tokens[i + 1].text != "("):
            break
    return last
