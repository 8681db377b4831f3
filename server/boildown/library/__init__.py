"""The library: the front end for Python programs.

A program brings its own functions as predicates, and languages and grammars as values; so, unlike
the other front ends, the library calls the engine itself.
"""
