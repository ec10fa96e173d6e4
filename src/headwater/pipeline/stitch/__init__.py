"""Records to the store's tables."""
