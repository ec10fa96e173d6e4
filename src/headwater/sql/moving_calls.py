"""Vertica's functions that move rows between the tables that their texts name, and those that train a model on one.

The resolver reads what such a call does; builds read the names in its texts to order statements. All names are lower case.
"""

from __future__ import annotations

PARTITION_CALLS = frozenset({"copy_partitions_to_table", "move_partitions_to_table", "swap_partitions_between_tables"})
"""`f('source', first, last, 'target')`."""
COPY_CALL = "copy_table"
"""`copy_table('source', 'target')`."""
TRAINING_CALLS = frozenset(
    {"linear_reg", "logistic_reg", "poisson_reg", "kmeans", "kprototypes", "bisecting_kmeans", "naive_bayes", "pca"}
    | {"svd", "svm_classifier", "svm_regressor", "rf_classifier", "rf_regressor", "xgb_classifier", "xgb_regressor"}
    | {"arima", "autoregressor", "moving_average", "iforest", "normalize_fit", "one_hot_encoder_fit", "impute"}
)
"""Functions with a model and the table that it is trained on as their first texts."""
