"""Governance: which columns have which tags, how far a tag goes, and what it must not reach.

`governance` has what can be said, `read` reads it from files, `declared` finds tags in what schemas say. What follows from it for a store
is the graph's to say (`graph.tags`).
"""
