"""A generated warehouse whose true lineage is known, and the comparison with it."""
