"""The HTML page: it holds all it needs, and nothing of the user's in it is markup."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from export_samples import hostile, text, warehouse, written
from headwater.export.feed import LEVELS, Level


def data_of(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1
    read: dict[str, Any] = json.loads(found[0])
    return read


def name(data: dict[str, Any], table: int, column: int) -> str:
    found = data["tables"][table]
    return str(found["name"] if column < 0 else f"{found['name']}.{found['columns'][column]['name']}")


def test_the_page_holds_the_graph() -> None:
    data = data_of(text("html_page", warehouse()))
    lines = {(name(data, *line[0:2]), name(data, *line[2:4]), line[4]): line[5] for line in data["lines"]}
    why = lines["raw.customers.email", "staging.customers.email_hash", "fdd"]
    assert why[0][:4] == ["TRANSFORMATION", "select", True, False]
    assert why[0][5:] == ["sha2(email, 256)", 6]
    assert data["processes"][why[0][4]] == ["Create View", ""]
    assert (data["version"], data["level"], data["note"]) == ("1", "column", "")


@pytest.mark.parametrize("level", LEVELS)
def test_it_has_every_level(level: Level) -> None:
    data = data_of(text("html_page", warehouse(level)))
    assert data["level"] == level
    assert {"mart.sales", "mart.top"} <= {table["name"] for table in data["tables"]}
    assert ("RS-1" in {table["name"] for table in data["tables"]}) == (level == "complete")
    assert all(table["columns"] == [] for table in data["tables"] if level == "table")


def test_it_asks_no_network_and_allows_its_own_script_only() -> None:
    page = text("html_page", warehouse())
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[0]
    for element in ("script", "style"):
        inside = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        assert len(inside) == 1
        assert f"{element}-src 'sha256-{b64encode(sha256(inside[0].encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.findall(r"\b(?:src|href)=|@import|url\((?!#)|innerHTML|\bstyle=", page.replace("marker-end", ""))
    assert set(re.findall(r"https?://[^\"\s]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "{{" not in page.partition("<script>")[0]


def test_hostile_names_cannot_leave_their_element() -> None:
    page = text("html_page", hostile())
    assert page.count("</script>") == 2
    assert page.count("<script") == 2
    shown = {column["name"] for table in data_of(page)["tables"] for column in table["columns"]}
    assert {"<script>alert(1)</script>", "x␊y", "nul\N{SYMBOL FOR NULL}z", "half\ufffd"} & shown
    assert max(map(len, shown)) == 300


def test_what_is_too_large_is_drawn_as_tables_and_said() -> None:
    names = ", ".join(f"c{n}" for n in range(2600))
    page, left_out = written("html_page", warehouse(sql=f"CREATE TABLE o AS SELECT {names} FROM t", impact=False))
    data = data_of(page.decode())
    assert data["level"] == "table"
    assert data["note"].startswith("Too large for columns")
    assert left_out[0].startswith("2600 relations of columns, which pass")
