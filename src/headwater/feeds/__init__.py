"""A store as the feed of formats."""

from headwater.feeds.store_feed import StoreFeed

__all__ = ["StoreFeed"]
