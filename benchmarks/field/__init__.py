"""Real bugs with large inputs, and how right what Boildown says of all inputs that fail is."""
