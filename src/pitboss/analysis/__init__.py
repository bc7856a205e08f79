"""Exact figures about wagers: how many deals end them each way, and the PAR sheets made from these counts."""
