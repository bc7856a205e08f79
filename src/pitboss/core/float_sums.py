"""Sums of floats that do not depend on the number of cores."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def sum_products(values: NDArray[Any], weights: NDArray[np.float64]) -> float:
    """Return the sum of the products of two rows of numbers.

    ``values @ weights`` adds long rows up in as many parts as there are cores, and the last digits depend on that.
    Those of a printed figure must not: it is checked on other machines.

    >>> import numpy as np
    >>> sum_products(np.array([1, 2, 4]), np.array([0.5, 0.25, 0.25]))
    2.0
    """
    return float((values * weights).sum())
