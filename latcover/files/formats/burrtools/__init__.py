"""The files of BurrTools."""
