"""What every suite of this repository shares: pytest's own tool for testing plugins."""

pytest_plugins = ["pytester"]
