"""Stands where Python's module would."""

OWN = True
