"""Times in ISO 8601, as Python reads them since 3.11."""

from __future__ import annotations

import re
import sys
from datetime import datetime

_FRACTION = re.compile(r"\.(\d+)")


def read_iso(text: str) -> datetime:
    """A time out of a text; raises `ValueError` if it is none.

    >>> read_iso("2026-01-31T08:00:00.5Z").isoformat()
    '2026-01-31T08:00:00.500000+00:00'
    """
    if sys.version_info < (3, 11):  # which knows neither Z nor fractions of any length
        text = _FRACTION.sub(lambda found: f".{found[1][:6]:0<6}", text)
        text = f"{text[:-1]}+00:00" if text.endswith(("Z", "z")) else text
    return datetime.fromisoformat(text)
