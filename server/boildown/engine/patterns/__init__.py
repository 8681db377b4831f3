"""Patterns as values: texts with holes, conditions on the holes, matching and generating."""
