"""Tests of lineage graphs."""
