"""Select items that stand for several outputs, or for none under their own name: the constructs register themselves here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from headwater.resolve.registry import Registry
from headwater.resolve.scope import ResultSet, Scope

ItemsHandler = Callable[[Scope, Any, ResultSet], bool]
"""Adds the outputs of a select item; False leaves it to be an ordinary expression."""

gives_outputs = Registry[ItemsHandler]()
"""Registers a handler for select items of exact node classes."""
