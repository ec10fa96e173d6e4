"""Dataform's JavaScript: a program without end costs its file, and one diagnostic says which limit it exceeds."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from command import write
from headwater.project.dataform import js_meter
from headwater.project.objects import Project
from headwater.project.read import read_project
from headwater.source.template_limits import TemplateLimits, template_limits

NESTED = "let a=[1]; for(let i=0;i<60;i++){a=[a,a]}\n"
NESTED_OBJECT = "let a={}; for(let i=0;i<60;i++){a={x:a,y:a}}\n"
TEXT = "let s='ab'.repeat(400000);\n"
LIST = "let l=''.padEnd(9000,'x').split('');\n"
ENDLESS = {
    "a loop": "for(;;){}",
    "numbers that square": "let m=9; for(;;){m=m*m}",
    "numbers that add": "let m=9; for(;;){m=m+m}",
    "a tree as JSON": NESTED + 'publish("x", JSON.stringify(a))',
    "objects as JSON": NESTED_OBJECT + 'publish("x", JSON.stringify(a))',
    "a tree in a template": NESTED + 'publish("x", `${a}`)',
    "a tree and +": NESTED + 'publish("x", "" + a)',
    "a tree and join": NESTED + 'publish("x", a.join(","))',
    "a tree and toString": NESTED + 'publish("x", a.toString())',
    "a tree and String": NESTED + 'publish("x", String(a))',
    "a tree as a key": NESTED + "let o={}; o[a]=1",
    "a tree as a computed key": NESTED + "let o={[a]: 1}",
    "a tree as a subscript": NESTED + "let o={}; publish('x', o[a])",
    "a tree and in": NESTED + "if (a in {}) {}",
    "a tree that is sorted": NESTED + "a.sort()",
    "a tree as a name": NESTED + 'publish(a, "select 1 as a")',
    "a tree as a type": NESTED + 'publish("x", {type: a})',
    "a tree as a reference": NESTED + 'publish("x", ctx => `select ${ctx.ref(a)}`)',
    "a tree that is the query": NESTED + 'publish("x", ctx => [a].join())',
    "a list that concat doubles": "let a=[1]; for(;;){a=a.concat(a)}",
    "a list that spreads double": "let a=[1]; for(;;){a=[...a,...a]}",
    "a list that push doubles": "let a=[1]; for(;;){a.push(...a)}",
    "a list that unshift doubles": "let a=[1]; for(;;){a.unshift(...a)}",
    "a list that flatMap multiplies": LIST + "l.flatMap(x => l)",
    "a list that sort sorts": LIST + "for(;;){l.sort()}",
    "a list that slice copies": LIST + "for(;;){l.slice(1)}",
    "a list that is searched": LIST + "for(;;){l.includes('y')}",
    "a list that is spread": LIST + "for(;;){let [x, ...y]=l}",
    "an object that is spread": "let o={}; for(let i=0;i<900;i++){o['k'+i]=i} for(;;){let p={...o}}",
    "a text that is split": TEXT + "for(;;){s.split('')}",
    "a text that is split by a text": TEXT + "for(;;){s.split('a')}",
    "a text that is searched": TEXT + "for(;;){s.indexOf('c')}",
    "a text that is replaced": TEXT + "for(;;){s.replaceAll('a','b')}",
    "a text that concat doubles": "let s='ab'; for(;;){s=s.concat(s)}",
    "a text that is repeated": "let s='ab'; for(;;){s=s.repeat(9)}",
    "a text between items": TEXT + LIST + "publish('x', l.join(s))",
    "a text in many places": TEXT + "publish('x', 'aaaaaaaaaaaaaaaaaaaaa'.replaceAll('a', s))",
}


def _project(program: str) -> Project:
    write("shop/workflow_settings.yaml", "defaultProject: p\ndefaultDataset: d\n")
    write("shop/definitions/a.js", program)
    write("shop/definitions/b.sqlx", 'config { type: "table" }\nselect a from t')
    return read_project(Path("shop"), {})


def _sql(project: Project) -> dict[str, str]:
    return {model.name.rpartition(".")[2]: model.sql.strip() for model in project.models}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("program", ENDLESS.values(), ids=ENDLESS.keys())
def test_a_program_without_end_costs_its_file(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted ends it, long before any clock."""
    monkeypatch.setattr(js_meter.Meter, "_seconds_allowed", lambda self: 1e9)
    read = _project(program)
    assert _sql(read)["b"] == "select a from t"
    (problem,) = [remark.message for remark, _ in read.remarks]
    assert "does too much" in problem or "makes" in problem or "too much to become a text" in problem


@pytest.mark.usefixtures("folder")
def test_a_hostile_include_costs_itself() -> None:
    write("shop/includes/a.js", "for(;;){}")
    write(
        "shop/includes/b.js", "let n = 0; for (let i = 0; i < 9000; i++) { n = n + 1 }\nmodule.exports = {table: 't'}"
    )
    read = _project("publish('c', `select a from ${b.table}`)")
    assert _sql(read)["c"] == "select a from t"


@pytest.mark.usefixtures("folder")
def test_the_clock_is_looked_at() -> None:
    start = time.monotonic()
    with template_limits(TemplateLimits(seconds=0)):
        read = _project("let a = 1; publish('c', 'select a from t')")
    assert time.monotonic() - start < 20
    assert any("longer than 0 seconds (--template-timeout)" in remark.message for remark, _ in read.remarks)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2 ** 53", "9007199254740992"),
        ("2 ** 53 + 1", "9007199254740992"),
        ("9007199254740993", "9007199254740992"),
        ("0xff", "255"),
        ("7 * 6", "42"),
        ("7 / 2", "3.5"),
        ("-7 % 3", "-1"),
        ("2 ** 0.5 > 1", "true"),
        ("'a,b'.split(',').length", "2"),
        ("[1, [2, [3, []]], null].join('-')", "1-2,3,-"),
        ("String([1, [2, null, 'x']])", "1,2,,x"),
        ("[3, 1, 2].sort()", "1,2,3"),
        ("[1, 2].concat([3], 4).length", "4"),
        ("' a b '.replace(/^\\s+|\\s+$/g, '')", "a b"),
    ],
)
def test_ordinary_values_are_those_of_javascript(expression: str, expected: str) -> None:
    read = _project(f"publish('c', `select ${{{expression}}} from t`)")
    assert _sql(read)["c"] == f"select {expected} from t"
    assert read.remarks == ()
