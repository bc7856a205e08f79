"""The HTTP API of the progressive."""
