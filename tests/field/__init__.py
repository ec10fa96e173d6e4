"""The field: Headwater's builds on real clusters and object stores, started by `make field`."""
