"""The ledger: an append-only record of entries chained by their hashes.

It is stored in SQLite or PostgreSQL.  It knows accounts, amounts and text, but not their meaning, which belongs to
``pitboss.jackpot``.
"""
