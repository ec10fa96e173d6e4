"""A file that does not exist, in words, with the one that was perhaps meant."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from headwater.model.suggestion import nearest

_MOST = 10_000
"""Names of a folder that are looked at."""


def missing(path: Path) -> str:
    """`mart/slaes.sql does not exist; did you mean mart/sales.sql?`: a near name for the first part that is not there."""
    part = next((p for p in [*reversed(path.parents), path] if not p.exists()), path)
    try:
        siblings = sorted(p.name for p in islice(part.parent.iterdir(), _MOST))
    except OSError:
        siblings = []
    rest = path.relative_to(part)
    meant = [str(part.parent / name / rest) for name in nearest(part.name, siblings)]
    existing = [name for name in meant if Path(name).exists()] or meant
    return f"{path} does not exist" + (f"; did you mean {' or '.join(existing)}?" if existing else "")
