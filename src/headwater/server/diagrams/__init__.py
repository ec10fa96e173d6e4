"""Diagrams: of a script, by way of the feed that all formats have, and of a part of a store's graph."""
