"""Exploration: mutates inputs by the grammar to find other failures and gaps of a pattern."""
