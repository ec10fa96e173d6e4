"""Who can use the explorer: people who cannot see well, have no mouse, a small screen, or a token; and hostile names are text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import NARROW, Complaints, serving
from explorer_screen import drawn, lines, marked, of, open_page, ready, rows
from explorer_store import HOSTILE, hostile, shop

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

AXE = Path(__file__).resolve().parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = {
    "overview": "",
    "tables": "",
    "search": "?q=orders",
    "table": of("mart.daily", flow="impact"),
    "column": of("mart.daily.total", tab="columns"),
    "path": "?source=raw.orders.amount&target=shop.metric.revenue.value",
    "diff": "",
    "coverage": "",
    "diagnostics": "",
    "tags": "",
    "unused": "",
    "scripts": "",
}
"""Every page that needs no id, with something on it."""
TABS = ("columns", "upstream", "downstream", "statements", "impact", "tags")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("access") / "shop").path


@pytest.fixture(scope="module")
def address(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The explorer of the shop."""
    with serving(store, folder=tmp_path_factory.mktemp("shop")) as address:
        yield address


@pytest.fixture(scope="module")
def hostile_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The explorer of a store whose names are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    with serving(hostile(folder / "hostile").path, folder=folder) as address:
        yield address


# --- accessibility


def serious(page: Page) -> list[str]:
    """What axe-core finds wrong with a page, and how bad it is: serious and critical findings only."""
    page.evaluate(AXE.read_text())
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{page.url}: {each['id']}, {each['help']}: {each['nodes'][0]['html'][:200]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_problem(page: Page, address: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    found = []
    for name, query in PAGES.items():
        open_page(page, address, name, query)
        if name in ("table", "path"):
            drawn(page)
        found += serious(page)
    assert page.locator("html").get_attribute("data-mantine-color-scheme") == theme
    for tab in TABS:
        open_page(page, address, "table", of("mart.contacts", tab=tab))
        page.get_by_test_id("waiting").first.wait_for(state="detached")
        found += serious(page)
    open_page(page, address, "column", of("mart.daily.total"))
    drawn(page)
    page.get_by_test_id("column-mart.daily.total").click()
    marked(page)
    found += serious(page)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    found += serious(page)
    page.goto(f"{address}/playground")
    drawn(page)
    found += serious(page)
    page.locator('[data-testid^="column-"]').last.click()
    page.wait_for_url("**at=**")
    assert drawn(page).get_attribute("data-lit") == "true"
    found += serious(page)
    assert found == []


# --- the keyboard


def test_from_the_overview_to_a_lit_chain_without_a_mouse(page: Page, address: str) -> None:
    open_page(page, address, "overview")
    page.keyboard.press("g")
    page.keyboard.press("t")
    ready(page, "tables")
    page.keyboard.press("/")
    page.keyboard.type("mart.daily.total")
    page.locator('[data-testid="search-result"][data-name="mart.daily.total"]').wait_for()
    page.keyboard.press("Enter")
    ready(page, "column")
    drawn(page)
    tab_to(page, '[data-testid="diagram"] [data-testid^="entity-"]')
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**sel=**")
    assert drawn(page).get_attribute("data-lit") == "true"
    page.get_by_test_id("panel").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "sel=" not in url)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("o")
    page.wait_for_url(lambda url: "of=mart.daily.total" not in url)
    ready(page, "column")


def tab_to(page: Page, place: str) -> None:
    """Press Tab until the focus is in a place."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("place => document.activeElement.closest(place) !== null", place):
            return
    pytest.fail(f"{place} cannot be reached with Tab")


def test_a_card_is_expanded_with_the_keyboard(page: Page, address: str) -> None:
    open_page(page, address, "table", of("mart.daily"))
    drawn(page)
    tab_to(page, '[data-testid="expand-downstream-report.revenue"]')
    page.keyboard.press("Enter")
    page.locator('[data-target="shop.metric.revenue.value"]').wait_for(state="attached")
    assert ("fdd", "report.revenue.gross", "shop.metric.revenue.value") in lines(page)


def test_tabs_and_lists_work_with_the_keyboard(page: Page, address: str) -> None:
    open_page(page, address, "table", of("mart.daily"))
    tab_to(page, '[role="tab"]')
    page.keyboard.press("ArrowRight")
    page.get_by_test_id("column-row").first.wait_for()
    tab_to(page, '[data-testid="column-row"] a')
    page.keyboard.press("Enter")
    assert "mart.daily.day" in ready(page, "column").locator("h1").inner_text()
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


# --- screens


def test_a_narrow_screen_scrolls_in_one_direction(page: Page, address: str) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    wider = []
    for name, query in PAGES.items():
        open_page(page, address, name, query)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > NARROW["width"]:
            wider.append((name, width))
    page.goto(f"{address}/playground")
    drawn(page)
    if page.evaluate("document.documentElement.scrollWidth") > NARROW["width"]:
        wider.append(("playground", page.evaluate("document.documentElement.scrollWidth")))
    assert wider == []


def test_the_menu_of_a_narrow_screen_leads_everywhere(page: Page, address: str) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    open_page(page, address, "overview")
    menu = page.get_by_label("Menu", exact=True)
    assert menu.get_by_role("link").count() == 0
    page.get_by_test_id("menu").click()
    menu.get_by_role("link", name="Diagnostics").click()
    ready(page, "diagnostics")
    menu.get_by_role("link").first.wait_for(state="detached")


def test_light_dark_and_what_the_system_says(page: Page, address: str) -> None:
    page.emulate_media(color_scheme="dark")
    open_page(page, address, "overview")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_test_id("theme").click()
    page.locator('html[data-mantine-color-scheme="light"]').wait_for()
    light = page.evaluate(ground)
    assert brightness(dark) < 60 < 200 < brightness(light)
    page.reload()
    page.locator('html[data-mantine-color-scheme="light"]').wait_for()


def brightness(colour: str) -> float:
    parts = [float(part) for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]
    return sum(parts) / 3


# --- hostile names


def test_hostile_names_are_text_on_every_page(page: Page, hostile_address: str) -> None:
    """No dialog, no element of theirs, nothing asked elsewhere; and what can be shown of them is."""
    page.on("dialog", lambda dialog: pytest.fail(f"a name opened a dialog: {dialog.message}"))
    for name in ("overview", "tables", "scripts", "diagnostics", "coverage", "tags", "unused"):
        shown = open_page(page, hostile_address, name)
        assert own_elements(page) == 0
        if name not in ("overview", "coverage"):
            assert HOSTILE["markup"] in shown.inner_text(), name
            assert HOSTILE["quotes"] in shown.inner_text(), name
    for word, hostile_name in HOSTILE.items():
        page.goto(f"{hostile_address}/tables")
        ready(page, "tables")
        seen = as_shown(hostile_name)
        link = page.get_by_test_id("table-row").filter(has_text=seen[:400]).get_by_role("link").last
        link.click()
        shown = ready(page, "table")
        assert seen[:400] in shown.locator("h1").inner_text(), word
        found = lines(page)
        assert found == {("fdd", f"source.{hostile_name}.{hostile_name}", f"target.{hostile_name}.{hostile_name}")}
        page.get_by_test_id("tab-columns").click()
        page.get_by_test_id("column-row").first.wait_for()
        assert rows(page, "column-row")[0][0] == seen[:500] + "…" * (len(seen) > 500)
        page.get_by_test_id("column-row").get_by_role("link").click()
        ready(page, "column")
        drawn(page)
        for tab in ("columns", "statements", "impact", "tags"):
            page.get_by_test_id(f"tab-{tab}").click()
            page.get_by_test_id("waiting").first.wait_for(state="detached")
            assert own_elements(page) == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440, word


def as_shown(name: str) -> str:
    """A name as the pages show it: what would turn the direction of the text is spelled out."""
    return "".join(f"⟨U+{ord(sign):X}⟩" if sign in "\u202e\u2066" else sign for sign in name)


def own_elements(page: Page) -> int:
    """Elements that names have made, and not the page."""
    return page.locator('img[src="x"], main script, [onerror]').count()


def test_hostile_names_are_found_and_linked(page: Page, hostile_address: str) -> None:
    for word in ("markup", "quotes", "dots", "turned", "picture"):
        open_page(page, hostile_address, "overview")
        page.get_by_test_id("search").fill(HOSTILE[word])
        found = page.get_by_test_id("search-result").first
        found.wait_for()
        assert HOSTILE[word] in (found.get_attribute("data-name") or ""), word
        found.click()
        page.locator('[data-testid^="page-"][data-ready="true"] h1').get_by_text(
            as_shown(HOSTILE[word])
        ).first.wait_for()
        before = lines(page)
        page.reload()
        assert lines(page) == before


def test_links_that_make_no_sense_say_so(page: Page, address: str, complaints: Complaints) -> None:
    complaints.expect("404|422|400")
    for path in ("table?of=no.such.table", "column?of=<script>alert(1)</script>", "script?id=../../etc/passwd"):
        page.goto(f"{address}/{path}")
        page.get_by_test_id("failed").first.wait_for()
    page.goto(f"{address}/no/such/page")
    ready(page, "not-found")
    page.goto(f"{address}/table?of=mart.daily&up=-5&down=many&flow=x&level=9&tab=none&expanded=u,d-,zz&page=0")
    ready(page, "table")
    assert drawn(page).is_visible()


# --- the token


def test_a_token_lets_in_and_leaves_the_address(
    page: Page, store: Path, tmp_path: Path, complaints: Complaints
) -> None:
    token = "a-word-that-nobody-guesses"
    complaints.expect("401")
    with serving(store, "--host", "127.0.0.1", "--token", token, folder=tmp_path) as address:
        page.goto(address)
        page.get_by_test_id("needs-token").wait_for()
        assert "?token=" in page.get_by_test_id("needs-token").inner_text()
        assert page.request.get(f"{address}/api/v1/about").status == 401
        page.goto(f"{address}/table?of=mart.daily&token={token}")
        ready(page, "table")
        assert lines(page)
        assert token not in page.url
        assert page.evaluate("document.cookie") == ""
        page.goto(f"{address}/tables")
        ready(page, "tables")
