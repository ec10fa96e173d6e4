"""`headwater check` over scripts: what it finds, how it ends, what suppresses findings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command import Run, line_with, write
from headwater.check.rules import LOST_CODES, NAMES, RULES
from headwater.cli.check_settings import NAMES as SETTINGS
from headwater.cli.settings import key_of
from headwater.model.diagnostic import SEVERITY, Code
from test_cli_shell import completions

SCHEMA = '{"raw.orders": ["order_id", "amount"], "raw.customers": ["customer_id"]}'
BAD = "SELECT o.custmer FROM raw.orders o"


def found(run: Run, *arguments: str | Path, stdin: bytes = b"") -> list[dict[str, Any]]:
    """The findings, as JSON has them."""
    out = run("check", *arguments, "--schema", SCHEMA, "--format", "json", stdin=stdin).out
    findings: list[dict[str, Any]] = json.loads(out)["findings"]
    return findings


def rules(run: Run, text: str, *arguments: str) -> list[tuple[str, int]]:
    """The rules that a script breaks, and the lines."""
    write("s.sql", text)
    return [(each["rule"], each["line"]) for each in found(run, "s.sql", *arguments)]


# What is found


def test_a_clean_script_ends_with_0(run: Run, folder: Path) -> None:
    write("s.sql", "INSERT INTO mart.sales SELECT order_id FROM raw.orders")
    code, out, err = run("check", "s.sql", "-s", SCHEMA)
    assert (code, out) == (0, "")
    assert err.splitlines()[0] == "no findings"


def test_findings_have_place_excerpt_and_hint(run: Run, folder: Path) -> None:
    write("etl/s.sql", "SELECT order_id,\n  o.amuont FROM raw.orders o")
    code, out, err = run("check", "etl", "-s", SCHEMA)
    assert code == 1
    assert out.splitlines()[0].startswith("etl/s.sql:2:3: warning[unresolved-column] ")
    assert out.splitlines()[2:] == [
        "2 |   o.amuont FROM raw.orders o",
        "  |   ^^^^^^^^",
        "  = hint: did you mean amount?",
    ]
    assert err.splitlines()[0] == "1 warning"


def test_rules_that_need_a_store_are_named(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT 1")
    assert "unused-column, cyclic-definition, breaking-change; it needs a store" in run("check", "s.sql").err
    skipped = json.loads(run("check", "s.sql", "-f", "json").out)["skipped"]
    assert {each["rule"] for each in skipped} == {"unused-column", "cyclic-definition", "breaking-change"}
    assert "not checked" not in run("check", "s.sql", "--select", "unresolved-column").err


def test_every_statement_that_is_lost_is_one_rule(run: Run, folder: Path) -> None:
    write("s.sql", "SELEC 1;\nSELECT 1")
    write("t.sql", b"PK\x03\x04\x00\x00\x08\x00")
    each = found(run, "s.sql", "t.sql")
    assert [(e["rule"], e["code"], e["severity"]) for e in each] == [
        ("lost-statement", "syntax-error", "error"),
        ("lost-statement", "unreadable-file", "error"),
    ]
    assert [e["code"] for e in found(run, "s.sql", "t.sql", "--select", "syntax-error")] == ["syntax-error"]
    assert [e["code"] for e in found(run, "s.sql", "t.sql", "--ignore", "syntax-error")] == ["unreadable-file"]


def test_a_star_over_an_unknown_table(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT o.*, x.* FROM raw.orders o, raw.unknown x;\nSELECT count(*) FROM raw.unknown")
    (each,) = found(run, "s.sql")
    assert (each["rule"], each["subject"], each["line"], each["column"]) == ("unknown-star", "raw.unknown", 1, 13)


def test_standard_input(run: Run, folder: Path) -> None:
    assert found(run, "-", stdin=BAD.encode())[0]["path"] == "<stdin>"


@pytest.mark.parametrize(
    ("fail_on", "text", "code"),
    [
        ("error", BAD, 0),
        ("warning", BAD, 1),
        ("error", "SELEC 1", 1),
        ("warning", "-- headwater: ignore[encoding]\nSELECT 1", 0),
        ("info", "-- headwater: ignore[encoding]\nSELECT 1", 1),
    ],
)
def test_fail_on(fail_on: str, text: str, code: int, run: Run, folder: Path) -> None:
    write("s.sql", text)
    assert run("check", "s.sql", "-s", SCHEMA, "--fail-on", fail_on).code == code


def test_tables_of_earlier_scripts_are_known(run: Run, folder: Path) -> None:
    write("sql/1.sql", "CREATE TABLE db.t (a INT)")
    write("sql/2.sql", "SELECT * FROM db.t")
    assert run("check", "sql").code == 0


# Suppressions


@pytest.mark.parametrize(
    "text",
    [
        f"{BAD} -- headwater: ignore[unresolved-column]",
        f"{BAD} -- headwater: ignore",
        f"{BAD} -- headwater: ignore[unresolved-column] the table is legacy",
        f"{BAD} -- headwater: ignore -- the table is legacy",
        f"{BAD} /* headwater: ignore[unresolved-column] */;",
        f"--headwater:ignore[ unresolved-column ]\n{BAD}",
        "-- headwater: ignore[unresolved-column]\n-- more\nSELECT o.order_id,\n  o.custmer\nFROM raw.orders o",
        "SELECT o.order_id,\n  -- headwater: ignore[unresolved-column]\n  o.custmer\nFROM raw.orders o",
        f"-- headwater: ignore-file[unresolved-column]\nSELECT 1;\n{BAD}",
        f"-- about\n/* headwater: ignore-file */\nSELECT 1;\n{BAD}",
        "SELEC 1; -- headwater: ignore[syntax-error]",
        "-- headwater: ignore[lost-statement]\nSELEC 1;",
        "SELECT * FROM nowhere -- headwater: ignore[unknown-star]",
        f"{BAD} -- headwater: ignore[unresolved-column, unused-column]",
    ],
)
def test_what_suppresses(text: str, run: Run, folder: Path) -> None:
    assert rules(run, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"SELECT '-- headwater: ignore', {BAD[7:]}", [("unresolved-column", 1)]),
        (f"SELECT '\n-- headwater: ignore\n', {BAD[7:]}", [("unresolved-column", 3)]),
        (f"{BAD}\n-- headwater: ignore[unresolved-column]", [("unresolved-column", 1), ("unused-suppression", 2)]),
        (f"{BAD} -- headwater: ignore[encoding]", [("unresolved-column", 1), ("unused-suppression", 1)]),
        (f"SELECT 1;\n-- headwater: ignore-file\n{BAD}", [("unused-suppression", 2), ("unresolved-column", 3)]),
        (f"{BAD} -- headwater: ignore[unresolved]", [("unresolved-column", 1), ("unused-suppression", 1)]),
        (f"{BAD} -- headwater: ignore[]", [("unresolved-column", 1), ("unused-suppression", 1)]),
        (f"{BAD} -- headwater: ignore unresolved-column", [("unresolved-column", 1), ("unused-suppression", 1)]),
        (f"{BAD} -- headwater: ignroe", [("unresolved-column", 1), ("unused-suppression", 1)]),
        (f"{BAD} -- headwater: a fine tool", [("unresolved-column", 1)]),
        (f"-- headwater: ignore\nSELECT 1;\n{BAD}", [("unresolved-column", 3)]),
        (f"-- headwater: ignore[unused-column]\nSELECT 1;\n{BAD}", [("unresolved-column", 3)]),
        (f"-- headwater: ignore[template,unresolved-column]\n{BAD}", [("unused-suppression", 1)]),
    ],
)
def test_what_does_not_suppress(text: str, expected: list[tuple[str, int]], run: Run, folder: Path) -> None:
    assert rules(run, text) == expected


def test_a_suppression_is_not_judged_by_rules_that_were_not_asked(run: Run, folder: Path) -> None:
    text = f"{BAD} -- headwater: ignore[unresolved-column]"
    assert rules(run, text, "--ignore", "unresolved-column") == []
    assert rules(run, text, "--select", "encoding,unused-suppression") == []


def test_an_unknown_rule_in_a_comment_gets_a_suggestion(run: Run, folder: Path) -> None:
    write("s.sql", f"{BAD} -- headwater: ignore[unresolved-colum]")
    assert "did you mean unresolved-column" in line_with(run("check", "s.sql").out, "unused-suppression")


def test_suppressed_findings_are_counted(run: Run, folder: Path) -> None:
    write("s.sql", f"{BAD} -- headwater: ignore[unresolved-column]")
    assert "no findings (1 suppressed)" in run("check", "s.sql", "-s", SCHEMA).err


def test_comments_survive_damage_and_secrets(run: Run, folder: Path) -> None:
    text = f"SELECT 'open;\nCREATE USER u IDENTIFIED BY 'hunter2';\n{BAD}; -- headwater: ignore[unresolved-column]\n"
    write("s.sql", text)
    code, out, _ = run("check", "s.sql", "-s", SCHEMA)
    assert code == 1
    assert "unresolved-column" not in out
    assert "hunter2" not in out


# Settings


def test_settings_of_a_file(run: Run, folder: Path) -> None:
    write(
        "pyproject.toml",
        '[tool.headwater.check]\nselect = ["unresolved-column", "lost-statement"]\nignore = "lost-statement"\nfail-on = "error"\n'
        '[tool.headwater.check.per-file-ignores]\n"legacy/**" = ["unresolved-column"]\n',
    )
    write("legacy/a/s.sql", BAD)
    write("new/s.sql", f"{BAD};\nSELEC 1")
    assert [e["path"] for e in found(run, "legacy", "new")] == ["new/s.sql"]
    assert run("check", "new", "-s", SCHEMA).code == 0
    assert len(found(run, "new", "--no-config")) == 2
    assert [e["rule"] for e in found(run, "new", "--ignore", "unresolved-column")] == ["lost-statement"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[check]\nselect = "unresolved"', "headwater.toml:2: select names a rule that does not exist"),
        ("[check]\nselct = []", "headwater.toml:2: unknown key selct; did you mean select?"),
        ("[check]\nfail_on = 'error'", "unknown key fail_on; write fail-on"),
        ("[check]\nfail-on = 'never'", "must be one of error, warning, info"),
        ("[check]\nstore = 1", "store must be a string"),
        ("[check]\nper-file-ignores = []", "must be a table of patterns"),
        ("[check.per-file-ignores]\n'*.sql' = ['nope']", "headwater.toml:1: per-file-ignores names a rule"),
        ("check = 1", "check must be a table"),
    ],
)
def test_wrong_settings(content: str, message: str, run: Run, folder: Path) -> None:
    write("headwater.toml", content)
    write("s.sql", "SELECT 1")
    code, _, err = run("check", "s.sql")
    assert code == 2
    assert message in err


def test_the_settings_of_analyze_hold_for_scripts(run: Run, folder: Path) -> None:
    write("headwater.toml", 'dialect = "spark"\n[[overrides]]\npath = "ts"\ndialect = "tsql"\n')
    write("ts/s.sql", "SELECT TOP 3 [a b] FROM t;\nSELECT x.* INTO #t FROM x -- headwater: ignore[unknown-star]")
    assert run("check", "ts").code == 0


# How it is asked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("s.sql", "--select", "unresolved-colum"), "did you mean unresolved-column"),
        (("nowhere.sql",), "nowhere.sql does not exist"),
        (("s.sql", "--dialect", "klingon"), "klingon"),
        (("s.sql", "--schema", "no.csv"), "no.csv does not exist"),
        (("s.sql", "--baseline", "no.json"), "there is no baseline no.json"),
        ((), "there is no store in lineage"),
        (("--store", "s.sql"), "s.sql"),
    ],
)
def test_what_cannot_run_is_2(arguments: tuple[str, ...], message: str, run: Run, folder: Path) -> None:
    write("s.sql", "SELECT 1")
    code, out, err = run("check", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_help_has_examples(run: Run) -> None:
    assert "headwater check" in run("check", "--help").out.partition("Examples:")[2]


def test_rules_are_listed(run: Run) -> None:
    out = run("check", "--list-rules").out
    for name, rule in RULES.items():
        assert f"{name} " in out
        assert rule.summary


def test_every_diagnostic_is_a_rule() -> None:
    assert {code.value for code in Code} | {"lost-statement"} <= set(NAMES)
    assert {name: rule.severity for name, rule in RULES.items() if name in set(Code)} == {
        code.value: SEVERITY[code] for code in Code if code.value not in LOST_CODES
    }


def test_every_rule_is_documented() -> None:
    page = (Path(__file__).parent.parent / "docs" / "check.md").read_text("utf-8")
    assert [r.name for r in RULES.values() if f"| `{r.name}` | {r.severity.value} |" not in page] == []


def test_every_setting_is_an_option_or_a_table_and_documented(run: Run) -> None:
    options = run("check", "--help").out
    page = (Path(__file__).parent.parent / "docs" / "configuration.md").read_text("utf-8").partition("## Check")[2]
    assert [name for name in SETTINGS if f"| `{key_of(name)}` |" not in page] == []
    assert [n for n in SETTINGS if f"--{key_of(n)}" not in options and n != "per_file_ignores"] == []


def test_rules_are_completed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions(run, monkeypatch, "headwater check --select unknown-star,bre") == [
        "plain,unknown-star,breaking-change"
    ]
    assert completions(run, monkeypatch, "headwater check sq") == ["file,sq"]
