"""How Sphinx makes the site: ``sphinx-build -W -b html docs build/site``, from the root of a checkout."""

import sys
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "latcover"
author = "the latcover authors"
release = metadata.version("latcover")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "mathml", "command_line", "published"]
exclude_patterns = ["backend-template", "_extensions"]

# Markdown as other readers of Markdown take it: links by heading, formulas between dollars.
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence", "html_image"]
myst_heading_anchors = 4
highlight_language = "text"
smartquotes = False  # would make a dash of the two hyphens before an option

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = "latcover"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "../latcover/show/drawing/space/static/icon.svg"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# One family of fonts, those of the reader's own system: the site asks no other server for anything.
html_theme_options = {"navigation_with_keys": True}
