"""What a written column holds where no column flows into it: a constant, or something that could not be traced.

`INSERT INTO t SELECT 1, count(*), now(), f.x FROM s, unknown_function() AS f` writes three constants and one unknown value. Counted rows
and functions without columns are constants here: they have no source that could be missing.
"""

from __future__ import annotations

from headwater.lineage.column_level import Eliminator, NumberedSource
from headwater.model.entity import PSEUDO_ROWS
from headwater.model.resolution import FUNCTIONS, LITERALS, Resolution

CONSTANT, UNKNOWN = "constant", "unknown"


def value_of(eliminator: Eliminator, resolution: Resolution, target: int, sources: list[NumberedSource]) -> str | None:
    """The value of a column that only influence reaches; None for a row set."""
    columns = resolution.columns
    if columns[target][1] == PSEUDO_ROWS:
        return None
    origins = eliminator.origins_of_data(target)
    if origins:
        known = all(columns[origin][0] in (LITERALS, FUNCTIONS) for origin in origins)
    else:
        known = any(columns[source][1] == PSEUDO_ROWS for source, *_ in sources)
    return CONSTANT if known else UNKNOWN
