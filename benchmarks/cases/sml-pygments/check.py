import sys

from pygments.lexers.ml import SMLLexer

ENDLESS = 10_000  # tokens at one place; the lexer would go on for ever

text = open(sys.argv[1], encoding="utf-8").read()
last, count = -1, 0
for place, _, _ in SMLLexer().get_tokens_unprocessed(text):
    last, count = place, count + 1 if place == last else 0
    if count == ENDLESS:
        sys.exit(0)
sys.exit(1)
