"""Cases on public ground: generated families, whose instances are drawn anew from each seed."""
