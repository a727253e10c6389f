"""Does not load."""

raise ImportError("a library that is not there")
