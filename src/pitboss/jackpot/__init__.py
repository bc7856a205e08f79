"""The progressive controller: domain logic, and a service with a ledger.

The domain logic is pure and uses the arithmetic of ``meter.py``.
"""
