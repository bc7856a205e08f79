"""Compiled counting: rules and kernels as Numba functions.

The kernels enumerate every deal.  No module here knows a game: a kernel takes the rule functions, the deck and integers
as arguments.  These modules load Numba, so other packages import them inside the function that counts.
"""
