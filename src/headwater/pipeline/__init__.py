"""The corpus pipeline: folders of scripts and query logs to one store, on Spark.

    read → split → order → extract → stitch → write

Each step is a module that takes and returns DataFrames; what happens to one script or statement is plain Python in `cut` and `unit`,
which know nothing of Spark. See docs/decisions/0006 for why the steps are cut this way.
"""
