"""Print a receipt for every order in a JSON file: a small program with a real bug."""

import json
import sys


def discount(order):
    """Return the share of an order's price that its coupons take off, at most a half."""
    shares = [coupon["percent"] / 100 for coupon in order.get("coupons", [])]
    return min(sum(shares), 0.5)


def shipping(order, lines):
    """Return what shipping costs per parcel: heavy parcels go one by one."""
    weight = sum(line["count"] * line.get("weight", 0) for line in lines)
    parcels = sum(line["count"] for line in lines if not line.get("download"))
    if order.get("express"):
        return round(4.9 + 1.2 * weight / parcels, 2)
    return 3.9 if parcels else 0.0


def receipt(order):
    """Return the text of one receipt."""
    lines = order.get("lines", [])
    price = sum(line["count"] * line["price"] for line in lines) * (1 - discount(order))
    total = price + shipping(order, lines)
    return f"{order.get('id', '?')}: {total:.2f}"


def main(path):
    """Print the receipts of the orders in a file."""
    with open(path, encoding="utf-8") as file:
        shop = json.load(file)
    for order in shop["orders"]:
        print(receipt(order))


main(sys.argv[1])
