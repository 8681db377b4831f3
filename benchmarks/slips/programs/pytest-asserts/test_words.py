from pathlib import Path


def test_words():
    words = Path(__file__).with_name("input.txt").read_text().split()
    assert words[0].isalpha()  # BUG first
    assert all(len(word) < 12 for word in words[1:])  # BUG long
