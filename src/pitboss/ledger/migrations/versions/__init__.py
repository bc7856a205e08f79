"""The migration steps, each of which names the previous one."""
