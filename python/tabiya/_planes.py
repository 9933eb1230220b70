"""Bitboards as planes, for neural networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def planes(bitboards: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """Boards of 64 bits as boards of 8 x 8 zeros and ones: ranks from 1 to 8, files from a to h.

    >>> import numpy, tabiya
    >>> board = numpy.array([[1 << 12]], dtype=numpy.uint64)  # e2
    >>> numpy.argwhere(tabiya.planes(board)).tolist()
    [[0, 0, 1, 4]]
    """
    import numpy as np

    # Numbers with a point do not have 64 bits: squares would be lost. And not all who call have their types
    # checked.
    is_array = isinstance(bitboards, np.ndarray)  # pyright: ignore[reportUnnecessaryIsInstance]
    if not is_array or bitboards.dtype.kind not in "ui":
        kind = getattr(bitboards, "dtype", type(bitboards).__name__)
        raise TypeError(f"bitboards: expected an array of whole numbers, not {kind}")
    rows = np.ascontiguousarray(bitboards).astype("<u8", copy=False).view(np.uint8)
    ranks = rows.reshape(*bitboards.shape, 8, 1)
    return np.unpackbits(ranks, axis=-1, bitorder="little")
