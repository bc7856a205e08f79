"""How the documentation is built: Markdown, doctested."""

from pitboss.core.version import __version__

project = "pitboss"
author = "pitboss contributors"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.doctest"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

doctest_test_doctest_blocks = "default"

html_theme = "furo"
html_title = f"pitboss {release}"
