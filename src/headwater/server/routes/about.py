"""What this server is and can do."""

from __future__ import annotations

from fastapi import APIRouter

from headwater import __version__
from headwater.export import BINARY, MODULES, format_named
from headwater.export.picture.rendered import can_render
from headwater.server.served import AskedStore
from headwater.server.shapes.answers import About, FormatThing
from headwater.sql.dialect import dialect_names

_PICTURES = ("svg", "png")

router = APIRouter(tags=["about"])


@router.get("/about")
def about(store: AskedStore) -> About:
    """What this server is, and what it can do."""
    return About(version=__version__, dialects=dialect_names(), formats=_formats(), store=store.facts())


def _formats() -> list[FormatThing]:
    """The formats that can be files, as far as they can be made here; others go to a database or server only."""
    found = [format_named(name) for name in MODULES if name not in _PICTURES or can_render()]
    return [
        FormatThing(name=each.name, summary=each.summary, levels=list(each.levels), binary=each.name in BINARY)
        for each in found
        if each.write is not None
    ]
