"""Measuring latcover: a folder of the checkout, no part of the installed program."""
