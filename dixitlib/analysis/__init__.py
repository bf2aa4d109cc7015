"""Frame in, frame out: what the runs say, and how sure it is."""
