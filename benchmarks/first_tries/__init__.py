"""First tries: what a new user types on real programs with known bugs, and what comes of it."""
