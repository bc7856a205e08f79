"""The migrations of the ledger's tables, one step for each version, run by Alembic."""
