"""Other people's benchmarks from local files: `mmbench`, `mmmu`, `mvbench` and `vstar`."""
