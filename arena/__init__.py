"""Arena: a tournament runner for programmatic bots."""

__version__ = "0.1.0"
