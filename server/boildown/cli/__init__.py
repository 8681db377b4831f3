"""The command line, a front end: converts arguments, calls jobs, converts results."""
