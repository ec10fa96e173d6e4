"""The lineage of one column or table of a feed, as a feed."""

from headwater.export.focus.focus_feed import DIRECTIONS, Direction, Focus, FocusFeed, Reach

__all__ = ["DIRECTIONS", "Direction", "Focus", "FocusFeed", "Reach"]
