"""Answers, figures and checks for the commands and the web app, as plain data and as text."""
