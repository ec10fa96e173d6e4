"""DOT, and the pictures that Graphviz makes of it."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest
from lxml import etree

from export_samples import hostile, text, warehouse, written
from headwater.export.feed import LEVELS, Level

SVG = "{http://www.w3.org/2000/svg}"


def graph_of(dot: str):  # type: ignore[no-untyped-def]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("pygraphviz").AGraph(string=dot)


@pytest.mark.parametrize("level", LEVELS)
def test_graphviz_reads_as_many_cards_and_lines_as_there_are(level: Level) -> None:
    for feed in (warehouse(level), hostile(level)):
        read = graph_of(text("dot", feed))
        lines = len(list(feed.table_relations())) if level == "table" else sum(len(r.sources) for r in feed.relations())
        inner = sum(len(part.entities) for part in feed.parts()) if level == "complete" else 0
        assert len(read.edges()) == lines
        assert len(read.nodes()) == len(list(feed.entities())) + inner


def test_lines_look_like_their_type() -> None:
    lines = [line for line in text("dot", warehouse("complete")).splitlines() if " -> " in line]
    styles = {
        (line.partition('class="')[2].split('"')[0].split()[0], line.partition("style=")[2].split(",")[0])
        for line in lines
    }
    assert styles == {("fdd", "solid"), ("fdr", "dashed"), ("join", "dotted")}
    assert any("masking" in line for line in lines)


def test_the_version_is_stated() -> None:
    assert text("dot", warehouse()).startswith("// headwater dot 1, column level\n")
    assert "<!-- headwater svg 1 -->" in text("svg", warehouse())
    assert b"Software\0headwater png 1" in written("png", warehouse())[0]


@pytest.mark.parametrize("level", LEVELS)
def test_an_svg_shows_the_names_as_text(level: Level) -> None:
    picture = etree.fromstring(written("svg", warehouse(level))[0])
    shown = {element.text for element in picture.iter(f"{SVG}text")}
    assert {"mart.sales", "staging.orders"} <= shown
    assert ("revenue" in shown) == (level != "table")


def test_hostile_names_are_text_in_an_svg() -> None:
    picture = etree.fromstring(written("svg", hostile())[0])
    shown = {(element.text or "").replace("\xa0", " ") for element in picture.iter(f"{SVG}text")}
    assert {"<script>alert(1)</script>", 'a"b', "x␊y", "\\N \\G", "&lt;", "-->" + " b"} <= shown
    assert not list(picture.iter(f"{SVG}script"))


def test_a_png_is_one() -> None:
    image = written("png", warehouse())[0]
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(image[16:20]) > 400


def test_columns_that_take_no_part_are_not_drawn() -> None:
    picture = etree.fromstring(written("svg", warehouse())[0])
    shown = [element.text for element in picture.iter(f"{SVG}text")]
    assert "raw.idle" in shown
    assert "a" not in shown


def test_graphviz_is_imported_when_it_draws() -> None:
    code = "import sys, headwater.export.svg, headwater.export.png, headwater.export.dot; print('pygraphviz' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
