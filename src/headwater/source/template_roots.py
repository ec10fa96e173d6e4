"""Templates that other templates include: found in the folders that were named, and nowhere else.

A name counts from one of the folders. One that is absolute, that climbs out with `..`, or whose file is a link to a place outside of all
folders is not found. So a template shows nothing that its reader was not given.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from headwater.sql.text import BINARY, read_text

_MAX_BYTES = 2_000_000


def template_in(roots: Sequence[str], name: str) -> str | None:
    """The text of a template; None if the folders have none of that name."""
    parts = name.replace("\\", "/").split("/")
    if os.path.isabs(name) or os.pardir in parts or ":" in parts[0]:
        return None
    allowed = [os.path.realpath(root) for root in roots]
    for root in roots:
        path = os.path.join(root, *parts)
        real = os.path.realpath(path)
        inside = any(real.startswith(folder.rstrip(os.sep) + os.sep) for folder in allowed)
        if inside and os.path.isfile(real) and os.path.getsize(real) <= _MAX_BYTES:
            read = read_text(Path(real))
            return None if read.encoding == BINARY else read.text
    return None
