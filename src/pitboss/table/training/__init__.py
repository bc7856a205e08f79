"""Dealer training: rounds to settle, questions, and records of trainees."""
