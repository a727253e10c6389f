"""Does not load either: its games with eve are not played."""

raise ImportError("another library that is not there")
