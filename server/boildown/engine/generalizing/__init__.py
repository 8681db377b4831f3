"""Generalization: finds the subtrees of a failing text that may be exchanged (DDSET and ours)."""
