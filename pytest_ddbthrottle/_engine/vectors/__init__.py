"""Vectors: 32-bit floating point numbers, and how near one vector is to another."""
