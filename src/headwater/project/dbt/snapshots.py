"""Snapshots: the rows of a query, and since when and until when each was so.

dbt adds columns to the query's own, worked out from the unique key and the time of the change; they are written here around the query:

    select *, md5(concat(customer_id, updated_at)) as dbt_scd_id, updated_at as dbt_valid_from, … from (…) as snapshot_rows
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from headwater.project.dbt.document import Document, inner, text, texts
from headwater.project.dbt.models import compiled_sql, query_model
from headwater.project.dbt.reading import Reading
from headwater.project.dbt.template_places import template_places
from headwater.project.objects import Model
from headwater.source.template_map import TemplateMap

_NOW = "current_timestamp"


def read_snapshots(reading: Reading) -> Iterator[Model]:
    """The project's snapshots."""
    for node in reading.manifest.of_type("snapshot"):
        sql = compiled_sql(node, reading)
        places = template_places(node, reading, sql)
        recorded, places = _recorded(sql, places, node) if sql else ("", None)
        model = query_model(node, reading, recorded, "table", places)
        yield replace(model, place=reading.places.of_sql(node, "snapshots"))


def _recorded(sql: str, places: TemplateMap | None, node: Document) -> tuple[str, TemplateMap | None]:
    """A snapshot's query with the columns that dbt adds, and where it stands."""
    config = inner(node, "config")
    changed = text(config, "updated_at") or _NOW
    key = ", ".join((*texts(config, "unique_key"), changed))
    added = {
        "dbt_scd_id": f"md5(concat({key}))",
        "dbt_updated_at": changed,
        "dbt_valid_from": changed,
        "dbt_valid_to": f"nullif({changed}, {changed})",
    }
    if text(config, "hard_deletes") == "new_record":
        added["dbt_is_deleted"] = "'False'"
    names = inner(config, "snapshot_meta_column_names")
    columns = ", ".join(f"{expression} as {text(names, name) or name}" for name, expression in added.items())
    query, start = sql.strip().rstrip(";"), len(sql) - len(sql.lstrip())
    before, behind = f"select snapshot_rows.*, {columns} from (", "\n) as snapshot_rows"
    if places is not None:
        places = places.part(start, start + len(query)).within(len(before), len(behind))
    return f"{before}{query}{behind}", places
