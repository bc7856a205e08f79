"""The base of all other packages: errors, money, files, the cache, the ``@rule`` marker, the version."""
