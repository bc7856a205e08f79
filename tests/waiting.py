"""How long tests wait for what must come."""

PATIENT_SECONDS = 180
"""A loaded machine may need minutes for what takes a second on a quiet one; a test that passes waits for none of it."""
