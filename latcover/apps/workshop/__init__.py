"""The workshop: the web app's editor on a page without a server, which solves by the engine in the page."""
