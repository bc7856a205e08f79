"""Exact mathematics of house-banked casino poker games, and software to play them."""
