"""The progressive controller: a pure domain on the arithmetic of ``meter.py``, and a service that keeps a ledger."""
