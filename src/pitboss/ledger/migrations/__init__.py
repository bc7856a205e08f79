"""How the tables of the ledger came to be, a step for each version; Alembic takes them."""
