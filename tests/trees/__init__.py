"""Tests of the trees that are made from Python's own."""
