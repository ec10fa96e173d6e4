"""Reading script files, whatever their encoding."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Text(NamedTuple):
    """A file's text, and the encoding it was read with."""

    text: str
    encoding: str


def read_text(path: Path) -> Text:
    """The text of a file."""
    return decode(path.read_bytes())


def decode(content: bytes) -> Text:
    """UTF-8 or UTF-16 by the byte order mark, else UTF-8, else Latin-1, which every byte fits."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Text(content.decode("utf-16", errors="replace"), "utf-16")
    try:
        return Text(content.decode("utf-8-sig"), "utf-8")
    except UnicodeDecodeError:
        return Text(content.decode("latin-1"), "latin-1")
