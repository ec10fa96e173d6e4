"""Names with a part that nobody knows.

A template that asks the database gets `run_query_value` for every value; `unknown_macro_value` stands for what a macro would write that is
not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

UNKNOWN_PART = "run_query_value"
UNKNOWN_MACRO_PART = "unknown_macro_value"
_PART = re.compile(f"{UNKNOWN_PART}|{UNKNOWN_MACRO_PART}")


def has_unknown_part(name: str) -> bool:
    """Whether a name has such a part."""
    return _PART.search(name.lower()) is not None


def is_asked_for(text: str) -> bool:
    """Whether a text has a part that only the database knows."""
    return UNKNOWN_PART in text.lower()


def may_be_called(names: Iterable[str], wanted: str) -> str | None:
    """The most specific of the names with an unknown part that *wanted* may be, with a value in its place.

    >>> may_be_called(["id", "n_run_query_value", "run_query_value"], "n_cash")
    'n_run_query_value'
    """
    fitting = (name for name in names if has_unknown_part(name) and _pattern(name.lower()).fullmatch(wanted.lower()))
    return max(fitting, key=len, default=None)


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(".+".join(map(re.escape, _PART.split(name))))
