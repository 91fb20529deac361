"""Lets every test have an inner pytest."""

pytest_plugins = ["pytester"]
