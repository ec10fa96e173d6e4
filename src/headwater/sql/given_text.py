"""SQL that a program gives to a call without writing it down: what stands for it in a script, and how that is known again.

Of `spark.sql(build(x))` a script has `${sql(build(x))}` at the place of the call. A placeholder that is a call, and is a whole statement,
is an SQL text that is not known.
"""

from __future__ import annotations

import re

_NAMES = re.compile(r"[\w.()\[\],\s]{1,40}")
"""An argument that holds no literal: literals may be secrets."""
_GIVEN = re.compile(r"\$\{[A-Za-z_]\w*\([^{}]*\)\}")


def given_text(function: str, argument: str) -> str:
    """What stands for the SQL that a call is given.

    >>> given_text("sql", "build(x)")
    '${sql(build(x))}'
    """
    shown = re.sub(r"\s", "", argument) if _NAMES.fullmatch(argument) else "…"
    return f"${{{function}({shown})}}"


def is_given_text(text: str) -> bool:
    """Whether a text is nothing else."""
    return _GIVEN.fullmatch(text) is not None
