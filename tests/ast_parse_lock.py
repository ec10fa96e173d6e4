"""One thread at a time in `ast.parse`.

Before Python 3.12.3, two threads in `ast.parse` disturb each other: one of them raises "SystemError: AST constructor recursion depth
mismatch" (python/cpython#106905). The second thread gets in when the garbage collector runs a callback; Hypothesis installs one.
Hypothesis, Schemathesis and `traceback` all call `ast.parse`, and tests start servers in threads.
"""

from __future__ import annotations

import ast
import sys
from functools import wraps
from threading import RLock
from typing import Any

_FIXED = (3, 12, 3)


def install() -> None:
    """Put a lock around `ast.parse`, on versions of Python that need it."""
    if sys.version_info >= _FIXED:
        return
    parse, lock = ast.parse, RLock()

    @wraps(parse)
    def parse_alone(*arguments: Any, **options: Any) -> Any:
        with lock:
            return parse(*arguments, **options)

    ast.parse = parse_alone  # type: ignore[assignment]
