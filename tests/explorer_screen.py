"""What is on an explorer's screen, as tests ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def open_page(page: Page, address: str, name: str, query: str = "") -> Locator:
    """A page by its name (`table`, `diff`; the overview is `overview`), when what it is about is shown."""
    page.goto(f"{address}/{'' if name == 'overview' else name}{query}")
    return ready(page, name)


def ready(page: Page, name: str) -> Locator:
    """A page that is there, and has what it is about."""
    shown = page.locator(f'[data-testid="page-{name}"][data-ready="true"]')
    shown.wait_for()
    return shown


def of(name: str, **more: str | int) -> str:
    """The parameters of a table's or a column's page."""
    return f"?of={quote(name)}" + "".join(f"&{key}={quote(str(value))}" for key, value in more.items())


def drawn(page: Page) -> Locator:
    """The diagram, laid out."""
    diagram = page.locator('[data-testid="diagram"][data-ready="true"]')
    diagram.wait_for()
    return diagram


def lines(page: Page) -> set[tuple[str, str, str]]:
    """The lines of the diagram: type, source, target."""
    found = (
        drawn(page)
        .locator("[data-relation]")
        .evaluate_all("lines => lines.map(line => [line.dataset.relation, line.dataset.source, line.dataset.target])")
    )
    return {(type, source, target) for type, source, target in found}


def cards(page: Page) -> dict[str, str]:
    """The entities in the diagram's view, and their kinds."""
    found = (
        drawn(page)
        .locator('[data-testid^="entity-"]')
        .evaluate_all("all => all.map(each => [each.dataset.testid, each.dataset.kind])")
    )
    return {name.removeprefix("entity-"): kind for name, kind in found}


def rows(page: Page, of_what: str) -> list[list[str]]:
    """The cells of a list's rows."""
    found: list[list[str]] = page.get_by_test_id(of_what).evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return found


def marked(page: Page) -> str:
    """The text that is marked in the script that is shown, all in one; a diagnostic cuts it in pieces.

    One call finds the pieces and reads them: Playwright's `all_inner_texts` needs two, and a diagnostic may come in between.
    """
    page.locator(".cm-content .hw-mark").first.wait_for()
    text: str = page.evaluate("[...document.querySelectorAll('.cm-content .hw-mark')].map(e => e.innerText).join('')")
    return text


def choose(page: Page, label: str) -> None:
    """Click one of several words of a segmented control."""
    page.locator("label.mantine-SegmentedControl-label").filter(has_text=label).first.click()
