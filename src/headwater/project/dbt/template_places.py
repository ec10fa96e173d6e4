"""Where the SQL of a model stands in its file: known from its rendering, or found by aligning compiled code with the template.

A file that has changed since dbt compiled it has other lines: then nothing is known.
"""

from __future__ import annotations

from pathlib import Path

from headwater.project.dbt.document import Document, text
from headwater.project.dbt.files import template_digest
from headwater.project.dbt.node_files import snapshot_offsets, snapshots_in
from headwater.project.dbt.reading import Reading
from headwater.source.template_map import TemplateMap
from headwater.sql.text import read_text


def template_places(node: Document, reading: Reading, sql: str) -> TemplateMap | None:
    """Where a node's SQL stands in its file; None if that cannot be known."""
    known = node.get("template_map")
    if isinstance(known, TemplateMap):
        return known
    path = Path(reading.places.of_file(node).path)
    if not sql or reading.folder.root is None or path.suffix != ".sql" or "template_problem" in node:
        return None
    try:
        content = read_text(path).text
    except OSError:
        return None
    return _aligned(node, content, sql)


def _aligned(node: Document, content: str, sql: str) -> TemplateMap | None:
    try:
        from headwater.source.template_alignment import aligned
    except ModuleNotFoundError:
        return None
    template, offset = content, 0
    if text(node, "resource_type") == "snapshot":
        name = text(node, "name")
        template, offset = snapshots_in(content).get(name, content), snapshot_offsets(content).get(name, 0)
    digest = text(node, "template_digest")
    if digest and digest not in (template_digest(template), template_digest(content)):
        return None
    found = aligned(template, sql)
    return None if found is None else found.standing_in(content, offset)
