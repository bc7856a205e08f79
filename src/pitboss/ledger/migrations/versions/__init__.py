"""The migration steps, each of which names the one before."""
