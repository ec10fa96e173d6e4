"""Units to records: each distinct statement is analysed once, in stages, by Spark tasks."""
