"""`graph` in a template: the nodes and sources of the project, by unique id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headwater.project.dbt.members import Members


class Graph(dict[str, Any]):
    """What dbt knows of the project. Macros may keep what they like beside it."""

    def __init__(self, members: Members) -> None:
        super().__init__({"exposures": {}, "metrics": {}, "groups": {}})
        self._members = members
        self._nodes: dict[str, Any] = {}

    def __missing__(self, key: str) -> Any:
        if key == "nodes":
            return self._all_nodes()
        if key == "sources":
            return self._all_sources()
        raise KeyError(key)

    def get(self, key: str, default: Any = None) -> Any:
        """What it holds."""
        try:
            return self[key]
        except KeyError:
            return default

    def _all_nodes(self) -> dict[str, Any]:
        """Models, seeds and snapshots."""
        if len(self._nodes) != len(self._members.nodes):
            self._nodes = {name: node.document for name, node in self._members.nodes.items()}
        return self._nodes

    def _all_sources(self) -> dict[str, Any]:
        """Tables of sources."""
        return {
            unique_id: {
                **self._members.described_sources.get(unique_id, {}),
                "unique_id": unique_id,
                "source_name": names[0],
                "name": names[1],
                "resource_type": "source",
                "schema": relation.schema,
                "database": relation.database,
                "identifier": relation.identifier,
            }
            for names, (unique_id, relation) in self._members.sources.items()
        }
