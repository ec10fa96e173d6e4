"""The explorer's pages in real Chromium, over stores of which a person knows every answer: search, graphs, lists, impact, diff, exports."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import serving
from explorer_screen import cards, choose, drawn, lines, marked, of, open_page, ready, rows
from explorer_store import NEIGHBOURS, shop, wide

if TYPE_CHECKING:
    from playwright.sync_api import Download, Page

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

DAILY = {
    ("fdd", "raw.orders.day", "mart.daily.day"),
    ("fdd", "raw.orders.amount", "mart.daily.total"),
    ("fdd", "raw.orders.customer_id", "mart.daily.buyers"),
    ("fdd", "mart.daily.day", "report.revenue.day"),
    ("fdd", "mart.daily.total", "report.revenue.gross"),
}
"""What flows into and out of `mart.daily`."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The explorer of the shop."""
    folder = tmp_path_factory.mktemp("pages")
    with serving(shop(folder / "shop").path, folder=folder) as address:
        yield address


@pytest.fixture(scope="module")
def wide_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The explorer of a store of 1,000 tables."""
    folder = tmp_path_factory.mktemp("wide")
    with serving(wide(folder / "wide").path, folder=folder) as address:
        yield address


# --- search


def test_search_as_you_type_leads_to_a_page(page: Page, address: str) -> None:
    open_page(page, address, "overview")
    page.get_by_test_id("search").press_sequentially("gross")
    found = page.get_by_test_id("search-result")
    found.first.wait_for()
    assert found.first.get_attribute("data-name") == "report.revenue.gross"
    found.first.click()
    assert "report.revenue.gross" in ready(page, "column").locator("h1").inner_text()
    assert ("fdd", "mart.daily.total", "report.revenue.gross") in lines(page)


def test_search_with_the_keyboard_alone(page: Page, address: str) -> None:
    """`/`, a part of a name, the second of what is found, Enter; the page's heading then has the focus."""
    open_page(page, address, "overview")
    page.keyboard.press("/")
    page.keyboard.type("orders")
    page.get_by_test_id("search-result").nth(1).wait_for()
    names = page.get_by_test_id("search-result").evaluate_all("all => all.map(each => each.dataset.name)")
    assert names[0] == "raw.orders"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    heading = ready(page, "column").locator("h1")
    assert names[1] in heading.inner_text()
    page.locator("h1:focus").wait_for()


def test_a_store_of_a_thousand_tables_is_searched_and_drawn_at_once(page: Page, wide_address: str) -> None:
    """From Enter to the drawn page: well under a second on a quiet machine, and never more than five."""
    open_page(page, wide_address, "overview")
    assert page.get_by_test_id("fact-tables").get_attribute("title") == "1,000"
    page.keyboard.press("/")
    page.keyboard.type("t0500")
    page.locator('[data-testid="search-result"][data-name="wide.t0500"]').wait_for()
    page.evaluate(
        """() => addEventListener('keydown', ({ key }) => {
            if (key !== 'Enter') return
            const start = performance.now()
            const look = () => document.querySelector('[data-testid="diagram"][data-ready="true"]')
                ? (document.body.dataset.drawnAfter = performance.now() - start) : requestAnimationFrame(look)
            look()
        }, { capture: true, once: true })"""
    )
    page.keyboard.press("Enter")
    page.locator("body[data-drawn-after]").wait_for()
    milliseconds = float(page.evaluate("document.body.dataset.drawnAfter"))
    print(f"search to drawn page in a store of 1,000 tables: {milliseconds:.0f} ms")
    assert cards(page) == {"wide.t0499": "table", "wide.t0500": "table", "wide.t0501": "table"}


def test_all_results_are_a_page_that_filters(page: Page, address: str) -> None:
    open_page(page, address, "search", "?q=revenue")
    assert {row[0] for row in rows(page, "result-row")} >= {"report.revenue", "report.revenue.gross"}
    choose(page, "Tables")
    page.wait_for_url("**what=table**")
    ready(page, "search")
    assert {row[0] for row in rows(page, "result-row")} == {"report.revenue", "shop.metric.revenue"}


# --- a table's page


def test_a_table_is_drawn_with_its_neighbours(page: Page, address: str) -> None:
    open_page(page, address, "table", of("mart.daily"))
    assert lines(page) == DAILY
    assert cards(page) == {"raw.orders": "table", "mart.daily": "table", "report.revenue": "view"}


def test_what_lies_beyond_is_shown_on_request_and_by_the_link(page: Page, address: str) -> None:
    open_page(page, address, "table", of("mart.daily"))
    further = ("fdd", "report.revenue.gross", "shop.metric.revenue.value")
    assert further not in lines(page)
    beyond = page.get_by_test_id("expand-downstream-report.revenue")
    assert beyond.inner_text() == "1 ›"
    beyond.click()
    page.locator('[data-target="shop.metric.revenue.value"]').wait_for(state="attached")
    assert lines(page) == DAILY | {further}
    assert "expanded=d" in page.url
    page.reload()
    page.locator('[data-target="shop.metric.revenue.value"]').wait_for(state="attached")
    assert lines(page) == DAILY | {further}


def test_a_hub_is_no_hairball(page: Page, wide_address: str) -> None:
    """Of 200 neighbours so many are drawn as can be looked at, and the card says how many more there are."""
    open_page(page, wide_address, "table", of("wide.t0000"))
    shown = {target.rpartition(".")[0] for _, _, target in lines(page)}
    assert 0 < len(shown) < 60
    beyond = page.get_by_test_id("expand-downstream-wide.t0000")
    left = NEIGHBOURS - len(shown)
    assert beyond.get_attribute("aria-label") == f"Show {left} more downstream of wide.t0000"
    assert "More tables lie next to these" in page.get_by_role("note").inner_text()


def test_zoomed_out_only_tables_are_left(page: Page, address: str) -> None:
    open_page(page, address, "table", of("mart.daily"))
    drawn(page)
    page.get_by_test_id("entity-mart.daily").locator("button").first.focus()
    assert page.get_by_test_id("column-mart.daily.total").is_visible()
    for _ in range(6):
        page.keyboard.press("-")
    page.get_by_test_id("column-mart.daily.total").wait_for(state="detached")
    assert cards(page).keys() == {"raw.orders", "mart.daily", "report.revenue"}
    assert page.get_by_test_id("entity-mart.daily").inner_text() == "mart.daily"
    page.keyboard.press("f")
    page.get_by_test_id("column-mart.daily.total").wait_for()


def test_depth_influence_and_levels(page: Page, address: str) -> None:
    open_page(page, address, "table", of("mart.daily"))
    page.get_by_test_id("depth-down-more").click()
    page.locator('[data-target="shop.metric.revenue.value"]').wait_for(state="attached")
    page.get_by_test_id("depth-down-more").click()
    page.locator('[data-target="shop.dashboard.board.revenue"]').wait_for(state="attached")
    assert cards(page)["shop.metric.revenue"] == "metric"
    assert cards(page)["shop.dashboard.board"] == "dashboard"
    choose(page, "With influence")
    dashed = page.locator('[data-relation="fdr"]')
    dashed.first.wait_for(state="attached")
    assert {source for type, source, _ in lines(page) if type == "fdr"} == {
        "raw.customers.id",
        "raw.orders.customer_id",
        "raw.customers.country",
    }
    assert dashed.first.locator(".hw-stroke").evaluate("each => getComputedStyle(each).strokeDasharray") != "none"
    solid = page.locator('[data-relation="fdd"] .hw-stroke').first
    assert solid.evaluate("each => getComputedStyle(each).strokeDasharray") == "none"
    choose(page, "Tables")
    page.locator('[data-source="raw.customers"][data-target="mart.daily"]').wait_for(state="attached")
    assert {(source, target) for _, source, target in lines(page)} >= {
        ("raw.orders", "mart.daily"),
        ("report.revenue", "shop.metric.revenue"),
    }


def test_the_columns_of_a_table(page: Page, address: str) -> None:
    open_page(page, address, "table", of("raw.customers", tab="columns"))
    page.get_by_test_id("column-row").first.wait_for()
    assert rows(page, "column-row") == [
        ["id", "int", "0", "2", ""],
        ["email", "string", "0", "2", "pii"],
        ["phone", "string", "0", "1", ""],
        ["country", "string", "0", "1", ""],
    ]


# --- a column's page


def test_a_column_says_how_it_is_made_and_where(page: Page, address: str) -> None:
    open_page(page, address, "column", of("mart.daily.total", tab="columns"))
    made, used = (page.get_by_role("list", name=name) for name in ("Made of", "Used by"))
    assert "raw.orders.amount" in made.inner_text()
    assert "sum(o.amount)" in made.inner_text()
    assert "report.revenue.gross" in used.inner_text()
    assert "d.total * 1.21" in used.inner_text()
    made.get_by_role("link", name="load.sql:3").click()
    ready(page, "script")
    assert marked(page) == "SELECT o.day, sum(o.amount) AS total, count(o.customer_id) AS buyers"


def test_the_script_is_shown_with_the_right_characters_marked(page: Page, address: str) -> None:
    open_page(page, address, "column", of("mart.daily.total"))
    drawn(page)
    page.get_by_test_id("column-mart.daily.total").click()
    panel = page.get_by_test_id("panel")
    assert "scripts/load.sql:3" in panel.get_by_test_id("place").first.inner_text()
    assert marked(page) == "sum(o.amount)"
    assert "sel=" in page.url
    page.get_by_test_id("tab-statements").click()
    assert marked(page) == "INSERT INTO mart.daily"


# --- lists, ways, impact


def test_upstream_and_downstream_are_lists_with_depth_and_filter(page: Page, address: str) -> None:
    open_page(page, address, "column", of("raw.orders.amount", tab="downstream"))
    page.locator('[data-testid="list-downstream"][data-ready="true"]').wait_for()
    way = ["mart.daily.total", "report.revenue.gross", "shop.metric.revenue.value", "shop.dashboard.board.revenue"]
    assert [(row[0], row[3]) for row in rows(page, "reached-row")] == [
        (name, str(hops)) for hops, name in enumerate(way, 1)
    ]
    page.get_by_test_id("depth").fill("2")
    page.wait_for_url("**depth=2**")
    page.locator('[data-testid="total"][data-total="2"]').wait_for()
    assert [row[0] for row in rows(page, "reached-row")] == way[:2]
    page.get_by_test_id("filter").fill("gross")
    page.locator('[data-testid="total"][data-total="1"]').wait_for()
    assert [row[0] for row in rows(page, "reached-row")] == ["report.revenue.gross"]
    page.reload()
    page.locator('[data-testid="total"][data-total="1"]').wait_for()
    page.get_by_test_id("tab-upstream").click()
    page.get_by_text("Nothing lies upstream").wait_for()


def test_a_long_list_has_pages(page: Page, wide_address: str) -> None:
    """200 tables of 8 columns are made of the hub: 1,600 columns, 100 to a page."""
    open_page(page, wide_address, "table", of("wide.t0000", tab="downstream"))
    assert page.get_by_test_id("total").inner_text() == "1–100 of 1,600"
    height = "document.documentElement.scrollHeight"
    before = page.evaluate(height)
    page.get_by_test_id("total").scroll_into_view_if_needed()
    assert page.evaluate(height) == before, "the page grows while one scrolls"
    page.get_by_role("button", name="Page 2", exact=True).click()
    page.get_by_text("101–200 of 1,600").wait_for()
    assert "page=2" in page.url
    page.reload()
    page.get_by_text("101–200 of 1,600").wait_for()


def test_the_way_between_two_columns_is_drawn_and_told(page: Page, address: str) -> None:
    open_page(page, address, "path")
    for end, name in (("source", "raw.orders.amount"), ("target", "shop.metric.revenue.value")):
        box = page.get_by_test_id(f"path-{end}")
        box.click()
        box.press_sequentially(name)
        page.locator(f'[data-testid="path-{end}-result"][data-name="{name}"]').click()
    way = ["raw.orders.amount", "mart.daily.total", "report.revenue.gross", "shop.metric.revenue.value"]
    steps = list(pairwise(way))
    assert lines(page) == {("fdd", *step) for step in steps}
    told = page.get_by_test_id("way")
    assert told.count() == 1
    assert "3 hops" in told.inner_text()
    for hop, (source, target) in zip(told.get_by_test_id("hop").all(), steps, strict=True):
        assert [link.inner_text() for link in hop.get_by_role("link").all()][:2] == [source, target]
    page.reload()
    assert lines(page) == {("fdd", *step) for step in steps}
    page.get_by_label("The other way round").click()
    page.get_by_text("There is no way from the one to the other").wait_for()


def test_impact_tells_what_breaks_and_what_may(page: Page, address: str) -> None:
    """With `email` renamed the view cannot be read, with all of its columns; the INSERT that copies `*` goes by position."""
    open_page(page, address, "column", of("raw.customers.email", tab="impact", change="rename"))
    page.locator('[data-testid="impact"][data-ready="true"]').wait_for()
    hits = {row[1]: row[0] for row in rows(page, "impact-hit")}
    assert hits == {"mart.contacts.email": "breaking", "mart.contacts.id": "breaking", "stage.copy.email": "maybe"}
    numbers = [
        page.get_by_test_id(f"verdict-{word}").inner_text().split()[0] for word in ("breaking", "maybe", "harmless")
    ]
    assert numbers == ["2", "1", "0"]
    reasons = {row[1]: row[2] for row in rows(page, "impact-hit")}
    assert "cannot be read" in reasons["mart.contacts.email"]
    assert "through *" in reasons["stage.copy.email"]
    page.get_by_test_id("verdict-maybe").click()
    page.locator('[data-testid="total"][data-total="1"]').wait_for()
    assert [row[1] for row in rows(page, "impact-hit")] == ["stage.copy.email"]
    choose(page, "Diagram")
    drawn(page)
    page.reload()
    drawn(page)
    assert "verdict=maybe" in page.url
    marks = page.locator("[data-mark]").evaluate_all("all => all.map(each => [each.dataset.testid, each.dataset.mark])")
    assert {tuple(each) for each in marks} >= {
        ("entity-mart.contacts", "breaking"),
        ("column-mart.contacts.email", "breaking"),
        ("column-stage.copy.email", "maybe"),
    }


def test_another_type_does_no_harm_to_what_is_counted(page: Page, address: str, tmp_path: Path) -> None:
    open_page(page, address, "column", of("raw.orders.customer_id", tab="impact"))
    choose(page, "Change its type")
    page.wait_for_url("**change=retype**")
    page.locator('[data-testid="impact"][data-ready="true"]').wait_for()
    assert {row[1]: row[0] for row in rows(page, "impact-hit")} == {
        "mart.daily «rows»": "maybe",
        "mart.daily.buyers": "harmless",
    }
    saved = {}
    for ending in ("csv", "json"):
        with page.expect_download() as told:
            page.get_by_test_id(f"impact-{ending}").click()
        assert told.value.suggested_filename == f"impact-retype-raw.orders.customer_id.{ending}"
        saved[ending] = save(told.value, tmp_path)
    table = list(csv.DictReader(saved["csv"].decode().splitlines()))
    assert [(row["column"], row["verdict"], row["file"], row["line"]) for row in table][1] == (
        *("mart.daily.buyers", "harmless"),
        *("scripts/load.sql", "3"),
    )
    document = json.loads(saved["json"])
    assert (document["column"], document["change"]) == ("raw.orders.customer_id", "retype")
    assert [hit["verdict"] for hit in document["hits"]] == ["maybe", "harmless"]


def save(download: Download, folder: Path) -> bytes:
    path = folder / download.suggested_filename
    download.save_as(path)
    return path.read_bytes()


# --- the store as a whole


def test_a_diff_shows_what_came_and_what_went(page: Page, address: str) -> None:
    open_page(page, address, "diff")
    found = [row[:3] for row in rows(page, "diff-row")]
    assert found[:3] == [
        ["− removed", "column", "mart.daily.channel"],
        ["− removed", "column", "raw.orders.channel"],
        ["− removed", "relation", "mart.daily.channel <- raw.orders.channel"],
    ]
    assert sorted(found[3:]) == [
        ["+ added", "column", "mart.daily.buyers"],
        ["+ added", "relation", "mart.daily.buyers <- raw.orders.customer_id"],
        ["~ changed", "relation", "report.revenue.gross <- mart.daily.total"],
    ]
    reasons = {row[2]: row[3] for row in rows(page, "diff-row")}
    assert reasons["raw.orders.channel"].splitlines()[0] == "breaking"
    assert "breaking" not in reasons["mart.daily.buyers"]
    assert {"− transformation: d.total * 1.19", "+ transformation: d.total * 1.21"} <= {
        line.strip() for line in reasons["report.revenue.gross <- mart.daily.total"].splitlines()
    }
    inks = {
        word: page.get_by_test_id("diff-row").get_by_text(word).first.evaluate("each => getComputedStyle(each).color")
        for word in ("+ added", "− removed")
    }
    assert strongest(inks["+ added"]) == "green"
    assert strongest(inks["− removed"]) == "red"


def strongest(colour: str) -> str:
    """Which part of an `rgb(…)` is the strongest."""
    parts = [float(part) for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]
    return ("red", "green", "blue")[parts.index(max(parts))]


def test_a_difference_is_drawn_with_its_surroundings(page: Page, address: str) -> None:
    for how, what, gone_or_come in (
        ("removed", "column", "mart.daily.channel"),
        ("removed", "relation", "mart.daily.channel"),
        ("added", "column", "mart.daily.buyers"),
        ("added", "relation", "mart.daily.buyers"),
    ):
        open_page(page, address, "diff", f"?how={how}&what={what}")
        page.get_by_test_id("diff-show").first.click()
        drawn(page)
        assert page.get_by_test_id(f"column-{gone_or_come}").get_attribute("data-mark") == how
        assert page.locator(f'[data-target="{gone_or_come}"]').get_attribute("data-mark") == how
        assert sticking_out(page) == []
    open_page(page, address, "diff", "?how=changed")
    page.get_by_test_id("diff-show").click()
    assert page.locator('[data-target="report.revenue.gross"]').get_attribute("data-mark") == "changed"


def sticking_out(page: Page) -> list[str]:
    """What is written on a card, and goes beyond it."""
    found: list[str] = page.locator(".hw-foot").evaluate_all(
        """all => all.filter(each => {
            const [own, card] = [each, each.closest('.hw-card')].map(part => part.getBoundingClientRect())
            return own.bottom > card.bottom + 1 || each.scrollWidth > each.clientWidth
        }).map(each => each.innerText)"""
    )
    return found


def test_an_older_snapshot_is_looked_at(page: Page, address: str) -> None:
    open_page(page, address, "table", of("raw.orders", tab="columns"))
    page.get_by_test_id("column-row").first.wait_for()
    assert "channel" not in {row[0] for row in rows(page, "column-row")}
    choice = page.get_by_test_id("snapshot").locator("visible=true")
    choice.select_option(index=1)
    page.wait_for_url("**at=**")
    page.get_by_test_id("column-row").get_by_text("channel").wait_for()
    page.get_by_test_id("tab-graph").click()
    assert "at=" in page.url
    assert ("fdd", "raw.orders.customer_id", "mart.daily.buyers") not in lines(page)


def test_tags_come_with_their_proof(page: Page, address: str) -> None:
    open_page(page, address, "tags")
    assert [row[:4] for row in rows(page, "tag-row")] == [
        ["pii", "mart.contacts.email", "raw.customers.email", "1"],
        ["pii", "raw.customers.email", "said of it", "0"],
        ["pii", "stage.copy.email", "raw.customers.email", "1"],
    ]
    page.get_by_test_id("tag-row").first.get_by_test_id("why").click()
    proof = page.get_by_test_id("tag-proof")
    assert "upper(c.email)" in proof.inner_text()
    choose(page, "Said of it")
    page.locator('[data-testid="total"][data-total="1"]').wait_for()
    open_page(page, address, "column", of("raw.customers.email", tab="tags"))
    assert "scripts/load.sql:10" in page.get_by_test_id("tag").inner_text()


def test_coverage_is_plotted_and_leads_on(page: Page, address: str) -> None:
    """Of seven statements one cannot be read; of the 14 columns that are written only `loaded_at` could not be traced."""
    shown = open_page(page, address, "coverage")
    said = " ".join(shown.inner_text().split())
    assert "6 of 7" in said
    assert "13 of 14" in said
    assert "92.8% of the 14 written columns are explained; 1 of 7 statements was lost." in said
    assert "4 hops in the longest chain" in said
    plot = page.get_by_role("img", name="Explained columns of each schema")
    plot.locator("path.recharts-rectangle, .recharts-bar-rectangle path").first.wait_for()
    schemas = {line[0]: line[1:] for line in plain_rows(page, "Coverage by schema")}
    assert schemas["stage"] == ["1", "5", "4", "80%"]
    page.get_by_role("link", name="syntax-error").click()
    ready(page, "diagnostics")
    assert [row[1] for row in rows(page, "diagnostic-row")] == ["syntax-error"]


def plain_rows(page: Page, label: str) -> list[list[str]]:
    """The cells of a table that has this label."""
    found: list[list[str]] = page.get_by_role("table", name=label).evaluate(
        "table => [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return found


def test_diagnostics_are_plotted_filtered_and_lead_to_their_lines(page: Page, address: str) -> None:
    open_page(page, address, "diagnostics")
    page.get_by_role("img", name="Diagnostics by severity: 1 error, 2 warning, 1 info").wait_for()
    page.get_by_role("img", name="Diagnostics by code: 2 unresolved-column").wait_for()
    assert [row[0] for row in rows(page, "diagnostic-row")] == ["error", "warning", "warning", "info"]
    page.get_by_test_id("filter").fill("d.total")
    page.locator('[data-testid="total"][data-total="1"]').wait_for()
    assert rows(page, "diagnostic-row")[0][1:] == [
        "unresolved-column",
        "d.total may be of another table",
        "scripts/report.sql:2",
    ]
    page.get_by_role("link", name="report.sql:2").click()
    ready(page, "script")
    assert marked(page) == "SELECT d.day, d.total * 1.21 AS gross"


def test_scripts_are_listed_and_shown(page: Page, address: str) -> None:
    open_page(page, address, "scripts")
    assert [(row[0], row[3]) for row in rows(page, "script-row")][1:] == [
        ("scripts/broken.sql", "1"),
        ("scripts/load.sql", "3"),
        ("scripts/report.sql", "1"),
    ]
    page.get_by_test_id("filter").fill("load")
    page.locator('[data-testid="total"][data-total="1"]').wait_for()
    page.get_by_role("link", name="scripts/load.sql").click()
    shown = ready(page, "script")
    assert "INSERT INTO mart.daily" in shown.locator(".cm-content").inner_text()
    assert shown.get_by_test_id("statement").all_inner_texts() == ["2: Insert", "9: Create View", "13: Insert"]
    shown.get_by_text("9: Create View").click()
    page.wait_for_url("**line=9**")
    assert marked(page) == "CREATE VIEW mart.contacts AS"


def test_what_nobody_reads(page: Page, address: str) -> None:
    shown = open_page(page, address, "unused")
    assert dict(rows(page, "unused-row")) == {
        "mart.daily.buyers": "nobody reads it, as far as is known: 1 statement that may read it was not understood",
        "raw.customers.phone": "read through * only",
        "raw.orders.note": "nobody reads it",
        "report.revenue.day": "nobody reads it",
    }
    whole = shown.locator("section").filter(has_text="Whole tables")
    assert whole.first.get_by_role("link").all_inner_texts() == ["mart.contacts", "stage.copy"]


def test_tables_of_a_kind(page: Page, address: str) -> None:
    open_page(page, address, "tables")
    page.get_by_text("Metrics 1").click()
    page.wait_for_url("**kind=metric**")
    page.locator('[data-testid="total"][data-total="1"]').wait_for()
    assert rows(page, "table-row") == [["shop.metric.revenue", "Metric", "1", "1", "1"]]


# --- exports and links


def test_what_is_seen_is_exported(page: Page, address: str, tmp_path: Path) -> None:
    """With what was expanded; the server's formats go as far as the depth."""
    open_page(page, address, "table", of("mart.daily"))
    page.get_by_test_id("expand-downstream-report.revenue").click()
    page.locator('[data-target="shop.metric.revenue.value"]').wait_for(state="attached")
    drawn(page)
    saved = {}
    for word in ("png", "svg", "json", "mermaid", "file-mermaid"):
        page.get_by_test_id("export").click()
        with page.expect_download() as told:
            page.get_by_test_id(f"export-{word}").click()
        saved[word] = save(told.value, tmp_path)
    assert saved["png"].startswith(b"\x89PNG")
    picture = saved["svg"].decode()
    assert picture.startswith("<svg")
    seen = {"mart.daily", "raw.orders", "report.revenue", "shop.metric.revenue"}
    assert all(name in picture for name in seen)
    assert {each["name"] for each in json.loads(saved["json"])["entities"]} == seen
    text = saved["mermaid"].decode()
    assert text.startswith("flowchart LR\n")
    assert set(re.findall(r'subgraph \w+\["(.+?)"\]', text)) == seen
    assert text.count(" --> ") == len(DAILY) + 1
    assert b"\nflowchart" in saved["file-mermaid"]
    assert b"report.revenue" in saved["file-mermaid"]
    assert b"shop.metric.revenue" not in saved["file-mermaid"]


def test_the_link_is_copied(page: Page, address: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    open_page(page, address, "table", of("mart.daily", down=2))
    drawn(page)
    page.get_by_test_id("export").click()
    page.get_by_test_id("export-link").click()
    page.locator('[data-testid="export"][data-copied="true"]').wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_the_link_restores_a_graph(page: Page, address: str) -> None:
    open_page(page, address, "table", of("mart.daily"))
    drawn(page)
    choose(page, "With influence")
    page.locator('[data-relation="fdr"]').first.wait_for(state="attached")
    page.get_by_test_id("depth-up-less").click()
    page.locator('[data-target="mart.daily.total"]').wait_for(state="detached")
    page.get_by_test_id("column-mart.daily.day").click()
    page.get_by_test_id("panel").wait_for()
    before = lines(page)
    other = page.context.new_page()
    other.goto(page.url)
    assert lines(other) == before
    assert "mart.daily.day" in other.get_by_test_id("panel").inner_text()
    assert other.get_by_test_id("depth-up").inner_text() == "0"
    assert other.get_by_test_id("column-mart.daily.day").get_attribute("data-look") == "start"


@pytest.mark.parametrize(
    ("name", "query", "list"),
    [
        ("tables", "?kind=view&like=mart", "table-row"),
        ("search", "?q=email&what=column", "result-row"),
        ("diff", "?what=relation&breaking=false", "diff-row"),
        ("diagnostics", "?severity=warning&code=unresolved-column", "diagnostic-row"),
        ("tags", "?own=false&like=copy", "tag-row"),
        ("scripts", "?like=report", "script-row"),
        ("unused", "?like=note", "unused-row"),
    ],
)
def test_a_link_restores_a_list(page: Page, address: str, name: str, query: str, list: str) -> None:
    """What a link says is in effect: fewer rows than without it, and it still stands in the address."""
    open_page(page, address, name, query)
    few = rows(page, list)
    assert all(part in page.url for part in query[1:].split("&"))
    page.goto(f"{address}/{name}" + ("?q=a" if name == "search" else ""))
    ready(page, name)
    assert 0 < len(few) < len(rows(page, list))


def test_back_takes_back_a_step(page: Page, address: str) -> None:
    open_page(page, address, "table", of("mart.daily"))
    page.get_by_test_id("tab-columns").click()
    page.get_by_test_id("column-row").first.wait_for()
    page.go_back()
    assert lines(page) == DAILY
