"""All that is compiled and counts: rules handed to Numba, and the kernels that visit every deal.

Nothing here knows a game: a kernel takes the functions that decide, the deck and integers.  Numba is loaded by
the modules of this package, so others import them in the function that counts.
"""
