"""The progressive and the table over HTTP."""
