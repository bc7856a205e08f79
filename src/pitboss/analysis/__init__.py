"""Exact figures of wagers: counts of outcomes, and PAR sheets built from them."""
