"""`arena`, and `python -m arena`: signals first, then the command line."""

import sys

from arena.errors import INTERRUPTED
from arena.system import signals


def main() -> None:
    """Run the command line; asked to stop at once, say so and leave with 130."""
    try:
        signals.at_once()
        from arena.cli import app  # here: loading takes longest, and may be interrupted

        app.main()
    except signals.Stopped:
        print("stopped at once; games that were saved are safe", file=sys.stderr)
        sys.exit(INTERRUPTED)
    finally:
        signals.no_more()


if __name__ == "__main__":
    main()
