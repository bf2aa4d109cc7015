"""Play what a params file says: the only room that knows all the others."""
