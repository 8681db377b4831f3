"""Resuming: the record of an unfinished job on disk, and how the next start goes on from it."""
