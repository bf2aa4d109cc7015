"""Several agents, one answer, measured uncertainty."""
