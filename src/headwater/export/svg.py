"""SVG: a picture of the lineage for a pull request or a page, laid out by Graphviz."""

from __future__ import annotations

from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.picture.rendered import rendered

VERSION = "1"


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """A feed as an SVG image."""
    output.write(rendered(feed, output, "svg").decode().replace("<svg ", f"<!-- headwater svg {VERSION} -->\n<svg ", 1))


FORMAT = Format("svg", "SVG picture, laid out by Graphviz; best of one column's lineage", write)
