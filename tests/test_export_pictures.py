"""Pictures of what is too large to look at: refused before all of it is read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from export_samples import written
from hand_made_feed import HandMadeFeed
from headwater.export.feed import Part
from headwater.export.format import ExportError
from headwater.export.records import TableRelation

MANY = 100_000


class CountingFeed(HandMadeFeed):
    """A long chain of tables, which counts how many relations somebody has taken from it."""

    taken = 0

    def parts(self) -> Iterator[Part]:
        for part in super().parts():
            self.taken += 1
            yield part

    def table_relations(self) -> Iterator[TableRelation]:
        for relation in super().table_relations():
            self.taken += 1
            yield relation


@pytest.mark.parametrize("format", ["mermaid", "svg", "png", "html_page"])
def test_a_refusal_reads_no_more_than_a_picture_can_hold(format: str) -> None:
    feed = CountingFeed([f"t{number}" for number in range(MANY)])
    with pytest.raises(ExportError, match="in one direction or some hops far"):
        written(format, feed)
    # At both levels every relation brings one more table, and no picture holds more than 1500 of these.
    assert 0 < feed.taken <= 2 * 1501
