"""Starts coverage in each Python of a run, where this folder is on its path."""

import coverage

coverage.process_startup()
