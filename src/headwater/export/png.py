"""PNG: a picture of the lineage for a pull request or a page, laid out by Graphviz."""

from __future__ import annotations

import zlib

from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.picture.rendered import rendered

VERSION = "1"


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """A feed as a PNG image; a text chunk behind its header says who made it."""
    image = rendered(feed, output, "png")
    output.stream.write(image[:_HEADER] + _text("Software", f"headwater png {VERSION}") + image[_HEADER:])


_HEADER = 33
"""Bytes of the signature and the header chunk."""


def _text(key: str, value: str) -> bytes:
    chunk = b"tEXt" + key.encode("latin-1") + b"\0" + value.encode("latin-1")
    return (len(chunk) - 4).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")


FORMAT = Format("png", "PNG picture, laid out by Graphviz; best of one column's lineage", write)
