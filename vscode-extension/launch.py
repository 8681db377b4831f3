"""Start the Boildown that this extension carries, or the one in the interpreter's environment.

The libraries are put on the path of this process only.
An environment variable would reach the user's test commands too, and change what they import.
"""

import runpy
import sys
from pathlib import Path

LIBRARIES = str(Path(__file__).parent / "bundled" / "libs")

# The first entry is this script's own folder, of which nothing is imported.
sys.path.pop(0)
if sys.argv.pop(1) == "fromEnvironment":
    sys.path.append(LIBRARIES)
else:
    sys.path.insert(0, LIBRARIES)

runpy.run_module("boildown", run_name="__main__", alter_sys=True)
