"""Exact mathematics and play of house-banked casino poker games."""
