"""Jobs for worker processes: what takes longer than a request may."""
