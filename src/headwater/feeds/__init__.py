"""A store as the feed of formats."""

from headwater.feeds.store_feed import StoreFeed
from headwater.feeds.store_focus import store_focus

__all__ = ["StoreFeed", "store_focus"]
