"""Raises before it has read anything."""

raise RuntimeError("no table of openings")
