"""The progressive controller: pure domain logic on the arithmetic of ``meter.py``, and a service with a ledger."""
