"""The playground in real Chromium: type SQL, see the edge, click it, and the right characters are marked; what settings change; the URL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

SQL = """INSERT INTO mart.daily
SELECT o.day, sum(o.amount) AS total
FROM raw.orders o
JOIN raw.customers c ON c.id = o.customer_id
WHERE c.country = 'NL'
GROUP BY o.day"""


def open_playground(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/playground{query}")
    page.locator(".cm-content").first.wait_for()


def type_sql(page: Page, sql: str) -> None:
    """Put SQL into the editor as somebody who types or pastes does, and wait for its diagram."""
    page.locator(".cm-content").first.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(sql)
    page.locator('[data-testid="status"]').get_by_text("relation").wait_for()
    drawn(page)


def drawn(page: Page) -> Locator:
    """The diagram, laid out, of the newest analysis."""
    page.locator('[data-testid="playground"][data-busy="false"]').wait_for()
    page.locator('[data-testid="diagram"][data-ready="true"]').first.wait_for()
    return page.locator('[data-testid="diagram"]').first


def relations(page: Page) -> set[tuple[str, str, str]]:
    """The lines on screen: type, source, target."""
    found = (
        drawn(page)
        .locator("[data-relation]")
        .evaluate_all("lines => lines.map(line => [line.dataset.relation, line.dataset.source, line.dataset.target])")
    )
    return {(type, source, target) for type, source, target in found}


def entities(page: Page) -> set[str]:
    cards = drawn(page).locator('[data-testid^="entity-"]')
    return {name.removeprefix("entity-") for name in cards.evaluate_all("all => all.map(each => each.dataset.testid)")}


def marked(page: Page) -> str:
    """The text that is marked in the editor."""
    return "|".join(page.locator(".cm-content").first.locator(".hw-mark").all_inner_texts())


def setting(page: Page, name: str) -> Locator:
    return page.locator(f'[data-testid="setting-{name}"]')


def at_column_level(page: Page, playground: str) -> None:
    open_playground(page, playground, "?level=column")
    type_sql(page, SQL)


def test_typing_sql_shows_its_edges(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    assert {source for type, source, _ in relations(page) if type == "fdd"} == {"raw.orders.day", "raw.orders.amount"}
    assert ("fdd", "raw.orders.amount", "mart.daily.total") in relations(page)
    assert entities(page) >= {"raw.orders", "mart.daily"}


def test_a_click_marks_the_characters_that_make_the_column(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    page.get_by_test_id("column-mart.daily.total").click()
    assert "sum(o.amount)" in marked(page)
    assert "o.day" not in marked(page).replace("GROUP BY o.day", "")


def test_a_click_lights_the_chain_up_and_the_rest_fades(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    page.get_by_test_id("column-mart.daily.total").click()
    looks = {
        name: page.get_by_test_id(f"column-{name}").get_attribute("data-look")
        for name in ("mart.daily.total", "raw.orders.amount", "raw.orders.day", "mart.daily.day")
    }
    assert looks["mart.daily.total"] == "start"
    assert looks["raw.orders.amount"] == "lit"
    assert {looks["raw.orders.day"], looks["mart.daily.day"]} == {""}
    faded, lit = (
        page.get_by_test_id(f"column-{name}").evaluate("each => getComputedStyle(each).color")
        for name in ("raw.orders.day", "raw.orders.amount")
    )
    assert faded == "rgb(106, 115, 133)" != lit  # the palette's pale ink


def test_a_column_under_the_mouse_is_lit_as_long_as_it_is_there(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    page.get_by_test_id("column-mart.daily.total").hover()
    page.locator('[data-testid="diagram"][data-lit="true"]').wait_for()
    assert page.get_by_test_id("column-raw.orders.amount").get_attribute("data-look") == "lit"
    assert "sum(o.amount)" in marked(page)
    page.locator(".cm-content").first.hover()
    page.locator('[data-testid="diagram"]:not([data-lit="true"])').wait_for()
    assert marked(page) == ""
    assert "at=" not in page.url


def test_every_kind_has_its_shape_and_the_legend_tells(page: Page, playground: str) -> None:
    open_playground(page, playground)
    type_sql(page, "CREATE VIEW v AS SELECT max(a) AS b FROM t WHERE a > 0")
    setting(page, "impact").click()
    drawn(page).locator('[data-relation="fdr"]').first.wait_for(state="attached")
    shapes = dict(
        drawn(page)
        .locator('[data-testid^="entity-"]')
        .evaluate_all(
            "all => all.map(each => [each.dataset.kind, JSON.stringify(["
            "getComputedStyle(each).borderRadius, getComputedStyle(each).borderStyle, getComputedStyle(each).borderColor])])"
        )
    )
    assert shapes.keys() == {"table", "view", "resultset", "function"}
    assert len(set(shapes.values())) == len(shapes)
    words = page.get_by_label("Legend").locator("li").all_inner_texts()
    assert [word.strip() for word in words[-2:]] == ["data flow", "impact"]
    assert {word.strip() for word in words[:-2]} == {"table", "view", "result set", "function"}


def test_the_cursor_in_the_sql_selects_the_column(page: Page, playground: str) -> None:
    """Both ways: who puts the cursor on `o.amount` sees its column."""
    at_column_level(page, playground)
    page.locator(".cm-line").nth(1).click()
    page.keyboard.press("Home")
    for _ in range(SQL.splitlines()[1].index("amount") + 2):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**at=**")
    assert "amount" in page.url
    assert "amount" in marked(page)


def test_impact_is_dashed_and_shown_on_request(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    assert not [each for each in relations(page) if each[0] == "fdr"]
    setting(page, "impact").click()
    dashed = drawn(page).locator('[data-relation="fdr"]')
    dashed.first.wait_for(state="attached")
    influences = {source for type, source, _ in relations(page) if type == "fdr"}
    assert {"raw.customers.country", "raw.orders.customer_id"} <= influences
    strokes = dashed.first.locator("path").evaluate_all(
        "all => all.map(each => getComputedStyle(each).strokeDasharray)"
    )
    assert any(stroke not in ("none", "") for stroke in strokes)


def test_join_shows_the_two_sides(page: Page, playground: str) -> None:
    open_playground(page, playground, "?join=true")
    type_sql(page, SQL)
    joins = {frozenset(each[1:]) for each in relations(page) if each[0] == "join"}
    assert frozenset({"raw.customers.id", "raw.orders.customer_id"}) in joins


def test_data_flow_can_be_hidden(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    setting(page, "impact").click()
    setting(page, "dataFlow").click()
    drawn(page).locator('[data-relation="fdd"]').first.wait_for(state="detached")
    assert {each[0] for each in relations(page)} == {"fdr"}


def test_hidden_columns_leave_relations_of_tables(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    setting(page, "hideColumns").click()
    page.get_by_test_id("column-mart.daily.total").wait_for(state="detached")
    assert ("fdd", "raw.orders", "mart.daily") in relations(page)


def test_the_complete_level_has_result_sets_and_functions(page: Page, playground: str) -> None:
    open_playground(page, playground)
    type_sql(page, SQL)
    kinds = lambda: set(  # noqa: E731
        drawn(page).locator('[data-testid^="entity-"]').evaluate_all("all => all.map(each => each.dataset.kind)")
    )
    assert {"table", "resultset", "function"} <= kinds()
    setting(page, "functions").click()
    drawn(page).locator('[data-kind="function"]').first.wait_for(state="detached")
    assert {"table", "resultset"} <= kinds()
    setting(page, "resultSets").click()
    drawn(page).locator('[data-kind="resultset"]').first.wait_for(state="detached")
    assert ("fdd", "raw.orders.amount", "mart.daily.total") in relations(page)


def test_table_lineage_has_the_statement_between_tables_and_switches(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    page.get_by_test_id("tab-tables").click()
    page.get_by_test_id("entity-raw.orders").first.wait_for()
    assert {(type, source, target) for type, source, target in relations(page) if source == "raw.orders"} == {
        ("fdd", "raw.orders", "Insert")
    }
    assert "raw.customers" not in entities(page)
    setting(page, "impact").click()
    page.get_by_test_id("entity-raw.customers").first.wait_for()
    assert {("fdr", "raw.customers", "Insert"), ("fdd", "Insert", "mart.daily")} <= relations(page)
    assert page.get_by_test_id("level").count() == 0


def test_the_summary_counts_what_there_is(page: Page, playground: str) -> None:
    """Tables, columns, relations and statements, by kind: those of the diagram's level."""
    open_playground(page, playground, "?level=column")
    type_sql(page, "CREATE VIEW v AS SELECT a, b + c AS d FROM t WHERE e > 1; INSERT INTO o SELECT d FROM v")
    drawn(page)
    page.get_by_test_id("tab-summary").click()
    page.wait_for_url("**tab=summary**")

    def counted(key: str) -> list[str]:
        return page.get_by_test_id(f"summary-{key}").locator("tr").all_inner_texts()

    assert counted("entities") == ["Entities\t3", "table\t2", "view\t1"]
    assert counted("columns") == ["Columns\t7", "of a table\t5", "of a view\t2"]
    assert counted("processes") == ["Statements\t2", "Create View\t1", "Insert\t1"]
    assert counted("relations")[0] == "Relations\t7"
    assert counted("diagnostics") == ["Diagnostics\t0"]


def test_relations_are_a_table_whose_rows_select(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    page.get_by_test_id("tab-relations").click()
    row = page.get_by_test_id("relation-row").filter(has_text="sum(o.amount)").first
    row.click()
    page.wait_for_url("**at=**")
    assert "sum(o.amount)" in marked(page)


def test_json_and_xml(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    page.get_by_test_id("tab-json").click()
    assert '"mart.daily"' in document(page, "json")
    page.get_by_test_id("tab-xml").click()
    assert "<dlineage" in document(page, "sqlflow-xml")


def document(page: Page, format: str) -> str:
    """What is seen of a document."""
    shown = page.get_by_test_id(f"document-{format}")
    shown.get_by_text("mart").first.wait_for()
    return shown.inner_text()


def test_the_width_of_the_editor_is_in_the_link(page: Page, playground: str) -> None:
    open_playground(page, playground, "?width=50")
    bar = page.get_by_role("separator", name="Width of the editor")
    assert bar.get_attribute("aria-valuenow") == "50"
    bar.press("ArrowRight")
    page.wait_for_url("**width=54**")
    page.reload()
    assert bar.get_attribute("aria-valuenow") == "54"
    box = bar.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(0.3 * page.evaluate("innerWidth"), box["y"] + 50)
    page.mouse.up()
    page.wait_for_url("**width=30**")


def test_a_diagnostic_leads_to_its_place(page: Page, playground: str) -> None:
    open_playground(page, playground, "?level=column")
    type_sql(page, "INSERT INTO o SELECT a FROM t;\nINSERT INTO o SELEC b FROM u;\nINSERT INTO p SELECT c FROM v")
    page.get_by_test_id("tab-diagnostics").click()
    said = page.get_by_test_id("diagnostic")
    said.first.wait_for()
    assert "syntax-error" in said.first.inner_text()
    said.first.click()
    assert page.locator(".cm-activeLine").first.inner_text().startswith("INSERT INTO o SELEC")
    page.get_by_test_id("tab-diagram").click()
    assert {("fdd", "t.a", "o.a"), ("fdd", "v.c", "p.c")} <= relations(page)


def test_a_link_restores_what_was_on_screen(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    setting(page, "impact").click()
    page.get_by_test_id("column-mart.daily.total").click()
    page.wait_for_url("**at=**")
    before, marks = relations(page), marked(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.locator(".cm-content").first.wait_for()
    assert relations(other) == before
    assert marked(other) == marks != ""
    assert other.locator(".cm-content").first.inner_text().startswith("INSERT INTO mart.daily")


def test_back_takes_back_a_setting(page: Page, playground: str) -> None:
    at_column_level(page, playground)
    page.get_by_test_id("tab-relations").click()
    page.get_by_test_id("relations").wait_for()
    assert "tab=relations" in page.url
    page.go_back()
    assert ("fdd", "raw.orders.amount", "mart.daily.total") in relations(page)
    assert "tab=relations" not in page.url


def test_another_dialect_reads_its_own_words(page: Page, playground: str) -> None:
    open_playground(page, playground, "?level=column&dialect=tsql")
    type_sql(page, "SELECT TOP 5 [a] AS x INTO #copy FROM dbo.[Orders]")
    assert any(source.lower().endswith("orders.a") for _, source, _ in relations(page))


def test_a_schema_tells_what_a_star_means(page: Page, playground: str) -> None:
    open_playground(page, playground, "?level=column")
    type_sql(page, "INSERT INTO o SELECT * FROM t")
    page.get_by_test_id("schema-toggle").click()
    page.get_by_test_id("schema").click()
    page.keyboard.insert_text('{"t": {"a": "int", "b": "int"}}')
    page.get_by_test_id("column-o.b").wait_for()
    assert {("fdd", "t.a", "o.a"), ("fdd", "t.b", "o.b")} <= relations(page)


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "\u202egpj.exe", "n" * 5_000])
def test_hostile_names_are_text(page: Page, playground: str, name: str) -> None:
    open_playground(page, playground, "?level=column")
    type_sql(page, f"INSERT INTO o SELECT `{name}` AS x FROM t")
    source = page.get_by_test_id(f"column-t.{name}")
    assert name[:5] in source.inner_text()
    assert drawn(page).locator("img").count() == 0


def test_pictures_and_documents_are_downloaded(page: Page, playground: str, tmp_path: Path) -> None:
    at_column_level(page, playground)
    begins = {"SVG": b"<svg", "PNG": b"\x89PNG", "Mermaid": b"flowchart", "JSON": b"{"}
    for word, beginning in begins.items():
        page.get_by_test_id("download").click()
        with page.expect_download() as told:
            page.get_by_role("menuitem", name=word).click()
        path = tmp_path / word
        told.value.save_as(path)
        assert beginning in path.read_bytes()[:2000], word
    assert json.loads((tmp_path / "JSON").read_text())


def test_keyboard_alone(page: Page, playground: str) -> None:
    """From the address bar to a lit chain without a mouse."""
    at_column_level(page, playground)
    page.keyboard.press("Escape")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('[data-testid=\"diagram\"] [data-testid]') !== null"):
            break
    else:
        pytest.fail("the diagram cannot be reached with Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**at=**")
    assert drawn(page).get_attribute("data-lit") == "true"
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "at=" not in url)
