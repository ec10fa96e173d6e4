"""A relation's kind as one short text, from the workers to the store: six fields of every relation would cost more than all the rest."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from headwater.model.kind import KINDS, Kind

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_GLUE = "|"


@cache
def packed_kind(code: int) -> str:
    """The text of a kind code."""
    kind = KINDS[code]
    return _GLUE.join(
        (kind.type, kind.subtype or "", kind.clause, "01"[kind.masking], "01"[kind.candidate], kind.as_of)
    )


def with_kind(relations: DataFrame) -> DataFrame:
    """Relations with the fields of their kinds, as the store has them, instead of the text."""
    from pyspark.sql import functions as f

    part = f.split("kind", f"\\{_GLUE}")
    fields = [part[i] for i in range(len(Kind._fields))]
    return relations.withColumns(
        {
            "type": fields[0],
            "subtype": f.when(fields[1] != "", fields[1]),
            "clause": fields[2],
            "masking": fields[3] == "1",
            "candidate": fields[4] == "1",
            "as_of": f.when(fields[5] != "", fields[5]),
        }
    ).drop("kind")
