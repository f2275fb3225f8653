"""Sphinx settings: Markdown pages of this folder, and the API reference from the docstrings."""

import tomllib
from pathlib import Path

_metadata = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]

project = _metadata["name"]
release = version = _metadata["version"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
myst_enable_extensions = ["amsmath", "deflist", "dollarmath"]
myst_heading_anchors = 3

templates_path = ["_templates"]
exclude_patterns = ["_templates"]

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Each thing is described where it is defined, once, and not again in the room that passes it on.
autodoc_default_options = {
    "members": True,
    "ignore-module-all": True,
    "show-inheritance": True,
    "exclude-members": "set",  # matplotlib writes this method into each class derived from its own
}
napoleon_google_docstring = False
napoleon_use_rtype = False
python_use_unqualified_type_names = True

# Every game has its own State and Row; a signature that says State then links to one of them.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = f"thrillsim {version}"
html_static_path: list[str] = []
