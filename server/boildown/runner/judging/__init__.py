"""The judgement of runs: finds failures in outputs and compares their signatures."""
