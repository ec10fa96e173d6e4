"""What a name that fits nobody may have meant: hints, which change no relation."""

from __future__ import annotations

import pytest

from headwater import analyze

SCHEMA = {"orders": ["id", "amount"], "customers": ["id", "name"]}

HINTS = {
    "a near column": ("SELECT amuont FROM orders", "did you mean amount?"),
    "a near column of a qualified one": ("SELECT o.amuont FROM orders o", "did you mean amount?"),
    "a column unlike any": ("SELECT zzz FROM orders", ""),
    "the table's name, which its alias hides": (
        "SELECT orders.id FROM orders AS ord",
        "write ord.id",
    ),
    "a near alias": ("SELECT odr.id FROM (SELECT id FROM orders) AS ordr", "did you mean ordr?"),
    "an abbreviation": ("SELECT o.id FROM orders AS ord", "did you mean ord.id?"),
    "an alias spelled out": ("SELECT customer.name FROM customers AS cust", "did you mean cust.name?"),
    "the only one that has the column": ("SELECT z.name FROM orders a, customers b", "did you mean b.name?"),
    "several that have the column": ("SELECT z.id FROM orders a, customers b", ""),
    "several abbreviations": ("SELECT x.id FROM orders xa, customers xb", ""),
    "an item of the query around": (
        "SELECT id FROM orders AS ord WHERE EXISTS (SELECT 1 FROM customers c WHERE o.id = c.id)",
        "did you mean ord.id?",
    ),
    "a star": ("SELECT o.* FROM orders AS ord", "did you mean ord.*?"),
    "a star of a hidden name": ("SELECT orders.* FROM orders AS ord", "orders is called ord here; did you mean ord.*?"),
}


@pytest.mark.parametrize(("sql", "hint"), HINTS.values(), ids=HINTS)
def test_hint(sql: str, hint: str) -> None:
    (diagnostic,) = analyze(sql, "tsql", SCHEMA).diagnostics
    assert diagnostic.code.value == "unresolved-column"
    assert diagnostic.hint == hint


def test_hint_at_a_field_of_a_struct() -> None:
    schema = {"t": {"s": "struct<city:string,zip:string>"}}
    (diagnostic,) = analyze("SELECT s.ctiy FROM t", "spark", schema).diagnostics
    assert (diagnostic.message, diagnostic.hint) == ("the struct s has no field ctiy", "did you mean city?")
