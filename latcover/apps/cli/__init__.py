"""The command line."""

VERSION = "0.4.0"  # as in pyproject.toml; to ask the installed package would take longer than all the rest
