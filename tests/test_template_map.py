"""Where rendered text stands in its template: by rendering it here, and by aligning what somebody else rendered."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.model.span import Position, Span
from headwater.source.jinja_sandbox import Sandbox
from headwater.source.template import TemplateProblem
from headwater.source.template_alignment import aligned
from headwater.source.template_map import TemplateMap

VARIABLES = {"names": ["a", "b", "c"], "yes": True, "no": False, "text": "made, of\ntext"}


def rendered(template: str) -> tuple[str, TemplateMap]:
    return Sandbox(VARIABLES, {}).rendered_with_map(template, "this_table")


def place(template: str, text: str) -> tuple[str, str, bool]:
    """Where the first occurrence of some rendered text stands: position, text of the template, whether it was made there."""
    made, where = rendered(template)
    found = where.stretch(Span(made.index(text), made.index(text) + len(text)))
    assert found is not None
    return str(where.position(found.span.start)), template[found.span.start : found.span.end], found.made


def test_text_without_a_template_is_where_it_is() -> None:
    assert place("select a\nfrom t", "from") == ("2:1", "from", False)


def test_text_behind_an_expression_has_its_own_place() -> None:
    assert place("select {{ text }} as x,\n  b from t", "b") == ("2:3", "b", False)


def test_text_that_an_expression_makes_has_the_place_of_the_expression() -> None:
    assert place("select\n  {{ text }} as x", "of") == ("2:3", "{{ text }}", True)


def test_text_from_verbatim_to_made_covers_both() -> None:
    assert place("select sum({{ text }}) as x", "sum(made") == ("1:8", "sum({{ text }}", False)


def test_all_rounds_of_a_loop_stand_in_its_body() -> None:
    template = "select\n{% for n in names %}\n  {{ n }}_sum,{% endfor %} 1"
    for name in VARIABLES["names"]:  # type: ignore[attr-defined]
        assert place(template, f"{name}_sum") == ("3:3", "{{ n }}_sum", True)


def test_an_expression_that_a_loop_puts_together_covers_its_body() -> None:
    template = "select {% for n in names %}{{ n }}{% if not loop.last %} + {% endif %}{% endfor %} as s"
    assert place(template, "a + b + c") == ("1:28", "{{ n }}{% if not loop.last %} + ", True)


def test_branches_have_their_own_places() -> None:
    template = "{% if no %}x{% elif yes %}\n y {% else %} z {% endif %}"
    assert place(template, "y") == ("2:2", "y", False)


def test_white_space_control_takes_text_away() -> None:
    assert place("a  {%- if yes -%}  b  {%- endif -%}  c", "b") == ("1:20", "b", False)
    assert place("a  {%- if yes -%}  b  {%- endif -%}  c", "c") == ("1:38", "c", False)


def test_comments_and_raw_blocks() -> None:
    assert place("{# one\ntwo #} a", "a") == ("2:8", "a", False)
    assert place("{% raw %}{{ x }}{% endraw %} a", "x") == ("1:13", "x", False)


def test_macros_calls_filters_and_set_blocks_belong_to_what_writes_them() -> None:
    assert place("{% macro m() %}made{% endmacro %}\n{{ m() }}", "made") == ("2:1", "{{ m() }}", True)
    macro = "{% macro m() %}[{{ caller() }}]{% endmacro %}\n"
    assert place(macro + "x {% call m() %}inside{% endcall %}", "inside") == ("2:3", "{% call m() %}", True)
    assert place("x\n{% filter upper %}inside{% endfilter %}", "INSIDE") == ("2:1", "{% filter upper %}", True)
    assert place("{% set s %}inside{% endset %}\n {{ s }}", "inside") == ("2:2", "{{ s }}", True)


def test_a_loop_that_calls_itself_is_one_place() -> None:
    template = "{% for n in [[1]] recursive %}<{{ loop(n) if n is iterable else n }}>{% endfor %}"
    assert place(template, "<1>")[::2] == ("1:1", True)


def test_lines_that_end_as_in_windows() -> None:
    template = "select\r\n  {{ text }},\r\n  b\r\nfrom t"
    assert "\r" not in rendered(template)[0]
    assert place(template, "b\nfrom") == ("3:3", "b\r\nfrom", False)


def test_private_characters_are_text_like_any_other() -> None:
    assert place("\ue000\U000f0000 {{ '\ue001' }}\n x", "x") == ("2:2", "x", False)


@pytest.mark.slow
def test_what_cannot_be_rendered_is_a_problem() -> None:
    with pytest.raises(TemplateProblem, match="line 2: nothing is not defined"):
        rendered("a\n{{ nothing }}")
    with pytest.raises(TemplateProblem):
        rendered("{% if %}")
    with pytest.raises(TemplateProblem, match="too much"):
        rendered("{% for a in range(99999) %}{% for b in range(99999) %}text{% endfor %}{% endfor %}")


def test_a_map_costs_little_of_the_budget() -> None:
    made, _ = rendered("{% for a in range(90000) %}" + "x" * 100 + "{% endfor %}")
    assert len(made) == 9_000_000


def test_a_part_of_the_text_and_a_longer_text() -> None:
    template = "\n\n select a,\n {{ text }} from t"
    made, where = rendered(template)
    stripped = made.strip()
    inner = where.part(made.index(stripped), made.index(stripped) + len(stripped)).within(5, 3)
    whole = f"12345{stripped}678"
    found = inner.stretch(Span(whole.index("from"), len(whole)))
    assert found is not None
    assert template[found.span.start : found.span.end] == "from t"
    assert inner.stretch(Span(0, 5)) is None
    assert inner.stretch(Span(len(whole) - 2, len(whole))) is None


def test_a_template_inside_of_a_file() -> None:
    made, where = rendered("a {{ text }}\nb")
    moved = where.standing_in("first line\n  a {{ text }}\nb", 13)
    found = moved.stretch(Span(len(made) - 1, len(made)))
    assert found is not None
    assert moved.position(found.span.start) == Position(3, 1)


def test_numbers_tell_all() -> None:
    _, where = rendered("a {{ text }}\nb{% for n in names %}\n{{ n }}{% endfor %}")
    assert TemplateMap.of_numbers(where.within(7, 2).numbers()) == where.within(7, 2)


DATA = st.text(alphabet="ab,\n \r'{%}\ue000", max_size=8).map(lambda text: text.replace("{", "").replace("\r", "\r\n"))
TAGS = ("{{ text }}", "{{- text -}}", "{# c #}", "{%- set x = 1 %}", "{{ names | join('x') }}")


@st.composite
def templates(draw: st.DrawFn, depth: int = 2) -> str:
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        parts.append(draw(DATA))
        inner = draw(templates(depth - 1)) if depth else ""
        blocks = (
            f"{{% for n in names -%}}{inner}{{% endfor %}}",
            f"{{% if yes %}}{inner}{{% else %}}b,{{%- endif -%}}",
            f"{{% if no %}}{inner}{{% endif %}}",
            f"{{% set s %}}{inner}{{% endset %}}{{{{ s }}}}",
            f"{{% filter upper %}}{inner}{{% endfilter %}}",
        )
        parts.append(draw(st.sampled_from((*TAGS, *blocks))))
    return "".join(parts) + draw(DATA)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(templates())
def test_verbatim_text_is_the_same_in_both(template: str) -> None:
    made, where = rendered(template)
    assert made == Sandbox(VARIABLES, {}).rendered(template, "this_table")
    for offset, character in enumerate(made):
        found = where.stretch(Span(offset, offset + 1))
        assert found is not None
        if where.is_verbatim(offset):
            assert template[found.span.start] == character
        else:
            assert template[found.span.start] == "{"


@settings(max_examples=100, deadline=None)
@given(templates())
def test_an_aligned_text_is_never_somewhere_else(template: str) -> None:
    made, where = rendered(template)
    found = aligned(template, made)
    assert (found is None) == (not made.strip())
    for offset in (offset for offset, character in enumerate(made) if not character.isspace()):
        assert found is not None
        true, told = (each.stretch(Span(offset, offset + 1)) for each in (where, found))
        assert true is not None
        assert told is None or told.span == true.span or told.span.start <= true.span.start < told.span.end


def aligned_place(template: str, made: str, text: str) -> tuple[str, str]:
    where = aligned(template, made)
    assert where is not None
    found = where.stretch(Span(made.index(text), made.index(text) + len(text)))
    assert found is not None
    return str(where.position(found.span.start)), template[found.span.start : found.span.end]


PAYMENTS = """\
{{ config(materialized='table') }}

{% set methods = ['card', 'coupon'] %}

with orders as (
    select * from {{ ref('stg_orders') }}
)
select
    order_id,
    {% for method in methods -%}
    sum(case when method = '{{ method }}' then amount else 0 end) as {{ method }}_amount,
    {% endfor -%}
    {{ euros('amount') }} as euros,
    {% if target.type == 'duckdb' %}
    list(x) as xs
    {% else %}
    array_agg(x) as xs
    {% endif %}
from orders
"""
COMPILED = """\


with orders as (
    select * from "shop"."dev"."stg_orders"
)
select
    order_id,
    sum(case when method = 'card' then amount else 0 end) as card_amount,
    sum(case when method = 'coupon' then amount else 0 end) as coupon_amount,
    round(amount / 100, 2) as euros,
    
    array_agg(x) as xs
    
from orders"""  # noqa: W293


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("order_id", ("9:5", "order_id")),
        ("stg_orders", ("6:19", "{{ ref('stg_orders') }}")),
        ("sum(case when method = 'card", ("11:5", "sum(case when method = '{{ method }}")),
        ("coupon_amount", ("11:70", "{{ method }}_amount")),
        ("round(", ("13:5", "{{ euros('amount') }}")),
        ("as euros", ("13:27", "as euros")),
        ("array_agg(x)", ("17:5", "array_agg(x)")),
        ("from orders", ("19:1", "from orders")),
    ],
)
def test_places_of_compiled_code(text: str, expected: tuple[str, str]) -> None:
    assert aligned_place(PAYMENTS, COMPILED, text) == expected


def test_queries_that_dbt_puts_in_front() -> None:
    template = "{{ config() }}\nwith a as (select 1 as x)\nselect x from a join {{ ref('e') }}"
    made = "with __dbt__cte__e as (\nselect 2 as y\n),  a as (select 1 as x)\nselect x from a join __dbt__cte__e"
    assert aligned_place(template, made, "x from") == ("3:8", "x from")
    assert aligned_place(template, made, "2 as y") == ("2:1", "with")


def test_code_of_another_template_is_not_aligned() -> None:
    assert aligned("select {{ x }} from t", "select a from other") is None
    assert aligned("{% if %}", "select a") is None
