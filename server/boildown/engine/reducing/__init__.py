"""Reduction (delta debugging): passes propose candidates, and `reduce` runs them to a fixpoint."""
