"""The block reader: the tokens of a procedure, a function, a trigger, a package or a block to a `Program`.

One module per construct; each registers itself with `steps` under the words that begin it. What cannot be read is skipped to the next
statement boundary with a diagnostic, and what stands around it is read all the same.
"""

from headwater.sql.procedural import (
    assign,
    block,
    branch,
    call,
    cursor,
    declare,
    diagnostics,
    dynamic,
    leave,
    loop,
    named_by_variable,
    tsql,
)
from headwater.sql.procedural.routine import read_program

__all__ = [
    "assign",
    "block",
    "branch",
    "call",
    "cursor",
    "declare",
    "diagnostics",
    "dynamic",
    "leave",
    "loop",
    "named_by_variable",
    "read_program",
    "tsql",
]
