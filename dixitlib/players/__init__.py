"""What to ask, and what to do with the reply."""
