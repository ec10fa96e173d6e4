"""Calls of a template's macros that stand where a statement is due: `{{ is_unique(["id"]) }}`, alone or before a SELECT.

What such a macro writes is a statement of its own, or nothing. Without the macro nobody knows which, so each macro is one diagnostic of the
statement in whose place, or before which, it is called.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sqlglot.tokenizer_core import Token

from headwater.model.diagnostic import Code, Diagnostic
from headwater.sql.split import span_of

_CALL = re.compile(r"\{\{[-+]?\s*(?P<name>[A-Za-z_][\w.]*)\s*\(.*\)\s*[-+]?\}\}", re.DOTALL)
_NO_MACROS = frozenset({"ref", "source", "var", "env_var"})
"""What gives a name or a value, and never a statement."""
_HINT = "render it with --jinja, and name the folder that defines the macro too; or analyse the rendered SQL"


def called_macro(token: Token) -> str:
    """The macro that a token calls; empty if it is no call of a macro.

    `{{ is_unique(["id"]) }}` calls `is_unique`; `{{ ds }}` and `{{ ref('orders') }}` call none.
    """
    call = _CALL.fullmatch(token.text)
    return "" if call is None or call["name"] in _NO_MACROS else call["name"]


def unknown_macros(tokens: Sequence[Token]) -> tuple[Diagnostic, ...]:
    """One diagnostic for each macro that the tokens call, at its first call."""
    names = [called_macro(token) for token in tokens]
    return tuple(
        Diagnostic(Code.UNKNOWN_MACRO, _message(name, count), span_of([tokens[names.index(name)]]), name, _HINT)
        for name, count in Counter(filter(None, names)).items()
    )


def _message(name: str, calls: int) -> str:
    times = f", {calls} times" if calls > 1 else ""
    return f"the macro {name} is not known here: it is called where a statement is due{times}, and may write one"
