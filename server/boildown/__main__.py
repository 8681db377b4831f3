"""The one entry point: `boildown lsp` starts the server, everything else is the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command that the arguments name; return its exit status."""
    # Imported late: the server must not wait for the command line's imports, nor the other way.
    if sys.argv[1:2] == ["lsp"]:
        from boildown.lsp.server import main as serve

        return serve(sys.argv[2:])
    from boildown.cli import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
