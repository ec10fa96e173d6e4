"""Hostile templates: each ends within the limit, and says which limit it exceeds; the others of its run go on."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import pytest

from command import Run, write
from headwater.project.read import read_project
from headwater.source import Template, TemplateProblem
from headwater.source.template_limits import TemplateLimits, template_limits

pytest.importorskip("jinja2")

SECONDS = 2
LIMITS = TemplateLimits(seconds=SECONDS, characters=1_000_000)
MANY = "{% for i in range(90000) %}{% for j in range(90000) %}"
END = "{% endfor %}{% endfor %}"
TEXT = "{% set t = 'ab' * 400000 %}"
DICT = "{% set d = dict() %}{% for i in range(9000) %}{% do d.setdefault(i, i) %}{% endfor %}"
LIST = "{% set l = range(90000) | list %}"

SHARED = "{% set ns = namespace(x=()) %}{% for i in range(60) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}"
"""A tuple of 2^60 items and 60 objects: what goes through it in C, nothing ends."""
TWICE = f"{SHARED}{SHARED.replace('ns', 'ms')}"
WITH_SHARED = {
    "a key": "{% set d = {ns.x: 1} %}",
    "a subscript of a dictionary": "{% set d = {} %}{{ d[ns.x] }}",
    "a subscript of a list": "{{ [1][ns.x] }}",
    "a slice": "{{ {}[ns.x:] }}",
    "the end of a slice": "{{ {}[:ns.x] }}",
    "the step of a slice": "{{ {}[::ns.x] }}",
    "get": "{{ {}.get(ns.x) }}",
    "setdefault": "{{ {}.setdefault(ns.x) }}",
    "in": "{{ ns.x in [()] }}",
    "written": "{{ ns.x }}",
    "a namespace that is written": "{{ ns }}",
    "a namespace as a text": "{{ ns|string }}",
    "~": "{{ '' ~ ns.x }}",
    "a namespace and ~": "{{ '' ~ ns }}",
    "%": "{{ '%s' % (ns.x,) }}",
    "format": "{{ '{}'.format(ns.x) }}",
    "equal": "{{ ns.x == ms.x }}",
    "less": "{{ ns.x < ms.x }}",
    "is eq": "{{ ns.x is eq(ms.x) }}",
    "sort": "{{ [ns.x, ms.x]|sort }}",
    "sort by an attribute": "{{ [ns, ms]|sort(attribute='x') }}",
    "max by an attribute": "{{ [ns, ms]|max(attribute='x') }}",
    "unique": "{{ [ns.x]|unique|list }}",
    "unique by an attribute": "{{ [ns]|unique(attribute='x')|list }}",
    "groupby": "{{ [ns, ms]|groupby('x') }}",
    "select by an attribute": "{{ [ns]|selectattr('x', 'eq', ms.x)|list }}",
    "a macro's argument": "{% macro f(a) %}{{ a }}{% endmacro %}{{ f(ns.x) }}",
    "a macro's own names": "{% macro f() %}{{ kwargs }}{% endmacro %}{{ f(a=ns.x) }}",
    "a name of a template": "{% include ns.x %}",
    "a name among others": "{% include ['a', ns.x] %}",
    "a name that is imported": "{% import ns.x as a %}",
    "a variable": "{{ var(ns.x) }}",
    "dict": "{{ dict([(ns.x, 1)]) }}",
}
"""What hashes, compares, writes or copies a value."""
ATTACKS = {
    "a filter over a range": "{% for i in range(90000) %}{{ range(90000)|list|length }}{% endfor %}",
    "sum": f"{MANY}{{% set x = range(90000)|sum %}}{END}",
    "sort": f"{LIST}{MANY}{{% set x = l|sort(reverse=true)|first %}}{END}",
    "unique": f"{LIST}{MANY}{{% set x = l|unique|list %}}{END}",
    "map and select": f"{LIST}{MANY}{{% set x = l|map('string')|select('odd')|list %}}{END}",
    "a chain of lazy filters": f"{LIST}{MANY}{{% set x = l|map('int')|map('int')|map('int')|map('int')|sum %}}{END}",
    "groupby": f"{LIST}{MANY}{{% set x = l|groupby('real') %}}{END}",
    "in a list": f"{LIST}{MANY}{{% set x = -1 in l %}}{END}",
    "not in a list": f"{LIST}{MANY}{{% if -1 not in l %}}{{% endif %}}{END}",
    "in a text": f"{TEXT}{MANY}{{% set x = 'aa' in t %}}{END}",
    "is in": f"{LIST}{MANY}{{% set x = -1 is in l %}}{END}",
    "comparing lists": f"{LIST}{{% set m = range(90000)|list %}}{MANY}{{% set x = l == m %}}{END}",
    "comparing texts": f"{TEXT}{{% set u = t ~ '' %}}{MANY}{{% set x = t < u %}}{END}",
    "count of a text": f"{TEXT}{MANY}{{% set x = t.count('ba') %}}{END}",
    "index of a list": f"{LIST}{MANY}{{% set x = l.count(-1) %}}{END}",
    "find": f"{TEXT}{MANY}{{% set x = t.find('bb') %}}{END}",
    "split": f"{TEXT}{MANY}{{% set x = t.split('a') %}}{END}",
    "upper": f"{TEXT}{MANY}{{% set x = t|upper %}}{END}",
    "a product of texts": f"{MANY}{{% set x = 'ab' * 400000 %}}{END}",
    "a product of lists": f"{MANY}{{% set x = [1] * 400000 %}}{END}",
    "joining with ~": f"{TEXT}{MANY}{{% set x = t ~ i ~ t %}}{END}",
    "join": f"{LIST}{MANY}{{% set x = l|join('-') %}}{END}",
    "replace": f"{TEXT}{MANY}{{% set x = t|replace('a', 'b') %}}{END}",
    "replace as a method": f"{TEXT}{MANY}{{% set x = t.replace('a', 'b') %}}{END}",
    "slices": f"{TEXT}{MANY}{{% set x = t[1:] %}}{{% set y = x[::-1] %}}{END}",
    "a macro that calls itself twice": (
        "{% macro f(n) %}{% if n %}{% set x = f(n - 1) %}{% set y = f(n - 1) %}{% endif %}{% endmacro %}{{ f(60) }}"
    ),
    "a large macro": "{% macro f() %}"
    + "{% set x = 1 %}" * 5000
    + "{% endmacro %}"
    + f"{MANY}{{% set y = f() %}}{END}",
    "a large loop": f"{MANY}" + "{% set x = 1 %}" * 5000 + END,
    "plain loops": f"{MANY}{END}",
    "a recursive loop": "{% for i in [1, 2] recursive %}{{ loop([1, 2]) }}{% endfor %}",
    "items of a dictionary": f"{DICT}{MANY}{{% set x = d.items()|list %}}{END}",
    "dictsort": f"{DICT}{MANY}{{% set x = d|dictsort %}}{END}",
    "a dictionary that is filled again": f"{DICT}{MANY}{{% do d.update(d) %}}{END}",
    "copies of a dictionary": f"{DICT}{MANY}{{% set x = d.copy() %}}{END}",
    "striptags": "{% set t = '<!---->' * 100000 %}{{ t|striptags }}",
    "much text": "{% for i in range(90000) %}{{ 'x' * 1000 }}{% endfor %}",
    "much text in a block": "{% set x %}{% for i in range(90000) %}some words that are written{% endfor %}{% endset %}{{ x * 9 }}",
    "loop.changed": f"{LIST}{MANY}{{% if loop.changed(l) %}}{{% endif %}}{END}",
    "truncate": f"{TEXT}{MANY}{{% set x = t|truncate(10) %}}{END}",
    "wordcount": f"{TEXT}{MANY}{{% set x = t|wordcount %}}{END}",
    "trim": f"{TEXT}{MANY}{{% set x = t.strip('c') %}}{END}",
    "numbers": "{% set n = namespace(x=3) %}{% for i in range(90000) %}{% set n.x = n.x * n.x %}{% endfor %}",
    "division": f"{{% set n = 7 ** 64 %}}{MANY}{{% set x = (n * n * n) // 3 %}}{END}",
    "a deep expression": "{{ " + "(1 + " * 3000 + "1" + ")" * 3000 + " }}",
    "deep blocks": "{% if 1 %}" * 300 + "{% endif %}" * 300,
    "a long chain": "{{ 1" + " + 1" * 20000 + " }}",
    "a template that is too long": "{# x #}" * 800_000,
    "a map that is read when its items have grown": (
        "{% set ns = namespace(x=()) %}{% set g = [ns]|map(attribute='x') %}"
        "{% for i in range(60) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}{{ g|unique|list }}"
    ),
    "a unique that is read when its items have grown": (
        "{% set ns = namespace(x=()) %}{% set g = [ns]|unique(attribute='x') %}"
        "{% for i in range(60) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}{{ g|list }}{{ ns.x }}"
    ),
}


@pytest.mark.parametrize("template", ATTACKS.values(), ids=ATTACKS)
def test_every_attack_ends(template: str) -> None:
    start = time.perf_counter()
    with pytest.raises(TemplateProblem) as problem:
        Template(limits=LIMITS).render(template)
    assert time.perf_counter() - start < 1.5 * SECONDS + 2
    assert str(problem.value)


@pytest.mark.parametrize("template", WITH_SHARED.values(), ids=WITH_SHARED)
def test_what_a_value_holds_counts_as_often_as_it_holds_it(template: str) -> None:
    """Nothing could end these: the test itself would not."""
    with pytest.raises(TemplateProblem, match="too much"):
        Template().render(TWICE + template)


@pytest.mark.parametrize("name", ["a filter over a range", "sort", "in a list", "comparing texts", "striptags"])
def test_attacks_end_in_other_threads(name: str) -> None:
    problems: list[str] = []

    def render() -> None:
        try:
            Template(limits=LIMITS).render(ATTACKS[name])
        except TemplateProblem as problem:
            problems.append(str(problem))

    thread = threading.Thread(target=render)
    start = time.perf_counter()
    thread.start()
    thread.join(60)
    assert problems
    assert time.perf_counter() - start < 1.5 * SECONDS + 2


@pytest.mark.parametrize(
    ("limits", "template", "words"),
    [
        (TemplateLimits(seconds=0.2), f"{LIST}{MANY}{{% set x = l[1:] %}}{END}", "--template-timeout"),
        (TemplateLimits(characters=100), "{{ 'x' * 101 }}", "100 characters (--template-size)"),
        (TemplateLimits(steps=5_000), "{% for i in range(1000) %}{% endfor %}", "more than 5,000 steps"),
    ],
)
def test_the_limit_is_named(limits: TemplateLimits, template: str, words: str) -> None:
    with pytest.raises(TemplateProblem) as problem:
        Template(limits=limits).render(template)
    assert words in str(problem.value)


def test_work_that_counts_nothing_is_ended_by_a_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGALRM)
    template = Template({"busy": lambda: sum(i for i in range(10**9))}, limits=TemplateLimits(seconds=0.5))
    start = time.perf_counter()
    with pytest.raises(TemplateProblem, match=r"longer than 0.5 seconds \(--template-timeout\)"):
        template.render("{{ busy() }}")
    assert time.perf_counter() - start < 5
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_ordinary_work_is_within_the_limits() -> None:
    loops = "{% set l = [] %}{% for i in range(2000) %}{% do l.append('column_' ~ i) %}{% endfor %}"
    made = Template().render(loops + "SELECT {% for c in l %}{{ c|upper }}{{ ', ' if not loop.last }}{% endfor %}")
    assert made.count("COLUMN_") == 2000


def test_a_dbt_project_loses_the_hostile_model_only(folder: Path) -> None:
    write("shop/dbt_project.yml", "name: shop\nprofile: shop\n")
    write("shop/models/good.sql", "select a from t")
    write("shop/models/hostile.sql", ATTACKS["a filter over a range"])
    write("shop/models/after.sql", "select a from {{ ref('good') }}")
    write("shop/models/uses.sql", "select * from {{ ref('hostile') }}")
    start = time.perf_counter()
    with template_limits(LIMITS):
        read = read_project(Path("shop"), {})
    assert time.perf_counter() - start < 10
    written = {model.name.rpartition(".")[2]: model.sql for model in read.models}
    assert written["good"] == "select a from t"
    assert "good" in written["after"]
    assert not written["hostile"]
    (found,) = [remark for remark, place in read.remarks if "too much" in remark.message or "longer" in remark.message]
    assert "hostile" in found.message


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("spark")
def test_a_build_goes_on_behind_a_hostile_template(run: Run, folder: Path) -> None:
    write("sql/good.sql", "CREATE VIEW v AS SELECT {{ 'a' }} FROM t")
    write("sql/hostile.sql", ATTACKS["slices"])
    done = run("build", "sql", "--jinja", "--template-timeout", "1")
    assert done.code == 1
    assert "2 scripts" in done.out
    listed = run("diagnostics").out
    assert "sql/hostile.sql" in listed
    assert "--template-timeout" in listed
    assert run("upstream", "v.a").code == 0
