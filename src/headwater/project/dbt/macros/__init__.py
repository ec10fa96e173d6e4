"""Macros: where they are written, which one is meant, and what stands for those that nobody has."""
