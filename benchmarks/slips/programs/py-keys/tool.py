import json
import sys


def summary(order):
    customer = order["customer"]  # BUG customer
    name = customer["name"]  # BUG name
    lines = []
    for item in order["items"]:
        lines.append(f"{item['sku']} x {item['count']}")  # BUG item
    address = customer["address"]  # BUG address
    return name, lines, address


print(summary(json.load(open(sys.argv[1]))))
