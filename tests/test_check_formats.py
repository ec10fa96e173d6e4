"""`headwater check` for programs: JSON, SARIF, GitHub's annotations; and names of files that want to break out of them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest

from check_stores import Said, checked_store
from command import Run, write
from headwater import __version__
from headwater.check.rules import RULES
from headwater.files import shown_name
from stores import make_store

BAD = "SELEC 1;\nSELECT * FROM d.unknown"
HOSTILE = [
    "plain.sql",
    "with space.sql",
    "per%0Acent.sql",
    "col:on,comma.sql",
    "a::error file=x::y.sql",
    "new\nline\r.sql",
    "esc\x1b[31m.sql",
    "größe 名.sql",
    "quote\"'\\.sql",
    os.fsdecode(b"bad\xff.sql"),
    "#frag?query.sql",
    "c:drive.sql",
]
COMMAND = re.compile(r"::(?P<command>error|warning|notice) (?P<properties>[^:]*)::(?P<message>.*)")


def unescaped(text: str) -> str:
    """What GitHub makes of a property."""
    for escaped, meant in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escaped, meant)
    return text


def commands(out: str) -> list[tuple[str, dict[str, str], str]]:
    """GitHub's reading of the output: every line is one command."""
    found = []
    for line in out.splitlines():
        match = COMMAND.fullmatch(line)
        assert match, line
        properties = dict(each.split("=", 1) for each in match["properties"].split(","))
        found.append((match["command"], {k: unescaped(v) for k, v in properties.items()}, unescaped(match["message"])))
    return found


def as_written(name: str) -> str:
    """A file's name as a stream can have it."""
    return name.encode("utf-8", "replace").decode().replace("\x1b", "\ufffd")


# JSON


def test_json(run: Run, folder: Path) -> None:
    write("s.sql", BAD)
    code, out, _ = run("check", "s.sql", "-f", "json")
    document = json.loads(out)
    assert code == 1
    assert list(document) == ["findings", "summary", "skipped"]
    assert document["summary"] == {"error": 1, "warning": 1, "info": 0, "known": 0, "fixed": 0, "suppressed": 0}
    assert {key: document["findings"][0][key] for key in ("rule", "code", "path", "line", "column", "end_column")} == {
        "rule": "lost-statement",
        "code": "syntax-error",
        "path": "s.sql",
        "line": 1,
        "column": 1,
        "end_column": 6,
    }


# GitHub


def test_github(run: Run, folder: Path) -> None:
    write("sql/s.sql", BAD)
    code, out, _ = run("check", "./sql", "-f", "github")
    first, second = commands(out)
    assert code == 1
    assert first[:2] == (
        "error",
        {
            "file": "sql/s.sql",
            "line": "1",
            "col": "1",
            "endLine": "1",
            "endColumn": "6",
            "title": "headwater: syntax-error",
        },
    )
    assert first[2] == "no statement begins with 'SELEC'; did you mean SELECT?"
    assert second[0] == "warning"


def test_a_finding_without_place_has_no_file(run: Run, folder: Path) -> None:
    make_store(folder / "old", "d.a.x -> d.b.x")
    make_store(folder / "lineage", "d.a.x -> d.c.x")
    out = run("check", "--against", "old", "--select", "breaking-change", "-f", "github").out
    assert all(list(properties) == ["title"] for _, properties, _ in commands(out))


def test_messages_are_one_line(run: Run, folder: Path) -> None:
    said = [Said("s.sql", "x\n::y%", "unresolved-column")]
    checked_store(folder / "lineage", "d.a.x -> d.b.x @ s.sql:1", {"s.sql": "SELECT x\n::y% FROM d.a"}, said)
    (only,) = commands(run("check", "-f", "github").out)
    assert only[2] == "about x\n::y%"


# SARIF


def check_log(log: dict[str, Any]) -> list[dict[str, Any]]:
    """The results of a log, after what SARIF 2.1.0 demands of it."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("headwater", __version__)
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == list(RULES)
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert run["invocations"][0]["executionSuccessful"] is True
    for notification in run["invocations"][0]["toolConfigurationNotifications"]:
        assert ids[notification["associatedRule"]["index"]] == notification["associatedRule"]["id"]
    for result in run["results"]:
        check_result(result, ids)
    results: list[dict[str, Any]] = run["results"]
    return results


def check_result(result: dict[str, Any], ids: list[str]) -> None:
    assert ids[result["ruleIndex"]] == result["ruleId"]
    assert result["level"] in ("error", "warning", "note")
    assert result["message"]["text"]
    assert all(isinstance(value, str) and value for value in result["partialFingerprints"].values())
    for location in result.get("locations", []):
        physical = location["physicalLocation"]
        uri = physical["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9._~/%:-]+", uri), uri
        assert not re.search(r"%(?![0-9A-F]{2})", uri)
        assert urlsplit(uri).scheme in ("", "file")
        region = physical["region"]
        assert all(isinstance(n, int) and n >= 1 for n in region.values())
        if "endLine" in region:
            assert (region["endLine"], region["endColumn"]) > (region["startLine"], region["startColumn"])


def test_sarif(run: Run, folder: Path) -> None:
    write("sql/s.sql", BAD)
    code, out, _ = run("check", "sql", "-f", "sarif")
    assert code == 1
    results = check_log(json.loads(out))
    assert [result["ruleId"] for result in results] == ["lost-statement", "unknown-star"]
    assert results[0]["properties"]["code"] == "syntax-error"
    assert results[0]["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "sql/s.sql", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 6},
    }


def test_sarif_without_findings_and_without_places(run: Run, folder: Path) -> None:
    write("s.sql", "SELECT 1")
    assert check_log(json.loads(run("check", "s.sql", "-f", "sarif").out)) == []
    make_store(folder / "old", "d.a.x -> d.b.x")
    make_store(folder / "lineage", "d.a.x -> d.c.x")
    results = check_log(json.loads(run("check", "--against", "old", "-f", "sarif", "--select", "breaking-change").out))
    assert results
    assert all("locations" not in result for result in results)


def test_a_fingerprint_stays_when_code_is_moved(run: Run, folder: Path) -> None:
    def fingerprints() -> list[dict[str, str]]:
        results = check_log(json.loads(run("check", "s.sql", "-f", "sarif").out))
        return [result["partialFingerprints"] for result in results]

    write("s.sql", BAD)
    before = fingerprints()
    write("s.sql", f"-- moved\n\nSELECT 1;\n{BAD}")
    assert fingerprints() == before
    write("t.sql", BAD)
    others = check_log(json.loads(run("check", "t.sql", "-f", "sarif").out))
    assert [result["partialFingerprints"] for result in others] != before


def test_paths_are_those_of_the_repository_where_that_is_possible(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def artifact() -> dict[str, str]:
        result = check_log(json.loads(run("check", str(folder / "s.sql"), "-f", "sarif").out))[0]
        found: dict[str, str] = result["locations"][0]["physicalLocation"]["artifactLocation"]
        return found

    write("s.sql", BAD)
    write("inner/t.sql", BAD)
    assert artifact() == {"uri": "s.sql", "uriBaseId": "%SRCROOT%"}
    monkeypatch.chdir("inner")
    assert artifact() == {"uri": f"file://{folder}/s.sql"}


# Hostile names


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names(name: str, run: Run, folder: Path) -> None:
    write(name, BAD)
    shown = shown_name(name)
    out = run("check", name).out
    assert "\x1b" not in out
    assert "\r" not in out
    heads = [line for line in out.splitlines() if "error[" in line]
    assert len(heads) == 1
    assert ".sql:1:1: error[syntax-error]" in heads[0]
    assert {each["path"] for each in json.loads(run("check", name, "-f", "json").out)["findings"]} == {shown}
    results = check_log(json.loads(run("check", name, "-f", "sarif").out))
    uri = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote_to_bytes(uri) == os.fsencode(shown)
    files = {properties["file"] for _, properties, _ in commands(run("check", name, "-f", "github").out)}
    assert files == {as_written(shown)}
    assert run("check", name, "--write-baseline", "known.json").code == 0
    assert run("check", name, "--baseline", "known.json").code == 0


@pytest.mark.parametrize("name", HOSTILE[:9], ids=range(9))
def test_hostile_names_in_a_store(name: str, run: Run, folder: Path) -> None:
    said = [Said(name, "custmer", "unresolved-column", "custmer")]
    checked_store(folder / "lineage", "d.a.x -> d.b.x @ s.sql:1", {name: "SELECT custmer FROM d.a"}, said)
    assert len(run("check", "-q").out.splitlines()) == 1
    check_log(json.loads(run("check", "-f", "sarif").out))
    assert [properties["file"] for _, properties, _ in commands(run("check", "-f", "github").out)] == [as_written(name)]
