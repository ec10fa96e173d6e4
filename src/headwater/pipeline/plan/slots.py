"""Keys that Spark's hash partitioning spreads evenly: one task per partition. Ordinary numbers would share some and leave others empty.

Only the balance hangs on this. If Spark hashed in another way, tasks would share partitions, and the result would be the same.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_SEED = 42
Words = npt.NDArray[np.uint32]


def even_slots(partitions: int) -> npt.NDArray[np.int32]:
    """As many keys as there are partitions, each of which `repartition(partitions, key)` puts into a partition of its own."""
    found = np.full(partitions, -1, np.int32)
    first, count = 0, 4 * partitions
    while (found < 0).any():
        keys = np.arange(first, first + count, dtype=np.int32)
        at = _murmur3(keys.view(np.uint32)).view(np.int32).astype(np.int64) % partitions
        places, index = np.unique(at, return_index=True)
        new = found[places] < 0
        found[places[new]] = keys[index[new]]
        first += count
    return found


def _murmur3(keys: Words) -> Words:
    """Murmur3's 32-bit hash of 4-byte integers, as Spark seeds it."""
    mixed = _rotated(keys * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
    hashed = _rotated(mixed ^ np.uint32(_SEED), 13) * np.uint32(5) + np.uint32(0xE6546B64)
    hashed ^= np.uint32(4)
    hashed = (hashed ^ (hashed >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    hashed = (hashed ^ (hashed >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return hashed ^ (hashed >> np.uint32(16))


def _rotated(words: Words, bits: int) -> Words:
    return (words << np.uint32(bits)) | (words >> np.uint32(32 - bits))
