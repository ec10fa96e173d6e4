"""Resolved relations to the three levels: complete, column, table. Each is computed from the one above."""
