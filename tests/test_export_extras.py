"""Formats that need a library which is not installed: the error names the extra that brings it."""

from __future__ import annotations

import io
import sys

import pytest

from hand_made_feed import HandMadeFeed
from headwater.export import format_named
from headwater.export.format import Choices, ExportError, Output


@pytest.mark.parametrize(
    ("format", "library", "extra"),
    [
        ("atlas", "apache_atlas", "atlas"),
        ("rdbms", "sqlalchemy", "rdbms"),
        ("openlineage", "openlineage", "openlineage"),
        ("svg", "pygraphviz", "pictures"),
        ("png", "pygraphviz", "pictures"),
    ],
)
def test_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, format: str, library: str, extra: str) -> None:
    for name in [name for name in sys.modules if name.startswith((library, f"headwater.export.{format}."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    wanted, feed = format_named(format), HandMadeFeed(["a", "b"])
    assert wanted.write or wanted.send
    if wanted.write:
        with pytest.raises(ExportError, match=rf"pip install 'headwater\[{extra}\]'"):
            wanted.write(feed, Output(io.BytesIO()), Choices())
    if wanted.send:
        with pytest.raises(ExportError, match=rf"pip install 'headwater\[{extra}\]'"):
            wanted.send(feed, "sqlite://" if format == "rdbms" else "http://h", Choices())
