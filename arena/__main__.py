"""`arena`, and `python -m arena`: signals first, then the command line."""

import sys

from arena.errors import INTERRUPTED
from arena.system import signals as stopping


def main() -> None:
    """Run the command line; asked to stop at once, say so and leave with 130."""
    try:
        stopping.at_once()
        from arena.cli import app as cli  # here: loading takes longest, and may be interrupted

        cli.main()
    except stopping.Stopped:
        print("stopped at once; games that were saved are safe", file=sys.stderr)
        sys.exit(INTERRUPTED)
    finally:
        stopping.no_more()


if __name__ == "__main__":
    main()
