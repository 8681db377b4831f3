"""Prints an XSLT style sheet of named templates that call each other; five of them in a ring."""

import random

rng = random.Random(11)
WORDS = "head body list cell note link page item text mark rule side".split()
NAMES = [f"t:{rng.choice(WORDS)}-{number}" for number in range(230)]
RING = [60, 101, 143, 178, 202]


def call(name):
    return (
        f'      <xsl:call-template name="{name}">\n'
        f'        <xsl:with-param name="depth" select="$depth + 1"/>\n      </xsl:call-template>'
    )


print('<?xml version="1.0" encoding="UTF-8"?>')
print('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"')
print('    xmlns:t="urn:example:templates" xmlns:h="http://www.w3.org/1999/xhtml" exclude-result-prefixes="t">')
print('  <xsl:output method="xml" indent="yes"/>\n  <xsl:key name="parts" match="part" use="@id"/>')
for number in range(30):
    print(f'  <xsl:variable name="{rng.choice(WORDS)}{number}" select="\'{rng.randrange(9999)}\'"/>')
print('  <xsl:template match="/">\n    <h:html>')
for number in (1, 60, 5):
    print('      <xsl:call-template name="' + NAMES[number] + '"/>')
print("    </h:html>\n  </xsl:template>")
for number, name in enumerate(NAMES):
    print(f'  <xsl:template name="{name}">\n    <xsl:param name="depth" select="0"/>')
    print(f'    <h:div class="{rng.choice(WORDS)}" id="{rng.choice(WORDS)}{number}">')
    print(f'      <h:span><xsl:value-of select="count(key(\'parts\', \'{number}\')/line[{rng.randrange(1, 4)}])"/></h:span>')
    if number in RING:
        print(call(NAMES[RING[(RING.index(number) + 1) % len(RING)]]))
    # Every other call goes to a template further down, so only the ring can be endless.
    later = [other for other in range(number + 1, min(number + 40, len(NAMES))) if other not in RING]
    if later and rng.random() < 0.5:
        print(call(NAMES[rng.choice(later)]))
    print("    </h:div>\n  </xsl:template>")
print("</xsl:stylesheet>")
