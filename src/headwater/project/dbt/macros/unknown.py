"""Names that nobody has: a macro that is called but not defined becomes a call of an unknown function, with its arguments.

    {{ audit.mask('email') }}    audit__mask(email)

`unknown_calls` writes these calls, as `mark_positions` says what stands there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jinja2

Called = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]
"""What the call of a macro gives: its name, and what it is given."""


def unknown_names(called: Called) -> type[jinja2.Undefined]:
    """The class of names that nobody has."""

    class Unknown(jinja2.Undefined):
        """Nothing where it is written, as in dbt; what *called* gives where it is called."""

        def __getattr__(self, name: str) -> Any:
            if name[:2] == "__":
                raise AttributeError(name)
            own = self._undefined_name
            return Unknown(name=f"{own}.{name}" if own else name)

        def __getitem__(self, key: Any) -> Any:
            return self

        def __call__(self, *args: Any, **named: Any) -> Any:
            return called(str(self._undefined_name or "unknown"), args, named)

    return Unknown
