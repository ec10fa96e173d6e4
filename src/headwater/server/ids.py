"""Ids as they come in: strings of digits that fit into 64 bits."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StringConstraints


def _fits(id: str) -> str:
    if abs(int(id)) >= 2**63:
        raise ValueError("it is no id")
    return id


ScriptId = Annotated[str, StringConstraints(pattern=r"^-?[0-9]{1,19}$"), AfterValidator(_fits)]
