"""Pictures on paper and on the screen, as SVG."""
