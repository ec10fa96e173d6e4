"""CASE, IF, NULLIF, NVL2, DECODE, multiIf: which operands are tested, and which are chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headwater.model.kind import CASE_WHEN, TRANSFORMATION


def choices(node: Any) -> list[tuple[Any, int]]:
    """What is tested and what is chosen, each with how it flows, in the order in which it is written."""
    return [(each, kind) for each, kind in _CHOICES[node.__class__](node) if isinstance(each, exp.Expr)]


def _case(node: Any) -> list[tuple[Any, int]]:
    """`CASE [x] WHEN y THEN a … ELSE b END`: x and y are tests, a and b values."""
    found = [(node.args.get("this"), CASE_WHEN)]
    for branch in node.args["ifs"]:
        found += [(branch.this, CASE_WHEN), (branch.args["true"], TRANSFORMATION)]
    return [*found, (node.args.get("default"), TRANSFORMATION)]


def _if(node: Any) -> list[tuple[Any, int]]:
    """`IF(test, a, b)`, IFF, IIF, `NVL2(test, a, b)`."""
    test = [] if _is_rewritten(node) else [(node.this, CASE_WHEN)]
    return [*test, *((node.args.get(key), TRANSFORMATION) for key in ("true", "false"))]


def _is_rewritten(node: Any) -> bool:
    """ZEROIFNULL and its kin reach us as `IF(x IS NULL, 0, x)` with one and the same x: the user wrote no test."""
    test = node.this
    return isinstance(test, exp.Is) and test.this is node.args.get("false")


def _nullif(node: Any) -> list[tuple[Any, int]]:
    """`NULLIF(a, b)`: a flows, b is compared."""
    return [(node.this, TRANSFORMATION), (node.expression, CASE_WHEN)]


def _decode(node: Any) -> list[tuple[Any, int]]:
    """`DECODE(x, y1, a1, y2, a2, …, default)`: x and every y are tests."""
    subject, *rest = node.expressions
    return [(subject, CASE_WHEN), *_alternating(rest)]


def _alternating(given: list[Any]) -> list[tuple[Any, int]]:
    """Tests and values in turn; a value for all other cases may stand at the end."""
    tested = [i % 2 == 0 and i + 1 < len(given) for i in range(len(given))]
    return [(each, CASE_WHEN if tests else TRANSFORMATION) for each, tests in zip(given, tested, strict=True)]


_CHOICES: dict[type, Callable[[Any], list[tuple[Any, int]]]] = {
    exp.Case: _case,
    exp.If: _if,
    exp.Nvl2: _if,
    exp.Nullif: _nullif,
    exp.DecodeCase: _decode,
    exp.Anonymous: lambda node: _alternating(node.expressions),
}
