"""DixitBench in the tools that people already use, and runs in their formats."""
