"""Pictures as text, for terminals."""
