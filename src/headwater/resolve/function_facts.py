"""What functions do to their arguments: which aggregate, and which hide what they are given."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlglot import exp

from headwater.model.kind import AGGREGATION, GROUP_BY, TRANSFORMATION, masked
from headwater.sql.dialect import Dialect

_NO_AGGREGATES = (
    *(exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue),
    *(exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.CumeDist, exp.Ntile),
)
"""Functions that hand on a value of some row or its position, though the parser counts some as aggregates."""

_GROUPINGS = (exp.Grouping, exp.GroupingId)
_GROUPING_NAMES = frozenset({"group_id"})
"""Functions that number the groups: the grouping columns decide over them."""

_MASKING_CLASSES = tuple(
    getattr(exp, name)
    for name in (
        "Count",
        "CountIf",
        "ApproxDistinct",
        "Hll",
        "MD5",
        "MD5Digest",
        "SHA",
        "SHA2",
        "SHA1Digest",
        "SHA2Digest",
    )
    if hasattr(exp, name)
)
_MASKING_NAMES = frozenset(
    {
        "mask",
        "mask_first_n",
        "mask_hash",
        "hash",
        "hash_agg",
        "hashbytes",
        "xxhash64",
        "crc32",
        "digest",
        "standard_hash",
    }
    | {
        "farm_fingerprint",
        "murmur_hash",
        "md5",
        "md5_hex",
        "sha",
        "sha1",
        "sha1_hex",
        "sha2",
        "sha2_hex",
        "sha2_binary",
    }
    | {"hashrow", "hash_md5", "hash_sha1", "hash_sha256", "hash_sha512", "ora_hash", "fnv_hash", "password"}
    | {"siphash64", "siphash128", "cityhash64", "farmhash64", "metrohash64", "murmurhash3_64", "xxhash32", "halfmd5"}
    | {"approx_count_dups", "hash32", "hash64"}
    | {f"approx_count_distinct_{name}" for name in ("builtin", "ds_hll", "ds_theta")}
    | {"murmur_hash3_32", "murmur_hash3_64", "xx_hash3_64", "xx_hash3_128", "xxhash_32", "xxhash_64", "md5sum", "sm3"}
    | {"sm3sum", "bitmap_hash", "bitmap_hash64", "hll_hash", "hll_cardinality", "mask_last_n", "mask_show_first_n"}
    | {"mask_show_last_n", "bitmap_count", "bitmap_union_count", "bitmap_union_int", "intersect_count", "ndv"}
    | {"multi_distinct_count", "orthogonal_bitmap_union_count", "orthogonal_bitmap_intersect_count"}
    | {
        "approximate_count_distinct",
        "sha256",
        "sha512",
        "uniqexact",
        "uniqcombined",
        "uniqcombined64",
        "uniqhll12",
        "uniqthetasketch",
    }
)
_SKETCHES = """
    approx_set bitmap_and_agg count_min_sketch hll_accumulate hll_combine hll_create_sketch hll_estimate hll_union_agg
    kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float kll_sketch_agg_bigint kll_sketch_agg_double
    kll_sketch_agg_float make_set_digest merge_set_digest qdigest_agg tdigest_agg theta_intersection_agg theta_sketch_agg
    theta_union_agg tuple_intersection_agg_double tuple_intersection_agg_integer tuple_sketch_agg_double
    tuple_sketch_agg_integer tuple_union_agg_double tuple_union_agg_integer
"""
_DRUID = """
    approx_count_distinct_builtin approx_count_distinct_ds_hll approx_count_distinct_ds_theta approx_quantile_ds
    approx_quantile_fixed_buckets array_concat_agg bloom_filter ds_hll ds_quantiles_sketch ds_theta ds_tuple_doubles earliest
    earliest_by latest latest_by tdigest_generate_sketch tdigest_quantile
"""
_OTHERS = """
    approx_count_dups approx_percentile collect_to_list_varchar
    anon_avg anon_count anon_percentile_cont anon_quantiles anon_stddev_pop anon_sum anon_var_pop approx_median
    approx_percentile_cont approximate_count_distinct approximate_median approximate_percentile approximate_quantiles
    arg_max_null arg_min_null argmax_agg argmin_agg bit_and_agg bit_or_agg bit_xor_agg bitstring_agg boolean_and_agg
    boolean_or_agg collect_union convex_hull_agg corr_k corr_s favg geometry_union_agg histogram_exact implode
    json_agg_strict json_object_agg_strict jsonb_agg_strict jsonb_object_agg_strict kahan_sum kurtosis_pop kurtosis_samp
    list_agg range_intersect_agg reservoir_quantile schema_of_json_agg schema_of_variant_agg sem skewness_pop
    skewness_samp st_centroid_agg st_envelope_agg st_union_agg stats_mode sumkahan sys_xmlagg ts_first_value
    ts_last_value vector_avg vector_sum weighted_avg
"""
_BITMAPS = """
    bitmap_agg bitmap_intersect bitmap_union bitmap_union_count bitmap_union_int group_bitmap_xor hll_raw_agg hll_union
    intersect_count multi_distinct_count ndv orthogonal_bitmap_intersect orthogonal_bitmap_intersect_count
    orthogonal_bitmap_union_count percentile_union quantile_union
"""
"""Of StarRocks and Doris: columns may hold bitmaps and sketches, which these join or count."""
_AGGREGATE_NAMES = frozenset(
    {
        "any",
        "arbitrary",
        "bit_and",
        "bit_or",
        "bit_xor",
        "bitmap_or_agg",
        "bool_and",
        "bool_or",
        "checksum_agg",
        "collect_list",
    }
    | {
        "collect_set",
        "count_big",
        "count_star",
        "entropy",
        "every",
        "fsum",
        "group_concat",
        "histogram",
        "histogram_numeric",
    }
    | {
        "hll_sketch_agg",
        "json_agg",
        "json_object_agg",
        "jsonb_agg",
        "jsonb_object_agg",
        "kurtosis",
        "listagg",
        "mad",
        "mean",
    }
    | {
        "median",
        "mode",
        "percentile",
        "percentile_approx",
        "product",
        "range_agg",
        "regr_count",
        "regr_slope",
        "skewness",
    }
    | {"groupconcat", "some", "std", "stdev", "stdevp", "string_agg", "try_avg", "try_sum", "var", "varp", "xmlagg"}
    | {"map_agg", "multimap_agg", "map_union", "set_agg", "set_union", "approx_most_frequent", "numeric_histogram"}
    | {
        "bitwise_and_agg",
        "bitwise_or_agg",
        "geometric_mean",
        "reduce_agg",
        "total",
        "wm_concat",
        "collect",
        "ratio_to_report",
        "checksum",
    }
    | {"hll_count.init", "hll_count.merge", "hll_count.merge_partial"}
    | {f"kll_quantiles.{name}" for name in ("init_int64", "init_float64", "init_uint64", "merge_partial")}
    | {f"kll_quantiles.merge_{name}" for name in ("int64", "float64", "uint64")}
    | {f"kll_quantiles.merge_point_{name}" for name in ("int64", "float64", "uint64")}
    | {"json_arrayagg", "json_objectagg", "json_group_array", "json_group_object", "xmlgroup", "measure"}
    | set(_SKETCHES.split())
    | set(_OTHERS.split())
    | set(_DRUID.split())
    | set(_BITMAPS.split())
)
"""Aggregates that the parser does not know as such."""

_ANALYTIC = """
    approx_top_k array_unique_agg avg_weighted collect_list count_by_enum group_array_intersect group_bit_and
    group_bit_or group_bit_xor linear_histogram max_n min_n mann_whitney_u_test multi_distinct_sum percentile_array
    percentile_approx_weighted percentile_disc_lc percentile_reservoir retention sequence_count sequence_match sum0
    sum_map topn topn_array topn_weighted window_funnel
"""
_OF_IMPALA = "appx_median ds_hll_sketch ds_hll_union ds_kll_sketch ds_kll_union ds_theta_sketch ds_theta_union sample"
_OF_DIALECT = {
    "starrocks": frozenset(_ANALYTIC.split()),
    "doris": frozenset(_ANALYTIC.split()),
    "impala": frozenset(_OF_IMPALA.split()),
}
"""Aggregates whose names are functions of one row, or of the user's own, elsewhere."""
_COUNTING = frozenset({("starrocks", "hll_union_agg"), ("doris", "hll_union_agg")})
"""Aggregates that count here, and join sketches elsewhere."""
_STATES = frozenset({"array_agg", "avg", "count", "max", "max_by", "min", "min_by", "stddev", "sum", "variance"})
"""Aggregates that have states, among those that the parser knows."""
_COMBINATORS = frozenset({"merge", "union", "combine"})
"""What Doris and StarRocks put behind an aggregate's name where it takes states: `avg_merge(s)`."""

_OF_ROWS = frozenset({("tsql", "checksum")})
"""Functions of one row that are called like another dialect's aggregate."""


class Facts(NamedTuple):
    """Whether a call aggregates, and what its arguments are to it."""

    aggregates: bool
    argument_kind: int


_BY_CLASS: dict[type, Facts] = {}
_OF_GROUPS = Facts(False, GROUP_BY)
_AGGREGATION = Facts(True, AGGREGATION)


def facts_of(node: Any, dialect: Dialect | None = None) -> Facts:
    """The facts of a call."""
    cls = type(node)
    if (cls is exp.FirstValue or cls is exp.LastValue) and not _has_window(node):
        return _AGGREGATION
    if cls is exp.Anonymous or cls is exp.AnonymousAggFunc:
        name = str(node.this).lower()
        if node.parent.__class__ is exp.Dot and node.parent.this.__class__ is exp.Identifier:
            name = f"{node.parent.this.name.lower()}.{name}"
        if name in _GROUPING_NAMES:
            return _OF_GROUPS
        aggregates = name in _AGGREGATE_NAMES
        masks = name in _MASKING_NAMES
        if dialect is not None:
            aggregates = _aggregates_in(dialect, name, aggregates)
            masks = masks or (dialect.name, name) in _COUNTING
        return _facts(cls is exp.AnonymousAggFunc or aggregates, masks)
    facts = _BY_CLASS.get(cls)
    if facts is None:
        name = cls.sql_names()[0].lower() if hasattr(cls, "sql_names") else cls.__name__.lower()
        aggregates = issubclass(cls, exp.AggFunc) and not issubclass(cls, _NO_AGGREGATES)
        masks = issubclass(cls, _MASKING_CLASSES) or name in _MASKING_NAMES
        facts = _facts(aggregates or name in _AGGREGATE_NAMES, masks)
        facts = _BY_CLASS[cls] = _OF_GROUPS if issubclass(cls, _GROUPINGS) else facts
    return facts


def _has_window(node: Any) -> bool:
    """Whether OVER stands behind a call, or behind its IGNORE NULLS, or a match is its window; else `first_value(a)` is an aggregate."""
    if node.args.get("navigates"):
        return True
    parent = node.parent
    while isinstance(parent, (exp.IgnoreNulls, exp.RespectNulls, exp.Filter, exp.WithinGroup)):
        parent = parent.parent
    return isinstance(parent, exp.Window)


def _aggregates_in(dialect: Dialect, name: str, anywhere: bool) -> bool:
    """Whether a function is an aggregate in a dialect, given whether it is one where no dialect says otherwise."""
    if anywhere:
        return (dialect.family, name) not in _OF_ROWS
    own = _OF_DIALECT.get(dialect.name)
    if own is None or name in own:
        return own is not None
    base, _, suffix = name.rpartition("_")
    return suffix in _COMBINATORS and (base in _STATES or base in _AGGREGATE_NAMES) and dialect.family == "mysql"


def _facts(aggregates: bool, masks: bool) -> Facts:
    kind = AGGREGATION if aggregates else TRANSFORMATION
    return Facts(aggregates, masked(kind) if masks else kind)
