"""Lineage as lakehouse tables: a snapshot of a store in, Delta Lake or Apache Iceberg tables out.

`tables` says which tables there are, `rows` makes their rows in batches, `lake` publishes a snapshot as a new version of each table.
`delta_lake` and `iceberg_lake` write the tables; each format's library is imported there only.
"""
