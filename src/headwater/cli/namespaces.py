"""What `headwater build` says of tables that have two names: one of a captured job, and one in scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.store.snapshot import Snapshot


def namespace_lines(snapshot: Snapshot) -> Iterator[str]:
    """A line with the setting under which tables would be one, if there are such."""
    from headwater.openlineage.namespaces import suggested

    found = suggested(_tables(snapshot))
    if found:
        parts, other, key = found[0]
        more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
        names = f"{'.'.join(parts)} and {'.'.join(other)}{more}"
        yield f'is this one table: {names}? if so, write under [namespaces] in headwater.toml: "{key}" = ""'


def _tables(snapshot: Snapshot) -> list[tuple[str, ...]]:
    """The names of tables; none if no table has a namespace, which is seen at once."""
    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    entities = snapshot.dataset("entities")
    is_table = ds.field("kind").isin(["table", "view"]) & ~ds.field("temporary")
    has_namespace = pc.match_substring(ds.field("name"), "://")
    if not entities.count_rows(filter=is_table & has_namespace):
        return []
    named = entities.to_table(columns=["parts"], filter=is_table)
    return [tuple(parts) for parts in named.column("parts").to_pylist() if parts]
