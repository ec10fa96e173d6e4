"""A generated semantic layer, its truth, and the figures of reading, resolving and asking."""
