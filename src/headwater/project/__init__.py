"""Semantic layers: what Visivo's and dbt's projects define on top of tables, as statements like any other.

A reader (`visivo`, `dbt`) makes a `Project` of files; `statements` writes each of its objects down as SQL; the core resolves that.
"""
