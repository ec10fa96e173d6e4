"""`Relation`: what `ref`, `source`, `this` and `api.Relation.create` give: a table, written as its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

PARTS = ("database", "schema", "identifier")
_KEYS = (*PARTS, "name", "type", "path", "quote_policy", "include_policy", "metadata")
"""What a relation answers as a mapping: packages ask it so whether it is one."""


@dataclass(frozen=True, slots=True)
class Quotes:
    """How a database writes names in quotes."""

    opening: str = '"'
    closing: str = '"'

    def around(self, name: str) -> str:
        """A name in quotes."""
        return f"{self.opening}{name.replace(self.closing, self.closing * 2)}{self.closing}"


DOUBLE = Quotes()


def _every(value: bool) -> Mapping[str, bool]:
    return dict.fromkeys(PARTS, value)


@dataclass(frozen=True, slots=True)
class Relation(Mapping[str, Any]):
    """A table: its parts, which of them are written, and which of these in quotes."""

    database: str = ""
    schema: str = ""
    identifier: str = ""
    type: str | None = None
    quotes: Quotes = DOUBLE
    quote_policy: Mapping[str, bool] = field(default_factory=lambda: _every(False), hash=False)
    include_policy: Mapping[str, bool] = field(default_factory=lambda: _every(True), hash=False)
    text: str = field(default="", compare=False)
    """What is written in its place: the name of a CTE."""

    @property
    def name(self) -> str:
        """The table's own name."""
        return self.identifier

    table = name

    @property
    def path(self) -> Relation:
        """Its parts, by attribute."""
        return self

    @property
    def is_table(self) -> bool:
        """Whether it is a table."""
        return self.type == "table"

    @property
    def is_view(self) -> bool:
        """Whether it is a view."""
        return self.type == "view"

    @property
    def is_cte(self) -> bool:
        """Whether it stands for a common table expression."""
        return bool(self.text)

    is_materialized_view = is_dynamic_table = is_interactive_table = is_streaming_table = is_metric_view = False
    is_pointer = is_shallow_clone = is_iceberg = is_iceberg_format = is_delta = is_hudi = False
    can_be_renamed = can_be_replaced = True

    @staticmethod
    def relation_max_name_length() -> int:
        """How many characters a name may have: as many as PostgreSQL takes, the fewest of all databases."""
        return 63

    def is_hive_metastore(self) -> bool:
        """Whether Databricks keeps the table in its old catalog."""
        return self.database.lower() == "hive_metastore"

    def render(self) -> str:
        """The name as it stands in SQL."""
        if self.text:
            return self.text
        shown = ((part, getattr(self, part)) for part in PARTS if self.include_policy.get(part, True))
        return ".".join(
            self.quotes.around(name) if self.quote_policy.get(part) else name for part, name in shown if name
        )

    def __str__(self) -> str:
        return self.render()

    def include(self, **shown: bool) -> Relation:
        """The same with some parts left out."""
        return replace(self, include_policy={**self.include_policy, **shown})

    def quote(self, **quoted: bool) -> Relation:
        """The same with other parts in quotes."""
        return replace(self, quote_policy={**self.quote_policy, **quoted})

    def incorporate(
        self, path: Mapping[str, str | None] | None = None, type: str | None = None, **_: object
    ) -> Relation:
        """The same with other parts."""
        given: dict[str, Any] = {k: "" if v is None else str(v) for k, v in (path or {}).items() if k in PARTS}
        return replace(self, type=type or self.type, text="", **given)

    def replace_path(self, **parts: str) -> Relation:
        """The same with other parts."""
        return self.incorporate(path=parts)

    def without_identifier(self) -> Relation:
        """The schema alone."""
        return self.include(identifier=False)

    def information_schema(self, view: str = "") -> Relation:
        """A view of the information schema."""
        return replace(self, schema="information_schema", identifier=view, quote_policy=_every(False), text="")

    def matches(self, database: str = "", schema: str = "", identifier: str = "") -> bool:
        """Whether it has these parts, whatever their case."""
        given = zip((database, schema, identifier), (self.database, self.schema, self.identifier), strict=True)
        return all(not wanted or wanted.lower() == own.lower() for wanted, own in given)

    @property
    def metadata(self) -> Mapping[str, str]:
        """What says that it is a relation."""
        return {"type": "Relation"}

    def __getitem__(self, key: str) -> Any:
        if key not in _KEYS:
            raise KeyError(key)
        return getattr(self, key)

    def __iter__(self) -> Iterator[str]:
        return iter(_KEYS)

    def __len__(self) -> int:
        return len(_KEYS)


class RelationMaker:
    """`api.Relation`: makes relations as the project's database writes them."""

    View, Table, CTE, MaterializedView, External = "view", "table", "cte", "materialized_view", "external"

    def __init__(self, quotes: Quotes, quoted: Mapping[str, bool]) -> None:
        self._quotes, self._quoted = quotes, quoted

    def create(
        self,
        database: object = None,
        schema: object = None,
        identifier: object = None,
        type: str | None = None,
        quote_policy: Mapping[str, bool] | None = None,
        include_policy: Mapping[str, bool] | None = None,
        **_: Any,
    ) -> Relation:
        """A relation of these parts."""
        return Relation(
            str(database or ""),
            str(schema or ""),
            str(identifier or ""),
            type,
            self._quotes,
            {**self._quoted, **(quote_policy or {})},
            {**_every(True), **(include_policy or {})},
        )
