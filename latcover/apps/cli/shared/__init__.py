"""What the commands share: options, messages, progress, and how help is laid out."""
