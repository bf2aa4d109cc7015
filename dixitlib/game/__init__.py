"""The game itself: rules, table, arena."""
