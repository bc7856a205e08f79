"""The record that must never be wrong: entries that are only added, chained by their hashes, in SQLite or PostgreSQL.

It knows accounts, amounts and text, not what they mean: that is the controller's.
"""
