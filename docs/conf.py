"""Sphinx settings: Markdown pages of this folder, and the API reference from the docstrings."""

import re
import tomllib
from pathlib import Path
from typing import Any

_metadata = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]

project = _metadata["name"]
release = version = _metadata["version"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
myst_heading_anchors = 3

# `name` in a docstring links to what is called so, and is set as code if there is no such thing.
default_role = "py:obj"

templates_path = ["_templates"]
exclude_patterns = ["_templates"]

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("ArrayLike", "FloatArray", "IntArray")}
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

highlight_language = "none"  # of blocks that name none: tables of text, shell lines
html_theme = "furo"
html_title = f"thrillsim {version}"
html_static_path: list[str] = []
html_show_copyright = False


def _not_a_type(_app: Any, what: str, _name: str, _thing: object, _options: object, lines: list[str]) -> None:
    """Put back what napoleon took for the type of a property: all that stood before its first colon."""
    if what in {"attribute", "data", "property"}:
        for line in [line for line in lines if line.startswith(":type: ")]:
            lines.remove(line)
            lines[0] = f"{line.removeprefix(':type: ')}: {lines[0]}"


UNREADABLE = (
    (
        r"~?(?:typing\.)?Annotated\[([^<>]*?), ~?<typer[^>]*>\]",
        r"\1",
    ),  # typer's part is in the command's help
    (r"~?TypeAliasForwardRef\('(\w+)'\)", r"\1"),
    ("<factory>", "..."),
)


def _readable(*given: Any) -> tuple[str | None, str | None]:
    """One part that is no Python would have the whole signature set as raw text."""
    signature, returns = given[5:]
    for raw, plain in UNREADABLE:
        signature, returns = (part and re.sub(raw, plain, part) for part in (signature, returns))
    return signature, returns


def setup(app: Any) -> None:
    """Two hooks into autodoc; the first must come after napoleon's."""
    app.connect("autodoc-process-docstring", _not_a_type, priority=600)
    app.connect("autodoc-process-signature", _readable)
