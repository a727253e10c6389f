"""Stands where the library would."""

OWN = True
