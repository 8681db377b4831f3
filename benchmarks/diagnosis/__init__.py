"""The diagnosis benchmark: laws of known truth, and how well Boildown finds them."""
