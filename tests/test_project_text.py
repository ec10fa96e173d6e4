"""The text of a project's expressions, taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.project.objects import Reference
from headwater.project.text import Path, Variable, closing, pieces, reference


def parts(text: str) -> list[object]:
    return [piece.part for piece in pieces(text)]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("${ref(orders).amount}", Reference("orders", "amount")),
        ("${ref('orders').amount}", Reference("orders", "amount")),
        ('${ref("orders").amount}', Reference("orders", "amount")),
        ("${ ref( orders ) }", Reference("orders")),
        ("${ref (orders)}", Reference("orders")),
        ("${ref(Fibonacci Waterfall).Net Amount}", Reference("Fibonacci Waterfall", "Net Amount")),
        ('${ref(orders)."Net Amount"}', Reference("orders", "Net Amount", True)),
        ("${ref(surface)[0].x}", Reference("surface", "x")),
        ("${ref(surface).z[0][1]}", Reference("surface", "z")),
        ("${ref(surface).marker.color}", Reference("surface", "marker.color")),
        ("${ref('a}b').x}", Reference("a}b", "x")),
        ("${ref('a)b').x}", Reference("a)b", "x")),
        ("${env.REGION}", Variable("REGION")),
        ("${ env.REGION }", Variable("REGION")),
        ("${project.defaults.source_name}", Path("project.defaults.source_name")),
        ("${columns.week[0:5]}", Path("columns.week[0:5]")),
    ],
)
def test_what_stands_between_braces(text: str, meant: object) -> None:
    assert parts(text) == [meant]


@pytest.mark.parametrize(
    "text", ["", "a", "$", "${", "${ref(a)", "${ref()}", "${}", "${env.}", "${env.a b}", "$ {ref(a)}", "{a}"]
)
def test_what_means_nothing_is_text(text: str) -> None:
    assert parts(text) == ([text] if text else [])


def test_text_around_references_is_kept() -> None:
    assert parts("sum(${ref(a).x}) / ${ref(b)} * 2") == ["sum(", Reference("a", "x"), ") / ", Reference("b"), " * 2"]


def test_references_in_strings_count() -> None:
    """`'${ref(day).value}'`: what somebody chose is put between the quotes."""
    assert parts("d = '${ref(day).value}'") == ["d = '", Reference("day", "value"), "'"]


def test_an_apostrophe_in_the_text_hides_nothing() -> None:
    assert parts("it's ${ref(a).x}, isn't it ${ref(b).y}") == [
        "it's ",
        Reference("a", "x"),
        ", isn't it ",
        Reference("b", "y"),
    ]


def test_a_reference_after_one_that_has_no_end() -> None:
    assert parts("${ ref(a ${ref(b).y}") == ["${ ref(a ", Reference("b", "y")]


def test_a_reference_as_a_whole() -> None:
    assert (
        reference("ref(orders)")
        == reference("${ref(orders)}")
        == reference(" ${ ref( 'orders' ) } ")
        == Reference("orders")
    )
    assert reference("${ref(a)} ${ref(b)}") is None
    assert reference("orders") is None
    assert reference("preference(orders)") is None


def test_brackets_nest_and_quotes_hide_them() -> None:
    text = "{ a '}' { \"}\" } } b }"
    assert closing(text, 0) == text.index("} b")


@given(st.text(alphabet="${}()ref.env ab'\"[0]", max_size=60))
def test_the_pieces_are_the_text(text: str) -> None:
    found = list(pieces(text))
    assert "".join(text[piece.start : piece.end] for piece in found) == text
    assert all(piece.part == text[piece.start : piece.end] for piece in found if isinstance(piece.part, str))


def test_texts_full_of_openings_are_read_at_once() -> None:
    text = "${" * 100_000
    assert parts(text) == [text]
