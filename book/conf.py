"""How Sphinx makes the book. `make book` lays the pages out beside a copy of this file."""

project = "DixitWorld"
author = "the DixitWorld compendium"
language = "en"

extensions = ["myst_nb"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
nb_execution_mode = "off"  # the committed outputs are shown, as they are

html_theme = "sphinx_book_theme"
html_title = "DixitWorld: can a model make itself understood?"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_extra_path = ["extra"]
html_theme_options = {"show_navbar_depth": 1, "navbar_persistent": []}
html_context = {"default_mode": "auto"}
html_show_sphinx = False
html_use_index = False  # nothing in it
mathjax_path = "mathjax/tex-svg.js"  # a copy in the site: nothing is fetched from elsewhere
# Summaries would be fetched, which a browser refuses to a page opened from a file.
html_show_search_summary = False
