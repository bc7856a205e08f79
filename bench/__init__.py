"""Benchmarks: ``make bench``."""
