"""Names of three parts: Spark knows one catalog here, so the schema of another becomes a schema of this one.

```sql
SELECT main.raw.t.a FROM main.raw.t     -- SELECT main__raw.t.a FROM main__raw.t, where main__raw stands for main.raw
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headwater.analyzers.catalyst.edits import Edit
from headwater.analyzers.catalyst.plan import Node, everywhere
from headwater.sql.statement import Statement

SPARK_CATALOG = "spark_catalog"

_NAMES = ("multipartIdentifier", "nameParts")
_NAMED = frozenset(
    {"UnresolvedRelation", "UnresolvedIdentifier", "UnresolvedTable", "UnresolvedTableOrView", "UnresolvedView"}
)


def names_in(node: Node) -> list[tuple[str, ...]]:
    """The names of tables in a parsed statement, CTEs included."""
    found: dict[tuple[str, ...], None] = {}
    for each in everywhere(node):
        value = next((each.fields[key] for key in _NAMES if key in each.fields), None)
        if each.name in _NAMED and isinstance(value, str):
            found[tuple(value[1:-1].split(", "))] = None
    return list(found)


def foreign_schemas(names: Iterable[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Schemas of other catalogs, by the names that we give them."""
    far = {name[:2] for name in names if len(name) == 3 and name[0].lower() != SPARK_CATALOG}
    return {"__".join(schema).lower(): schema for schema in sorted(far)}


def foreign_names(statement: Statement, schemas: dict[str, tuple[str, ...]]) -> Iterator[Edit]:
    """Our names in the place of catalog and schema, wherever something follows them."""
    tokens = statement.tokens()
    ours = {tuple(part.lower() for part in schema): name for name, schema in schemas.items()}
    done = 0
    for i in range(len(tokens) - 3):
        catalog, dot, schema, follows = tokens[i : i + 4]
        name = ours.get((catalog.text.lower(), schema.text.lower())) if dot.text == follows.text == "." else None
        if name is not None and catalog.start >= done and not (i and tokens[i - 1].text == "."):
            done = schema.end + 1
            yield Edit(catalog.start, done, f"`{name}`")
