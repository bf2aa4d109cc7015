"""Doing the whole study again: execute, compare with what is committed, take over."""
