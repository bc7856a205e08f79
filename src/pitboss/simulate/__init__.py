"""Rounds by the million: what becomes of sessions."""
