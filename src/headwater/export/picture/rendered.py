"""Pictures by Graphviz, which lays out the DOT graph of a drawing: SVG and PNG."""

from __future__ import annotations

import io
import warnings
from importlib.util import find_spec
from typing import Literal

from headwater.export.feed import Feed
from headwater.export.format import ExportError, Output
from headwater.export.picture.dot_graph import write_drawn
from headwater.export.picture.drawing import Limits, drawing

LIMITS = Limits(entities=200, columns=1500, lines=2000)

_DPI = {"svg": "72", "png": "144"}
"""Dots per inch: an SVG in its own points, a PNG fine enough for screens of today."""


def can_render() -> bool:
    """Whether pictures can be made here."""
    return find_spec("pygraphviz") is not None


def rendered(feed: Feed, output: Output, format: Literal["svg", "png"]) -> bytes:
    """The picture of a feed."""
    try:
        import pygraphviz  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise ExportError(f"{format} needs Graphviz: pip install 'headwater[pictures]' (html needs nothing)") from error
    picture = drawing(feed, LIMITS, output)
    text = io.BytesIO()
    write_drawn(feed, picture.level, picture.drawn(), Output(text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fonts that the machine does not have, which changes no more than widths
        laid_out = pygraphviz.AGraph(string=text.getvalue().decode())
        laid_out.graph_attr["dpi"] = _DPI[format]
        laid_out.layout("dot")
        found = laid_out.draw(format=format)
    return bytes(found)
