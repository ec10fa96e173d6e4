"""Classes in the JavaScript of Dataform projects: what programs with them give, and that hostile ones end."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.project.dataform import js_meter
from headwater.project.lineage import project_lineage
from headwater.project.objects import Project
from headwater.project.read import read_project


def _project(folder: Path, files: dict[str, str]) -> Project:
    (folder / "workflow_settings.yaml").write_text("defaultProject: p\ndefaultDataset: d\n")
    (folder / "definitions").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return read_project(folder)


def _given(folder: Path, program: str) -> str:
    """What a program leaves in `given`, as it becomes SQL."""
    project = _project(folder, {"definitions/a.js": f"{program}\npublish('a').query(ctx => `SELECT ${{given}}`);"})
    assert [remark.message for remark, _ in project.remarks if remark.code.value == "unread-model"] == []
    return next(model.sql for model in project.models).removeprefix("SELECT ")


POINT = "class Point { constructor(x, y = 2) { this.x = x; this.y = y } sum() { return this.x + this.y } }\n"

PROGRAMS = {
    "a constructor and a method": (POINT + "const given = new Point(1).sum()", "3"),
    "an object without arguments": ("class A { b() { return 1 } }\nconst given = (new A).b()", "1"),
    "methods of one another": (
        "class A { all() { return ['x', 'y'].map(each => this.one(each)).join() } one(e) { return this.p + e } p = 'p_' }\n"
        "const given = new A().all()",
        "p_x,p_y",
    ),
    "this in nested arrow functions": (
        "class A { constructor() { this.n = 'n' } f() { return [1].map(a => [2].map(b => `${this.n}${a}${b}`)) } }\n"
        "const given = new A().f()",
        "n12",
    ),
    "this in a method of an object": ("const o = { n: 4, f() { return this.n } };\nconst given = o.f()", "4"),
    "this by key": ("const o = { n: 4, f() { return this.n } };\nconst given = o['f']()", "4"),
    "a function has a this of its own": (
        "class A { n = 1; f() { return [1].map(function () { return typeof this })[0] === 'x' ? 1 : 2 } }\n"
        "const given = new A().n",
        "1",
    ),
    "static methods and fields": (
        "class A { static n = 3; static twice() { return this.n * 2 } static { this.m = this.n + 1 } }\n"
        "const given = [A.twice(), A.m, A.n]",
        "6,4,3",
    ),
    "instance fields": (
        "class A { a = 1; b = this.a + 1\n c\n 'd e' = 5; ['f' + 1] = 6 }\nconst o = new A();\n"
        "const given = [o.a, o.b, typeof o.c, o['d e'], o.f1]",
        "1,2,undefined,5,6",
    ),
    "fields are made for each object": (
        "class A { items = []; add(x) { this.items.push(x); return this } }\nconst one = new A().add('x').add('y');\n"
        "const given = `${one.items} ${new A().items.length}`",
        "x,y 0",
    ),
    "private members": (
        "class A { #n = 5; #twice() { return this.#n * 2 } get() { return this.#twice() } static #s = 1; static s() { return A.#s } }\n"
        "const given = [new A().get(), A.s(), Object.keys(new A()).length]",
        "10,1,0",
    ),
    "accessors": (
        "class A { #v = 1; get v() { return `v${this.#v}` } set v(x) { this.#v = x } static get s() { return this.name } }\n"
        "const o = new A(); o.v = 7;\nconst given = [o.v, A.s]",
        "v7,A",
    ),
    "an accessor without a setter keeps its value": (
        "class A { get v() { return 1 } }\nconst o = new A(); o.v = 2;\nconst given = o.v",
        "1",
    ),
    "accessors of an object": (
        "const o = { a: 1, get b() { return this.a + 1 }, set b(x) { this.a = x } };\no.b = 4;\n"
        "const given = [o.b, Object.keys(o), { ...o }.b]",
        "5,a,b,5",
    ),
    "members that are called get, set, static and async": (
        "class A { get() { return 1 } set() { return 2 } static() { return 3 } static static() { return 4 } async = 5; get = 6 }\n"
        "const o = { get: 7, set() { return 8 } };\nconst given = [new A().set(), new A().static(), A.static(), new A().async, "
        "new A().get, o.get, o.set()]",
        "2,3,4,5,6,7,8",
    ),
    "a parent's constructor and methods": (
        POINT
        + "class P3 extends Point { constructor(z) { super(1, 1); this.z = z } sum() { return super.sum() + this.z } }\n"
        "const given = new P3(3).sum()",
        "5",
    ),
    "a class without a constructor takes its parent's": (
        POINT + "class Q extends Point {}\nconst given = new Q(5).sum()",
        "7",
    ),
    "fields of a parent come first": (
        "class A { a = 1; constructor() { this.b = this.a + 1 } }\nclass B extends A { c = this.b + 1; a = 9 }\n"
        "const o = new B();\nconst given = [o.a, o.b, o.c, Object.keys(o).join('')]",
        "9,2,3,abc",
    ),
    "static members of a parent": (
        "class A { static n = 1; static make() { return new this() } f() { return 'a' } }\n"
        "class B extends A { f() { return 'b' } static make() { return super.make() } }\nconst given = [B.n, B.make().f()]",
        "1,b",
    ),
    "a parent's method in an arrow function": (
        "class A { f(x) { return `a${x}` } }\nclass B extends A { f() { return [1, 2].map(x => super.f(x)) } }\n"
        "const given = new B().f()",
        "a1,a2",
    ),
    "accessors of a parent": (
        "class A { get v() { return this.w } }\nclass B extends A { w = 2; get v() { return super.v + 1 } }\nconst given = new B().v",
        "3",
    ),
    "a method that a child has is the child's": (
        "class A { name() { return 'a' } sql() { return `${this.name()}_t` } }\nclass B extends A { name() { return 'b' } }\n"
        "const given = new B().sql()",
        "b_t",
    ),
    "instanceof": (
        "class A {}\nclass B extends A {}\nfunction F() {}\n"
        "const given = [new B() instanceof A, new A() instanceof B, new F() instanceof F, {} instanceof A, [] instanceof Array]",
        "true,false,true,false,true",
    ),
    "class expressions": (
        "const A = class { f() { return this.constructor.name } };\nconst B = class Inner extends A { g() { return Inner.name } };\n"
        "const given = [new A().f(), new B().g(), typeof A]",
        "A,Inner,function",
    ),
    "a parent that a function gives": (
        "const named = (base) => class extends base { name() { return 'n' } };\nclass A { f() { return this.name() } }\n"
        "class B extends named(A) {}\nconst given = new B().f()",
        "n",
    ),
    "a constructor that returns an object": (
        "class One { static #it; constructor() { if (One.#it) return One.#it; One.#it = this; this.n = 0 } }\n"
        "new One().n = 4;\nconst given = new One().n",
        "4",
    ),
    "functions as constructors": (
        "function P(x) { this.x = x }\nP.prototype.twice = function () { return this.x * 2 };\nP.zero = () => new P(0);\n"
        "const given = [new P(4).twice(), P.zero().x]",
        "8,0",
    ),
    "a class that extends a function": (
        "function P(x) { this.x = x }\nclass Q extends P { get y() { return this.x + 1 } }\nconst given = new Q(4).y",
        "5",
    ),
    "functions with properties": ("const f = () => 1;\nf.g = () => 2;\nconst given = [f(), f.g()]", "1,2"),
    "call, apply and bind": (
        "function f(a, b) { return `${this.n}${a}${b}` }\nconst o = { n: 'n' };\n"
        "const given = [f.call(o, 1, 2), f.apply(o, [3, 4]), f.bind(o, 5)(6), f.bind(o, 7).bind({}, 8)()]",
        "n12,n34,n56,n78",
    ),
    "objects as texts": (
        "class A { toString() { return `t_${this.n}` } n = 1 }\nconst o = { toString() { return 'o' } };\n"
        "const given = `${new A()} ${[new A(), o].join('-')}` + o",
        "t_1 t_1-oo",
    ),
    "objects as JSON": (
        "class A { #p = 1; a = 1; b = { c: [new B()] } }\nclass B { d = 'x'; get e() { return 1 } }\nconst given = JSON.stringify(new A())",
        '{"a":1,"b":{"c":[{"d":"x"}]}}',
    ),
    "members of objects are listed": (
        "class A { a = 1; f() {} get g() { return 1 } }\nconst o = Object.assign(new A(), { b: 2 });\nconst { a, ...rest } = o;\n"
        "const given = [Object.entries(o), Object.values({ ...o }), Object.keys(rest), 'f' in o, o.hasOwnProperty('f')];\n"
        "for (const key in o) given.push(key)",
        "a,1,b,2,1,2,b,true,false,a,b",
    ),
    "options are assigned in the constructor": (
        "class A { constructor(o) { Object.assign(this, { a: 1, b: 2 }, o) } }\nconst { a, b } = new A({ b: 3 });\nconst given = [a, b]",
        "1,3",
    ),
    "new of a member": (
        "const o = { in: { A: class { n = 1 } } };\nconst given = [new o.in.A().n, new o['in']['A']().n]",
        "1,1",
    ),
    "a generator costs itself": (
        "class A { *g() { yield 1 } f() { return 2 } }\nfunction* h() {}\nconst given = new A().f()",
        "2",
    ),
    "a class that cannot be read costs itself": ("class A { @x f() { return 2 } }\nconst given = 3", "3"),
    "objects that hold each other": (
        "class A { constructor(up) { this.up = up; this.all = []; if (up) up.all.push(this) }\n"
        " depth() { return this.up ? this.up.depth() + 1 : 0 } }\n"
        "const a = new A(), b = new A(new A(a));\nconst given = [b.depth(), a.all.length, a === b.up.up]",
        "2,1,true",
    ),
    "a function replaces matches": (
        "const given = 'a1b22'.replace(/([a-z])(\\d+)/g, (all, name, n, at) => `<${n}${name}${at}>`)",
        "<1a0><22b2>",
    ),
    "a replacement everywhere": (
        "const given = ['aXbX'.replaceAll('X', '$1'), 'ab'.replaceAll('', '-'), 'aa'.replace('a', '')]",
        "a$1b$1,-a-b-,a",
    ),
    "keys that are objects": (
        "const given = ['ab'[[1]], { '1,2': 3 }[[1, 2]], typeof (() => 1)[{}]]",
        "b,3,undefined",
    ),
    "brackets in a class of characters": ("const given = 'a[b'.replace(/[[a]/g, '.')", "..b"),
    "a function replaces a text": ("const given = 'a.b'.replace('.', () => '$1')", "a$1b"),
    "groups in a replacement": ("const given = 'ab'.replace(/(a)(b)/, '$2$1$&$3\\\\1')", "baab$3\\1"),
    "braces and brackets that repeat nothing": (
        "const given = 'x{{y}} z'.replace(/\\{\\{([^{}]+)\\}\\}/g, (_, name) => name.toUpperCase())",
        "xY z",
    ),
}


@pytest.mark.parametrize(("program", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_with_classes(tmp_path: Path, program: str, expected: str) -> None:
    assert _given(tmp_path, program) == expected


UNKNOWN = {
    "a parent that nobody knows": (
        "class A extends Missing { constructor() { super(1); this.n = 1 } f() { return super.f() } }\n"
        "const o = new A();\nconst given = [o.n, o.other, o.f(), o instanceof Missing]",
        "1,${Missing},${Missing},${Missing}",
    ),
    "a value that a constructor is given": (
        "class Day { constructor(d) { this.d = d; this.month = d.toISOString().substring(0, 7) } }\n"
        "const given = new Day(new Date()).month + '-01'",
        "${Date}-01",
    ),
    "a test that nobody can decide ends a constructor": (
        "class A { constructor(d) { if (d > 1) return; this.n = 1 } }\nconst given = new A(new Date()).n",
        "${Date}",
    ),
    "a property of a list that is none": ("const given = [1][{}]", "${object_Object}"),
    "what is made": (
        "class A { constructor() { this.made = new.target } }\nconst given = new A().made",
        "${new_target}",
    ),
    "a class that nobody knows": ("const given = new lib.Thing(1).made()", "${lib_Thing}"),
    "a loop over dates ends": (
        "const made = [];\nfor (let d = new Date(); d >= start; d = before(d)) made.push(`t_${d}`);\nconst given = made",
        "t_${Date}",
    ),
    "a text with a placeholder is not compared": (
        "const day = new Date().toISOString() + '01', made = [];\n"
        "for (let d = day; d >= day; d = new Date(d)) made.push(`t_${d}`);\nconst given = [made, day === '2020-01-01' ? 'x' : 'y']",
        "t_${Date}01,${Date}",
    ),
    "a replacement leaves placeholders whole": (
        "const day = `'${new Date()}'`;\n"
        "const given = [day.replace(/\\${(.*?)}/g, (all, name) => name), day.replace(/[${}a]/g, ''), day.replace('D', 'd'), "
        "day.replace(/'(.*)'/, (all, inner) => `(${inner})`)]",
        "'${Date}','${Date}','${Date}',(${Date})",
    ),
    "a marker in a text is no placeholder": (
        "const given = 'a ${b} c'.replace(/\\${(.*?)}/g, (all, name) => name + '1')",
        "a b1 c",
    ),
}


@pytest.mark.parametrize(("program", "expected"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_a_class_does_not_know_is_a_placeholder(tmp_path: Path, program: str, expected: str) -> None:
    assert _given(tmp_path, program) == expected


HOSTILE = {
    "a constructor that calls itself": "class A { constructor() { new A() } }\nnew A()",
    "a field that makes its own class": "class A { a = new A() }\nnew A()",
    "a static field that makes its class again": "class A { static a = (() => { const f = () => f(); return f() })() }",
    "a getter that reads itself": "class A { get a() { return this.a } }\nnew A().a",
    "a setter that sets itself": "class A { set a(x) { this.a = x } }\nnew A().a = 1",
    "a getter of an object that reads itself": "const o = { get a() { return this.a } }; o.a",
    "a getter that loops": "class A { get a() { for (;;) {} } }\nnew A().a",
    "accessors that read each other": "class A { get a() { return this.b } get b() { return this.a } }\nnew A().a",
    "a text that is made of itself": "class A { toString() { return `${this}` } }\nconst x = `${new A()}`",
    "a method that calls its parent's for ever": (
        "class A { f() { return this.f() } }\nclass B extends A { f() { return super.f() } }\nnew B().f()"
    ),
    "a class that extends a class for ever": "let A = class {}; for (;;) { A = class extends A {} }",
    "a function that makes classes for ever": "const f = base => f(class extends base {});\nf(class {})",
    "a function that binds itself for ever": "let f = () => 1; for (;;) { f = f.bind(null, 1, 2, 3) }",
    "a replacement that grows": "let s = 'ab'; for (;;) { s = s.replace(/./g, x => x + x) }",
    "a replacement among many placeholders": (
        "const s = `${new Date()}x`.repeat(600000);\ns.replaceAll('x', 'y').length; for (;;) s.replaceAll('x', 'y')"
    ),
    "a long text that is replaced": "const s = 'ab'.repeat(2000000); for (;;) (s + 'c').replace(s, 'x')",
    "objects in JSON that hold each other twice": (
        "class A { constructor(a) { this.a = a; this.b = a } }\nlet o = 1; for (let i = 0; i < 60; i++) o = new A(o);\nJSON.stringify(o)"
    ),
    "an object that assigns itself for ever": (
        "class A {}\nconst o = new A();\nfor (let i = 0;; i++) { o['k' + i] = 1; Object.assign(o, o) }"
    ),
}


@pytest.mark.parametrize("program", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_class_ends_and_costs_its_file(tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(js_meter.Meter, "_seconds_allowed", lambda self: 1e9)
    good = "publish('good').query(ctx => 'SELECT a FROM t')"
    project = _project(tmp_path, {"definitions/bad.js": program, "definitions/good.js": good})
    assert [model.name for model in project.models] == ["p.d.good"]
    codes = [remark.code.value for remark, _ in project.remarks]
    assert codes in (["unread-model"], ["unread-model", "template"])


ENDS = {
    "a class that extends itself": (
        "class A extends A { f() { return 1 } }\nconst o = new A();\nconst given = [o.f(), o.g()]",
        "1,${A}",
    ),
    "an object in JSON that holds itself": (
        "class A { constructor() { this.a = this } }\nconst given = JSON.stringify(new A())",
        "${JSON_stringify}",
    ),
    "a list that holds an object that holds it": (
        "class A { constructor(all) { this.all = all; all.push(this) } }\nconst all = [];\nnew A(all);\nconst given = `${all}`",
        "[object Object]",
    ),
}


@pytest.mark.parametrize(("program", "expected"), ENDS.values(), ids=ENDS)
def test_a_class_of_itself_is_no_problem(tmp_path: Path, program: str, expected: str) -> None:
    assert _given(tmp_path, program) == expected


@pytest.mark.parametrize(
    "text",
    [
        "class A { " * 500 + "}" * 500,
        "class A extends " * 500 + "B {}",
        "new " * 5_000 + "A()",
        "class A { f() {",
        "class { }",
    ],
)
def test_broken_classes_are_diagnostics(tmp_path: Path, text: str) -> None:
    project = _project(tmp_path, {"definitions/bad.js": f"{text}\nconst x = ;"})
    assert [remark.code.value for remark, _ in project.remarks] == ["unread-model"]


REPORTS = """
class Template {
  static create(write) {
    return (ctx, params) => write(ctx, params).replace(/<<(.*?)>>/g, (all, name) => params[name.trim()])
  }
}
class Reports {
  #all = {
    orders: { queries: [Template.create((ctx, p) => `
      SELECT day, <<column>> AS total FROM ${ctx.ref('raw', 'orders')} WHERE day = '${p.day}'`)] },
    visits: { queries: [Template.create((ctx, p) => `
      SELECT day, COUNT(*) AS total FROM ${ctx.ref('raw', `visits_${p.day}`)} GROUP BY day`)] }
  }
  get names() { return Object.keys(this.#all) }
  list() { return this.names.map(name => ({ name, ...this.#all[name] })) }
}
module.exports = { Reports }
"""
DYNAMIC = """
const today = new Date().toISOString().substring(0, 10)
const made = new reports.Reports()
for (let day = today; day >= today; day = new Date(day)) {
  made.list().forEach(({ name, queries }) => {
    queries.forEach(query => publish(`${name}_report`, { type: 'table' }).query(ctx => query(ctx, { day, column: 'amount' })))
  })
}
"""


def test_reports_that_a_class_lists_are_tables_with_lineage(tmp_path: Path) -> None:
    project = _project(tmp_path, {"includes/reports.js": REPORTS, "definitions/dynamic.js": DYNAMIC})
    assert [model.name for model in project.models] == ["p.d.orders_report", "p.d.visits_report"]
    made = project_lineage(project)
    edges = {
        f"{edge.target.table}.{edge.target.column} {'<-' if edge.type == 'fdd' else '<~'} {edge.source.table}.{edge.source.column}"
        for edge in made.lineage.column_edges()
    }
    assert edges == {
        "p.d.orders_report.day <- p.raw.orders.day",
        "p.d.orders_report.total <- p.raw.orders.amount",
        "p.d.orders_report.PseudoRows <~ p.raw.orders.PseudoRows",
        "p.d.orders_report.PseudoRows <~ p.raw.orders.day",
        "p.d.visits_report.day <- p.raw.visits_${Date}.day",
        "p.d.visits_report.total <~ p.raw.visits_${Date}.PseudoRows",
        "p.d.visits_report.total <~ p.raw.visits_${Date}.day",
        "p.d.visits_report.PseudoRows <~ p.raw.visits_${Date}.PseudoRows",
        "p.d.visits_report.PseudoRows <~ p.raw.visits_${Date}.day",
    }
