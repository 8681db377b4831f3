"""Readers of grammars: Lark's notation, mappings in the fuzzingbook format, ANTLR's .g4."""
