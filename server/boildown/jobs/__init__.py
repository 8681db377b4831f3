"""The use cases that front ends call: text and options in, events on the way, a result out."""
