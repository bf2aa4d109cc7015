"""DixitBench: build it, sit it."""
