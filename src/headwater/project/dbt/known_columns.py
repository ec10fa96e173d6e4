"""The columns of models, seeds and sources, as templates ask for them.

They come from dbt's catalog file, a seed's header, the lineage of a model's query, or YAML.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from headwater.budget import Budget
from headwater.catalog import Catalog
from headwater.model.entity import EntityKind
from headwater.project.dbt.adapters import dialect_of_adapter
from headwater.project.dbt.catalog import read_catalog_file
from headwater.project.dbt.document import Document, inners, text
from headwater.project.dbt.documented import is_quoted
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.naming import dotted, table_of
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.rendering import Rendering
from headwater.project.dbt.seed_header import seed_columns
from headwater.project.dbt.template_node import TemplateNode
from headwater.project.objects import Place
from headwater.project.resolved import resolve_statement
from headwater.project.statement import ProjectStatement
from headwater.resolve import Session
from headwater.sql.dialect import dialect
from headwater.sql.quoted import quoted_table

Columns = Mapping[str, str]


class KnownColumns:
    """Finds columns; each table's once."""

    def __init__(self, rendering: Rendering, sources: Sequence[Document], folder: Folder, remarks: Remarks) -> None:
        self._rendering = rendering
        self._dialect = dialect(dialect_of_adapter(rendering.target.adapter) or "ansi")
        self._sources = {text(source, "unique_id"): source for source in sources}
        self._catalog = read_catalog_file(folder, self._dialect, remarks)
        self._root = folder.root
        self._found: dict[str, Columns | None] = {}

    def of(self, unique_id: str) -> Columns | None:
        """The columns of a node or source; None if nobody knows them."""
        for each in self._unknown_below(unique_id):
            self._found[each] = self._columns(each)
        return self._found[unique_id]

    def _unknown_below(self, unique_id: str) -> list[str]:
        """What is still unknown of a node or source and of what it reads, which comes first; each is noted as found, against cycles."""
        order: list[str] = []
        pending = [(unique_id, False)]
        while pending:
            current, is_open = pending.pop()
            if is_open:
                order.append(current)
            elif current not in self._found:
                self._found[current] = None
                pending.append((current, True))
                pending += [(each, False) for each in self._read_by(current)]
        return order

    def _read_by(self, unique_id: str) -> Iterable[str]:
        """What a node or source takes its columns from."""
        if self._catalog.get(unique_id):
            return ()
        if unique_id in self._sources:
            made_by = self._rendering.members.maker_of(unique_id)
            return (made_by,) if made_by else ()
        node = self._rendering.members.nodes[unique_id]
        return () if node.kind == "seed" else self._rendering.rendered(unique_id).needs

    def _columns(self, unique_id: str) -> Columns | None:
        named = self._catalog.get(unique_id)
        if named:
            return {name.strip('"'): kind for name, kind in named.items()}
        if unique_id in self._sources:
            made_by = self._rendering.members.maker_of(unique_id)
            return (self.of(made_by) if made_by else None) or self._documented(self._sources[unique_id]) or None
        node = self._rendering.members.nodes[unique_id]
        if node.kind == "seed":
            return self._of_seed(node) or self._documented(node.document) or None
        return self._of_query(node) or self._documented(node.document) or None

    def _of_seed(self, node: TemplateNode) -> Columns:
        root = self._rendering.package_root(node.package)
        found = seed_columns(root / str(node.document["original_file_path"]), node.config) if root else {}
        quoted = node.config.get("quote_columns") is True
        return {self._dialect.fold_column(name, quoted): kind for name, kind in found.items()}

    def _of_query(self, node: TemplateNode) -> Columns:
        """What a model's query gives, by its lineage."""
        made = self._rendering.rendered(node.unique_id)
        if not made.sql.strip():
            return {}
        known = {name: found for name in made.needs if (found := self.of(name))}
        catalog = {dotted(table): columns for name, columns in known.items() if (table := self._table(name))}
        table = self._table(node.unique_id)
        if table is None:
            return {}
        sql = f"CREATE VIEW {quoted_table(table, self._dialect)} AS\n{made.sql.strip().rstrip(';')}"
        statement = ProjectStatement(table, EntityKind.VIEW, sql, self._dialect.name, None, Place(""))
        for each in resolve_statement(statement, Session(Catalog(catalog)), Budget()):
            for definition in each.resolution.defines:
                if definition.table == table and definition.columns:
                    return dict(definition.columns)
        return {}

    def _table(self, unique_id: str) -> tuple[str, ...] | None:
        node = self._rendering.members.nodes.get(unique_id)
        relation = (
            str(replace(node.relation, text="")) if node else text(self._sources.get(unique_id, {}), "relation_name")
        )
        return table_of({"relation_name": relation}, self._dialect)

    def _documented(self, entry: Document) -> Columns:
        """The columns that YAML names, as the database calls them."""
        return {
            self._dialect.fold_column(text(column, "name").strip('"'), is_quoted(column)): text(column, "data_type")
            for column in inners(entry, "columns")
            if text(column, "name")
        }
