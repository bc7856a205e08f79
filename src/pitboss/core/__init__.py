"""What everything else stands on: errors, money, the version, the ``@rule`` marker, the cache folder."""
