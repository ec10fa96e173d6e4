"""`headwater tags` and the rule `tag-policy`: what they print, and how they end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from command import Run
from stores import make_store
from test_tags_graph import LINES

TAGS = """\
tags:
  pii: [raw.people.email]
names:
  person: ["/^name$/"]
"""
POLICY = """\
forbid:
  - tag: pii
    reaches: [dashboard, chart, exposure]
    reason: customers' data stays inside
"""


@pytest.fixture
def store(folder: Path) -> Path:
    """A store in the usual place, a file of tags and a policy."""
    (folder / "tags.yml").write_text(TAGS)
    (folder / "policy.yml").write_text(POLICY)
    return make_store(folder / "lineage", LINES).path


# Which columns carry which tags


def test_columns_with_their_tags(run: Run, store: Path) -> None:
    code, out, err = run("tags", "--tags", "tags.yml", "people")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "pii  crm.people.email  from raw.people.email, 1 hop",
        "pii:masked  crm.people.email_hash  from raw.people.email, 1 hop",
        "person  crm.people.name  name rule tags.yml:4",
        "pii  raw.people.email  tags tags.yml:2",
        "person  raw.people.name  name rule tags.yml:4",
        "5 tags",
    ]


def test_ways(run: Run, store: Path) -> None:
    out = run("tags", "--tags", "tags.yml", "crm.contacts.address", "--paths").out
    assert out.splitlines() == [
        "pii  crm.contacts.address  from raw.people.email, 2 hops",
        "  -> crm.people.email  identity  email  Insert  load.sql:2",
        "  -> crm.contacts.address  transformation  lower(email)  Create View  views.sql:1",
        "1 tag",
    ]


def test_only_some_tags(run: Run, store: Path) -> None:
    def shown(tag: str) -> list[str]:
        out = run("tags", "--tags", "tags.yml", "people", "--tag", tag, "--format", "csv").out
        return [f"{row['tag']} {row['column']}" for row in csv.DictReader(io.StringIO(out))]

    assert shown("person") == ["person crm.people.name", "person raw.people.name"]
    assert shown("pii") == ["pii crm.people.email", "pii:masked crm.people.email_hash", "pii raw.people.email"]
    assert shown("pii:masked") == ["pii:masked crm.people.email_hash"]
    assert shown("other") == []


def test_json(run: Run, store: Path) -> None:
    found = json.loads(run("tags", "--tags", "tags.yml", "crm.contacts.key", "--paths", "--format", "json").out)
    (column,) = found["columns"]
    assert (column["tag"], column["table"], column["column"], column["own"], column["distance"]) == (
        "pii:masked",
        "crm.contacts",
        "key",
        False,
        2,
    )
    assert column["origin"]["column"] == "email"
    assert column["said"] == [{"tag": "pii", "origin": "tags", "place": "tags.yml:2"}]
    assert [(hop["masking"], hop["place"]["path"]) for hop in column["path"]] == [
        (True, "load.sql"),
        (False, "views.sql"),
    ]
    assert found["unmatched"] == []


def test_csv(run: Run, store: Path) -> None:
    out = run("tags", "--tags", "tags.yml", "crm.contacts.address", "--paths", "--format", "csv").out
    (row,) = csv.DictReader(io.StringIO(out))
    assert row == {
        "tag": "pii",
        "column": "crm.contacts.address",
        "kind": "view",
        "own": "inherited",
        "distance": "2",
        "origin": "raw.people.email",
        "said_by": "tags tags.yml:2",
        "path": "raw.people.email -> crm.people.email -> crm.contacts.address",
    }


def test_a_rule_about_nothing_is_told(run: Run, store: Path, folder: Path) -> None:
    (folder / "tags.yml").write_text("tags:\n  pii:\n    - raw.people.emial\n    - raw.people.name\n")
    code, out, err = run("tags", "--tags", "tags.yml")
    assert code == 0
    assert "raw.people.name" in out
    assert err == "tags.yml:3: no column or table of the store fits raw.people.emial\n"


def test_no_tags(run: Run, store: Path) -> None:
    assert run("tags") == (0, "no column carries a tag\n", "")


def test_nothing_of_that_name(run: Run, store: Path) -> None:
    code, out, err = run("tags", "--tags", "tags.yml", "crm.nobody")
    assert (code, out) == (2, "")
    assert "there is no column or table crm.nobody" in err


def test_no_store(run: Run, folder: Path) -> None:
    code, out, err = run("tags")
    assert (code, out) == (2, "")
    assert "headwater build" in err


# Policies


def test_a_policy_that_is_not_kept(run: Run, store: Path) -> None:
    code, out, err = run("tags", "--tags", "tags.yml", "--policy", "policy.yml")
    assert code == 1
    assert out.splitlines() == [
        "project.yml:7: error[tag-policy] pii of raw.people.email reaches dashboard shop.dashboard.main.mails: "
        "customers' data stays inside",
        "  raw.people.email  pii by tags tags.yml:2",
        "  -> crm.people.email  identity  email  Insert  load.sql:2",
        "  -> crm.contacts.address  transformation  lower(email)  Create View  views.sql:1",
        "  -> scratch.address  identity  address  Create Table  mart.sql:1",
        "  -> mart.mails.address  identity  address  Insert  mart.sql:3",
        "  -> shop.dashboard.main.mails  identity  address  Create View  project.yml:7",
        "  forbidden by policy.yml:2",
    ]
    assert err == "1 finding\n"


def test_a_policy_that_is_kept(run: Run, store: Path, folder: Path) -> None:
    (folder / "policy.yml").write_text("forbid: {tag: pii, reaches: exposure}\n")
    assert run("tags", "--tags", "tags.yml", "--policy", "policy.yml") == (0, "", "no findings\n")


def test_a_policy_may_have_tags_and_handling_of_its_own(run: Run, store: Path, folder: Path) -> None:
    text = """\
        tags: {pii: raw.people.email}
        handling: {pii: {masked: keep}}
        forbid:
          - {tag: pii, reaches: [dashboard, "mart.*"], except: [mart.mails.address, "shop.*.mails"]}
    """
    (folder / "policy.yml").write_text(text)
    code, out, err = run("tags", "--policy", "policy.yml", "--format", "csv")
    found = [row["column"] for row in csv.DictReader(io.StringIO(out))]
    assert (code, err) == (1, "4 findings\n")
    assert found == ["mart.mails.domains", "mart.mails.number", "mart.mails.key", "shop.dashboard.main.count"]


def test_findings_for_programs(run: Run, store: Path) -> None:
    arguments = ("tags", "--tags", "tags.yml", "--policy", "policy.yml", "--format")
    (found,) = json.loads(run(*arguments, "json").out)["findings"]
    assert (found["policy"], found["column"], len(found["path"])) == ("policy.yml:2", "mails", 5)
    code, out, _ = run(*arguments, "github")
    assert code == 1
    assert out.startswith(
        "::error file=project.yml,line=7,col=1,title=headwater%3A tag-policy::pii of raw.people.email "
    )
    assert "raw.people.email -> crm.people.email -> crm.contacts.address" in out


def test_findings_of_some_columns_only(run: Run, store: Path) -> None:
    arguments = ("tags", "--tags", "tags.yml", "--policy", "policy.yml")
    assert run(*arguments, "shop.dashboard.main.count").code == 0
    assert run(*arguments, "shop.dashboard.main.mails").code == 1
    assert run(*arguments, "--tag", "person").code == 0


def test_a_tag_that_nobody_has_is_told(run: Run, store: Path, folder: Path) -> None:
    (folder / "policy.yml").write_text("forbid:\n- {tag: pi, reaches: dashboard}\n")
    code, _, err = run("tags", "--tags", "tags.yml", "--policy", "policy.yml")
    assert (code, err) == (0, "no findings\npolicy.yml:2: no column of the store has the tag pi\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tags: {pii: [a.b]}\n", "policy.yml: nothing is forbidden here"),
        ("forbid:\n  - {tag: pii}\n", "policy.yml:2: forbid needs reaches"),
        ("forbid:\n  - {reaches: dashboard}\n", "policy.yml:2: forbid needs tag"),
        (
            "forbid:\n  - tag: pii\n    reach: [dashboard]\n",
            "policy.yml:3: unknown key reach in forbid; did you mean reaches?",
        ),
        (
            "forbid:\n  - tag: pii\n    reaches: [dashbord]\n",
            "policy.yml:3: there is no kind dashbord; did you mean dashboard?",
        ),
        ("forbid:\n  - tag: pii\n    reaches: []\n", "policy.yml:3: reaches has nothing in it"),
        ("tag: {pii: [a.b]}\n", "policy.yml:1: unknown key tag in the file; did you mean tags?"),
        ("tags: [a.b]\n", "policy.yml:1: tags must be a mapping"),
        ("tags:\n  pii:\n    - {a: b}\n", "policy.yml:3: tags: pii must be a text or a list of texts"),
        ("names:\n  pii: '/(/'\n", "policy.yml:2: /(/ is no regular expression"),
        ("handling:\n  pii: {masked: dropp}\n", "policy.yml:2: masked must be one of keep, downgrade, stop, not dropp"),
        ("handling:\n  pii: {maskd: stop}\n", "policy.yml:2: unknown key maskd"),
        ("forbid: [\n", "policy.yml:2: this is no YAML"),
        ("tags:\n  pii: a.b\n  pii: c.d\n", "policy.yml:3: the key pii stands twice here"),
    ],
)
def test_a_policy_that_cannot_be_used(run: Run, store: Path, folder: Path, text: str, said: str) -> None:
    (folder / "policy.yml").write_text(text)
    code, out, err = run("tags", "--tags", "tags.yml", "--policy", "policy.yml")
    assert (code, out) == (2, "")
    assert said in err


def test_a_policy_that_is_not_there(run: Run, store: Path) -> None:
    code, _, err = run("tags", "--policy", "none.yml")
    assert code == 2
    assert "none.yml does not exist" in err


def test_annotations_are_for_findings(run: Run, store: Path) -> None:
    assert run("tags", "--format", "github").code == 2


def test_json_is_yaml_enough(run: Run, store: Path, folder: Path) -> None:
    text = json.dumps({"tags": {"pii": ["raw.people.email"]}, "forbid": {"tag": "pii", "reaches": ["dashboard"]}})
    (folder / "policy.json").write_text(text)
    assert run("tags", "--policy", "policy.json").code == 1


# The configuration file


def test_settings(run: Run, store: Path, folder: Path) -> None:
    text = """
        [tags]
        files = "tags.yml"
        [tags.columns]
        money = ["raw.orders.total"]
        [tags.names]
        key = ["key", "/_hash$/"]
    """
    (folder / "headwater.toml").write_text(text)
    found = json.loads(run("tags", "--format", "json").out)["columns"]
    own = {
        (each["tag"], f"{each['table']}.{each['column']}", each["said"][0]["place"]) for each in found if each["own"]
    }
    here = f"{folder / 'headwater.toml'}"
    assert own == {
        ("pii", "raw.people.email", f"{folder / 'tags.yml'}:2"),
        ("person", "raw.people.name", f"{folder / 'tags.yml'}:4"),
        ("person", "crm.people.name", f"{folder / 'tags.yml'}:4"),
        ("money", "raw.orders.total", f"{here}:5"),
        ("key", "crm.contacts.key", f"{here}:7"),
        ("key", "mart.mails.key", f"{here}:7"),
        ("key", "crm.people.email_hash", f"{here}:7"),
    }
    assert run("tags", "--no-config").out == "no column carries a tag\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[tags]\nfile = "tags.yml"\n', "headwater.toml:2: unknown key file; did you mean files?"),
        ('[tags]\nfiles = "none.yml"\n', "headwater.toml:2: files names none.yml, which does not exist"),
        ("[tags]\npolicy = 1\n", "headwater.toml:2: policy must be a string"),
        ("tags = 1\n", "headwater.toml:1: tags must be a table"),
        ("[tags.names]\npii = ['/(/']\n", "headwater.toml:2: /(/ is no regular expression"),
        ("[tags.columns]\npii = 1\n", "headwater.toml:2: pii must be a string or a list"),
        ("[tags]\ncolumns = 1\n", "headwater.toml:2: columns must be a table"),
    ],
)
def test_settings_that_cannot_be_used(run: Run, store: Path, folder: Path, text: str, said: str) -> None:
    (folder / "headwater.toml").write_text(text)
    code, out, err = run("tags")
    assert (code, out) == (2, "")
    assert said in err


# The rule of the check


def found_by_check(run: Run, *arguments: str) -> list[tuple[str, str, str | None, int | None]]:
    out = run("check", *arguments, "--format", "json").out
    return [(each["rule"], each["subject"], each["path"], each["line"]) for each in json.loads(out)["findings"]]


def test_check_asks_the_policy_of_the_configuration_file(run: Run, store: Path, folder: Path) -> None:
    (folder / "headwater.toml").write_text('[tags]\nfiles = "tags.yml"\npolicy = "policy.yml"\n')
    only = ("--select", "tag-policy")
    assert found_by_check(run, *only) == [("tag-policy", "pii shop.dashboard.main.mails", "project.yml", 7)]
    code, out, _ = run("check", *only)
    assert code == 1
    assert "error[tag-policy] pii of raw.people.email reaches dashboard shop.dashboard.main.mails" in out
    assert "raw.people.email -> crm.people.email" in out
    assert run("check", *only, "--write-baseline", "known.json").code == 0
    assert run("check", *only, "--baseline", "known.json").code == 0


def test_check_tells_of_rules_about_nothing(run: Run, store: Path, folder: Path) -> None:
    (folder / "headwater.toml").write_text('[tags]\npolicy = "policy.yml"\n')
    (folder / "policy.yml").write_text("tags: {pii: raw.people.emial}\nforbid: {tag: pii, reaches: dashboard}\n")
    code, _, err = run("check", "--select", "tag-policy")
    assert code == 0
    assert "policy.yml:1: no column or table of the store fits raw.people.emial" in err
    assert "policy.yml:2: no column of the store has the tag pii" in err
    assert "emial" not in run("check", "--ignore", "tag-policy").err


def test_check_without_a_policy(run: Run, store: Path) -> None:
    assert "tag-policy" not in run("check").err
    assert "not checked: tag-policy; it needs a policy" in run("check", "--select", "tag-policy").err
