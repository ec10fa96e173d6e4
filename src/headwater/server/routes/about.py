"""What this server is and can do."""

from __future__ import annotations

from fastapi import APIRouter

from headwater.server.served import AskedStore
from headwater.server.shapes.answers import About

router = APIRouter(tags=["about"])


@router.get("/about")
def about(store: AskedStore) -> About:
    """What this server is, and what it can do."""
    raise NotImplementedError
