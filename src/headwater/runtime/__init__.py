"""The Spark that headwater runs on: Java, the session, its settings, its failures, and what differs between Spark's versions.

Nothing here knows about SQL or lineage. `pipeline`, `spark`, `analyzers` and `verify` get their sessions from here.
"""
