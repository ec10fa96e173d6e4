"""SQLFlow's XML: `dlineage` with processes, procedures, tables, views, result sets, paths, stages, variables and relations.

What the reference has no place for stands in processing instructions, which readers of XML skip: the format's version, and the paths of
the scripts whose numbers coordinates have.
"""

from __future__ import annotations

import re
from itertools import chain
from xml.sax.saxutils import quoteattr

from headwater import __version__
from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.sqlflow import MODEL_VERSION
from headwater.export.sqlflow.elements import Element, Elements

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, however they are written."""


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """Write a feed as one document."""
    writer = _Writer(output)
    output.write('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n')
    writer.instruct("headwater", version=__version__, model=MODEL_VERSION, level=feed.scope.level)
    for script in feed.scripts():
        writer.instruct("headwater-script", number=str(script.number), path=script.path)
    output.write("<dlineage>\n")
    elements = Elements(feed)
    things = (elements.processes(), elements.procedures(), elements.entities())
    for element in chain(*things, elements.relations(), elements.errors()):
        writer.write(element)
    output.write("</dlineage>\n")


class _Writer:
    """Writes elements, each on lines of its own."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def instruct(self, target: str, **attributes: str) -> None:
        """Write a processing instruction."""
        self._output.write(f"<?{target}{self._attributes(attributes)}?>\n")

    def write(self, element: Element) -> None:
        """Write an element with its children."""
        start = f"  <{element.name}{self._attributes(element.attributes)}"
        if not element.children:
            self._output.write(start + "/>\n")
            return
        inside = "".join(f"    <{child.name}{self._attributes(child.attributes)}/>\n" for child in element.children)
        self._output.write(f"{start}>\n{inside}  </{element.name}>\n")

    def _attributes(self, attributes: dict[str, str]) -> str:
        return "".join(f" {name}={self._quoted(value)}" for name, value in attributes.items() if value)

    def _quoted(self, value: str) -> str:
        if value.isprintable() and value.isascii() and not _MARKUP.search(value):
            return f'"{value}"'
        fit, unfit = _UNFIT.subn("\ufffd", value)
        if unfit:
            self._output.leave_out("characters that XML cannot hold", unfit)
        return quoteattr(fit, {'"': "&quot;"})


_MARKUP = re.compile("[<>&\"']")

FORMAT = Format("sqlflow-xml", "SQLFlow's XML (dlineage)", write, level="complete")
