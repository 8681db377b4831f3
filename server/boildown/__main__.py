"""The one entry point: `boildown lsp` starts the server, everything else is the command line."""

import gc
import signal
import sys

from boildown.runner.guardian.linux import adopt_orphans


def main() -> int:
    """Run the command that the arguments name; return its exit status."""
    # What a test command leaves running must not outlive Boildown, even if its guardian is killed.
    adopt_orphans()
    # Until there is something to keep, Ctrl-C simply ends the process.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from boildown.cli.channels import hold

    # Imported late: the server must not wait for the command line's imports, nor the other way.
    if sys.argv[1:2] == ["lsp"]:
        # The protocol's types are thousands of objects, all of which stay: the collector would look
        # at them again and again. The server turns it on.
        gc.disable()
        hold([2])
        from boildown.lsp.handlers import main as serve

        return serve(sys.argv[2:])
    from boildown.cli.main import main as run

    hold()
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
