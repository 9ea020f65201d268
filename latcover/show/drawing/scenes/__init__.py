"""Scenes: what a picture shows, as plain data. Every form of picture draws them."""
