"""How to ask: encoders of sentences and of pictures."""
