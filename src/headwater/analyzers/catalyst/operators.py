"""The readers of an analysed plan's operators, which the modules of these fill."""

from __future__ import annotations

from headwater.analyzers.registry import Registry
from headwater.analyzers.select import Operator

reads = Registry[Operator]()
"""Registers the reader of an operator by its class' name."""
