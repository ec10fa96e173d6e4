"""`Members`: the nodes and sources of a project and its packages, found by the names that templates use."""

from __future__ import annotations

from typing import Any

from headwater.project.dbt.context.relation import Relation
from headwater.project.dbt.template_node import TemplateNode


class Members:
    """What a project consists of."""

    def __init__(self) -> None:
        self.nodes: dict[str, TemplateNode] = {}
        self.sources: dict[tuple[str, str], tuple[str, Relation]] = {}
        """Tables of sources by the names of both: unique id and relation."""
        self.described_sources: dict[str, dict[str, Any]] = {}
        """What files say of sources, by unique id."""
        self._by_name: dict[str, list[TemplateNode]] | None = None
        self._by_relation: dict[tuple[str, str, str], tuple[str, Relation]] | None = None

    def add(self, node: TemplateNode) -> None:
        """Make a node known."""
        self.nodes[node.unique_id] = node
        self._by_name = self._by_relation = None

    def remove(self, unique_id: str) -> None:
        """Forget a node: it is disabled."""
        self.nodes.pop(unique_id, None)
        self._by_name = self._by_relation = None

    def name(self, node: TemplateNode, relation: Relation) -> None:
        """Give a node the name of its table."""
        node.relation = relation
        self._by_relation = None

    def meant(self, names: tuple[str, ...], version: str, *packages: str) -> TemplateNode | None:
        """The node that `ref` means: of the first of the *packages* that has it, then of any."""
        if self._by_name is None:
            self._by_name = {}
            for node in self.nodes.values():
                if node.kind in ("model", "seed", "snapshot"):
                    self._by_name.setdefault(node.name, []).append(node)
        found = [
            node
            for node in self._by_name.get(names[-1], ())
            if (len(names) < 2 or node.package == names[0]) and node.version == (version or node.latest)
        ]
        order = {package: number for number, package in reversed([*enumerate(packages)])}
        return min(found, key=lambda node: order.get(node.package, len(packages)), default=None)

    def maker_of(self, source: str) -> str | None:
        """The node of the project whose table a source names."""
        relation = next((found for unique_id, found in self.sources.values() if unique_id == source), Relation())
        found = self.called(relation.database, relation.schema, relation.identifier)
        return found[0] if found is not None and found[0] in self.nodes else None

    def called(self, database: str, schema: str, identifier: str) -> tuple[str, Relation] | None:
        """The node or source whose table has this name, and its relation."""
        if self._by_relation is None:
            self._by_relation = {}
            every = [(node.unique_id, node.relation) for node in self.nodes.values() if node.relation.identifier]
            for unique_id, relation in (*every, *self.sources.values()):
                for name in (relation.database, ""):
                    key = (name.lower(), relation.schema.lower(), relation.identifier.lower())
                    self._by_relation.setdefault(key, (unique_id, relation))
        return self._by_relation.get((database.lower(), schema.lower(), identifier.lower()))
