"""The preflight: runs of the original before a job, and the diagnosis where they disappoint."""
