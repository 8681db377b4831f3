import sys

from lxml import etree

try:
    sheet = etree.XSLT(etree.parse(sys.argv[1]))
except (etree.XMLSyntaxError, etree.XSLTParseError):
    sys.exit(2)
try:
    sheet(etree.XML("<doc><part id='1'><line>a</line></part></doc>"))
except etree.XSLTApplyError as error:
    sys.exit("infinite template recursion" not in str(error.error_log))
sys.exit(1)
