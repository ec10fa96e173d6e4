"""Names with a part that only the database knows: a template that asks the database gets this text for every value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

UNKNOWN_PART = "run_query_value"


def has_unknown_part(name: str) -> bool:
    """Whether a name has such a part."""
    return UNKNOWN_PART in name.lower()


def may_be_called(names: Iterable[str], wanted: str) -> str | None:
    """The most specific of the names with an unknown part that *wanted* may be, with a value in its place.

    >>> may_be_called(["id", "n_run_query_value", "run_query_value"], "n_cash")
    'n_run_query_value'
    """
    fitting = (name for name in names if has_unknown_part(name) and _pattern(name.lower()).fullmatch(wanted.lower()))
    return max(fitting, key=len, default=None)


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(".+".join(map(re.escape, name.split(UNKNOWN_PART))))
