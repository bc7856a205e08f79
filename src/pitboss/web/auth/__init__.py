"""Guests and staff: who sends a request, and the checks of it."""
