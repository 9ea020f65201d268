"""The programs that people use.

`cli` is the command line. `web` is the app in a browser, with its server. `publishing` makes sites of puzzles, and
`workshop` is the app's editor on such a site, without a server.
"""
