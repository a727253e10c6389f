"""Stands where the arena would."""

OWN = True
