"""The vocabulary of lineage: entities, columns, relations, spans, diagnostics. Imports nothing else of Headwater."""
