"""The methods of generalization: which parts of a failing text may be something else."""
