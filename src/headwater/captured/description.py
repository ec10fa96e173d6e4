"""A line that says what a job does, for one that was not SQL."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from headwater.model.entity import PSEUDO_ROWS

_SHOWN = 8
"""Names that are listed; of more, the rest is counted."""


def described(content: dict[str, Any]) -> str:
    """A comment, in SQL's sense; jobs that differ have different ones.

    `-- captured Insert into mart.daily (day, total) from raw.orders [1f3c…]`
    """
    names = [".".join(each["name"]) for each in content["entities"]]
    written = [names[number] for number in content["written"]]
    read = [names[number] for number in content["read"]]
    columns = content["outputs"] or list(
        dict.fromkeys(
            column
            for owner, column, *_ in [*content["edges"], *content["constants"]]
            if owner in content["written"] and column != PSEUDO_ROWS
        )
    )
    words = ["-- captured", content["type"]]
    words += ["into", _listed(written)] if written else []
    words += [f"({_listed(columns)})"] if columns else []
    words += ["from", _listed(read)] if read else []
    digest = blake2b(json.dumps(content).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return " ".join([*words, f"[{digest}]"]).replace("\n", " ")


def _listed(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join([*names[:_SHOWN], *([f"and {more} more"] if more > 0 else [])])
