"""Units in an order in which tables are defined before they are used.

`requirements` says which unit needs the definitions of which other: the definition that is in force at its place. `stages` puts them in
levels, with nothing but ids in the driver: units that need nobody come first, a unit comes behind all that it needs. Where units need
each other in a circle, the circle is opened at its smallest id, and said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwater.pipeline.units import PLACE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Ids = npt.NDArray[np.int64]


def requirements(pieces: DataFrame, units: DataFrame) -> DataFrame:
    """Pairs of a unit and another that defines what it names (`unit_id`, `definer_id`).

    In force is the last definition before it in its own script, where the unit is of its script alone; for a unit that defines the same
    table itself, the one before it; else the last of the corpus, by path.
    """
    from pyspark.sql import functions as f

    place = f.struct(*PLACE)
    defined = pieces.select(
        *("script_id", "path", "ordinal", "temporary", f.col("unit_id").alias("definer_id")),
        f.explode("defines").alias("name"),
    )
    lasting = defined.where(~f.col("temporary"))
    last = lasting.groupBy("name").agg(f.max_by("definer_id", place).alias("last"))
    named = units.select(
        *("unit_id", "scope_id", "script_id", "path", "ordinal", "defines"), f.explode("mentions").alias("name")
    ).join(defined.select("name").distinct(), "name", "left_semi")
    local = _local(named.where("scope_id != 0"), defined)
    before = _before(named.where(f.array_contains("defines", f.col("name"))), lasting)
    own = f.array_contains("defines", f.col("name"))
    definer = f.coalesce("local", f.when(own, f.col("before")).otherwise(f.col("last")))
    return (
        named.join(last, "name", "left")
        .join(local, ["unit_id", "name"], "left")
        .join(before, ["unit_id", "name"], "left")
        .select("unit_id", definer.alias("definer_id"))
        .where("definer_id is not null and definer_id != unit_id")
        .distinct()
    )


def _local(named: DataFrame, defined: DataFrame) -> DataFrame:
    """The last definition before a piece in its own script."""
    from pyspark.sql import functions as f

    theirs = defined.select("script_id", "name", "definer_id", f.col("ordinal").alias("place"))
    found = named.join(theirs, ["script_id", "name"]).where("place < ordinal")
    return found.groupBy("unit_id", "name").agg(f.max_by("definer_id", "place").alias("local"))


def _before(named: DataFrame, lasting: DataFrame) -> DataFrame:
    """The last definition before a unit that defines the same table."""
    from pyspark.sql import functions as f

    theirs = lasting.select("name", "definer_id", f.struct(*PLACE).alias("place"))
    found = named.join(theirs, "name").where(f.col("place") < f.struct(*PLACE))
    return found.groupBy("unit_id", "name").agg(f.max_by("definer_id", "place").alias("before"))


@dataclass(frozen=True, slots=True)
class Stages:
    """Units with their levels; those without requirements are level 0 and are not listed. `circles` lists units of opened circles."""

    units: Ids
    levels: npt.NDArray[np.int32]
    circles: Ids


def stages(required: Any) -> Stages:
    """The levels of units, from an Arrow table of requirements."""
    users = required.column("unit_id").to_numpy()
    definers = required.column("definer_id").to_numpy()
    units, ends = np.unique(np.concatenate([users, definers]), return_inverse=True)
    target, source = ends[: len(users)], ends[len(users) :]
    levels, circles = _levels(len(units), source, target)
    listed = levels > 0
    return Stages(units[listed], levels[listed], units[circles])


def _levels(count: int, source: Ids, target: Ids) -> tuple[npt.NDArray[np.int32], Ids]:
    """The longest way to each node; and the nodes at which circles were opened."""
    order = np.argsort(source, kind="stable")
    followers = target[order]
    starts = np.searchsorted(source[order], np.arange(count + 1))
    waiting = np.bincount(target, minlength=count)
    levels = np.zeros(count, np.int32)
    done = np.zeros(count, bool)
    opened: list[int] = []
    front = np.flatnonzero(waiting == 0)
    level = 0
    remaining = count
    while remaining:
        if not len(front):
            front = np.array([_opening(done, source, target)])
            opened.append(int(front[0]))
        levels[front] = level
        done[front] = True
        remaining -= len(front)
        level += 1
        reached = np.concatenate([followers[starts[n] : starts[n + 1]] for n in front])
        np.subtract.at(waiting, reached, 1)
        front = np.unique(reached[(waiting[reached] <= 0) & ~done[reached]])
    return levels, np.array(opened, np.int64)


def _opening(done: npt.NDArray[np.bool_], source: Ids, target: Ids) -> int:
    """Where to open the circles that are left: the smallest node on one of them."""
    alive = ~done
    while True:
        inside = alive[source] & alive[target]
        feeds = np.zeros(len(done), bool)
        feeds[source[inside]] = True
        fed = np.zeros(len(done), bool)
        fed[target[inside]] = True
        kept = alive & feeds & fed
        if np.array_equal(kept, alive):
            return int(np.flatnonzero(kept)[0])
        alive = kept
