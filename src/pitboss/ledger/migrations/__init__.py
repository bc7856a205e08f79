"""The migrations of the ledger's tables, one for each version, for Alembic."""
