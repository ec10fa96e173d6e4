"""Graphviz DOT: a card for each table with a row for each column, a line for each source of each relation."""

from __future__ import annotations

from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.picture.dot_graph import write_drawn
from headwater.export.picture.lines import Line, graph


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """A feed as a DOT graph, written as it comes."""
    level = feed.scope.level
    drawn = ([each] if isinstance(each, Line) else each for each in graph(feed, level))
    write_drawn(feed, level, drawn, output)


FORMAT = Format("dot", "Graphviz DOT: a card for each table, a row for each column", write)
