"""The one entry point: `boildown lsp` starts the server, everything else is the command line."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Run the command that the arguments name; return its exit status."""
    # Imported late: the server must not wait for the command line's imports, nor the other way.
    if sys.argv[1:2] == ["lsp"]:
        # The protocol's types are thousands of objects, all of which stay: the collector would look
        # at them again and again. The server turns it on.
        gc.disable()
        from boildown.lsp.server import main as serve

        return serve(sys.argv[2:])
    from boildown.cli import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
