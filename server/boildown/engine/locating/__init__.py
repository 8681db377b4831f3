"""Fault localization: ranks the functions of a program by which runs execute their lines."""
