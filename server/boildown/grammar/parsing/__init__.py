"""The parser: LR where no moves conflict, else Earley's, and error recovery."""
