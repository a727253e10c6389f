"""Arena: a tournament runner for programmatic bots. `README.md` follows a game through it."""

__version__ = "0.1.0"
