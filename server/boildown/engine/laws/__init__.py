"""Laws: conditions on whole inputs that tell those that fail from those that pass."""
