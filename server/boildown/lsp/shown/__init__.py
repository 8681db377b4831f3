"""Jobs, results and patterns shown in documents and messages."""
