"""Spark's own SQL tests, each statement read by the static engine and by Spark's analyzer."""
