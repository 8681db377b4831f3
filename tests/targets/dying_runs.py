"""Runs of pytest that die before it is known which test fails: files, and the message on each."""

from __future__ import annotations

TEST = 'def test_it():\n    assert "an input".split() == []\n'
DYING: dict[str, tuple[dict[str, str], str]] = {
    "a hook raises": (
        {"conftest.py": "def pytest_collection_modifyitems():\n    raise ValueError('bad hook')\n"},
        r"pytest ended with exit 3, and no test is known to have failed\. It says:\n"
        r"    .*\n    ValueError: bad hook",
    ),
    "a conftest raises": (
        {"conftest.py": "raise ValueError('bad file')\n"},
        r"pytest ran no test \(exit 4\)\. It says:\n"
        r"    ImportError while loading conftest 'conftest\.py'\.\n    ValueError: bad file",
    ),
    "an option that pytest does not have": (
        {"pytest.ini": "[pytest]\naddopts = --no-such-option\n"},
        r"pytest ran no test \(exit 4\)\. The program complains about its arguments; .* It printed:"
        r"\n    .*unrecognized arguments: --no-such-option\n.*",
    ),
    "a plugin is missing": (
        {"pytest.ini": "[pytest]\naddopts = -p no_such_plugin\n"},
        r"pytest (ran no test \(exit 4\)|ended with exit 1 before its tests were over)\. "
        r"The module 'no_such_plugin' is missing: .*",
    ),
    "the process is ended in a conftest": (
        {"conftest.py": "import os\nos._exit(7)\n"},
        r"pytest ended with exit 7 before its tests were over\. It printed nothing\.",
    ),
    "the process is ended with 0 in a test": (
        {"test_it.py": "import os\ndef test_it():\n    os._exit(0)\n"},
        r"pytest ended with exit 0 before its tests were over\..*",
    ),
    "the process is killed": (
        {"conftest.py": "import os\nos.kill(os.getpid(), 9)\n"},
        r"pytest ended with SIGKILL before its tests were over\. It printed nothing\.",
    ),
    "a test passes that should not": (
        {"test_it.py": "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_it(): pass\n"},
        r"pytest ended with exit 1, and no test is known to have failed\. It printed:\n.*",
    ),
}
"""For each way to die the files of a project, and the message as a regular expression."""
