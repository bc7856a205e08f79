"""The base of all packages: errors, money, files, cache, ``@rule``, version."""
