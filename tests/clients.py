"""HTTP clients for tests."""

import ssl
from typing import Any

import httpx

from waiting import PATIENT_SECONDS

_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""No test speaks TLS, and loading the usual certificates takes 50 ms for each client."""


def open_client(address: str = "", **options: Any) -> httpx.Client:
    """Return a patient client of plain HTTP that asks no proxy."""
    return httpx.Client(base_url=address, trust_env=False, verify=_NO_CERTIFICATES, timeout=PATIENT_SECONDS, **options)
