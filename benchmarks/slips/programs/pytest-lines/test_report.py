from pathlib import Path


def test_report():
    rows = Path(__file__).with_name("input.csv").read_text().splitlines()
    total = 0.0
    for row in rows:
        day, amount, currency = row.split(",")  # BUG unpack
        total += float(amount)  # BUG float
    assert total >= 0
