"""Where a macro that nobody has is called first: in the model that calls it, or in a macro that the model calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.model.span import LineIndex
from headwater.project.dbt.places import Places
from headwater.project.dbt.rendering import Rendering
from headwater.project.dbt.template_node import TemplateNode
from headwater.project.objects import Place

_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)


def first_call(macro: str, node: TemplateNode, rendering: Rendering, otherwise: Place, places: Places) -> Place:
    """The place of a macro's first call, as far as its name stands there."""
    name = macro.rpartition(".")[2]
    patterns = [rf"\b{re.escape(macro)}\s*\(", rf"\bdispatch\s*\([^)]*['\"]{re.escape(name)}['\"]"]
    for path, text in _texts(node, rendering, places):
        plain = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        found = next((match for pattern in patterns if (match := re.search(pattern, plain))), None)
        if found is not None:
            at = LineIndex(plain).position(found.start())
            return Place(path, at.line, at.column)
    return places.of_file(node.document) if node.stands_in else otherwise


def _texts(node: TemplateNode, rendering: Rendering, places: Places) -> Iterator[tuple[str, str]]:
    """The texts that may have the call, with their paths: the model's own, then the macros."""
    if node.stands_in is not None:
        yield places.of_file(node.document).path, node.stands_in[0]
    for package in (node.package, rendering.project):
        for macro in rendering.library.of_package(package):
            document = {"original_file_path": macro.path, "package_name": macro.package}
            yield places.of_file(document).path, macro.text
