"""Exact figures of wagers: how many deals lead to each outcome, and the PAR sheets built from these counts."""
