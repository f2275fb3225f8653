"""The figure that all plots are drawn on: its look, how a notebook shows it, how it is saved."""

from __future__ import annotations

import io
import textwrap
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from thrillsim.board.shapes import INK
from thrillsim.errors import InputError, shown
from thrillsim.toml import write_whole

FORMATS = ("png", "svg", "pdf")
DPI = 150
SMALL, NORMAL, LARGE = 8.0, 9.0, 11.0  #: font sizes, points
CHARACTERS = 12.5  #: of a title per inch
GRID = "#d9d9d9"
AS_IT_IS: dict[str, Any] = {"parse_math": False}  #: for text with names: $ in them starts no formula


class Picture(Figure):
    """A figure that a notebook shows without pyplot."""

    def savefig(self, *args: Any, **kwargs: Any) -> None:
        """Save as `matplotlib.figure.Figure.savefig`, laid out to the end.

        The layout moves axes of equal scales once more when it sees them drawn; without that
        first time a title may stick out.
        """
        with warnings.catch_warnings():
            # a name in a script that the font lacks is drawn as boxes, once warned of for every glyph
            warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
            self.draw_without_rendering()
            super().savefig(*args, **kwargs)

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()


def picture(width: float, height: float) -> Picture:
    """An empty picture, inches, whose parts are laid out without overlap."""
    layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08)
    return Picture(figsize=(width, height), layout=layout, facecolor="white")


def tidy(ax: Axes, *, grid: str | None = None) -> None:
    """The common look: two spines, small labels, a pale grid along `grid` ("x", "y", "both")."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=SMALL, colors=INK)
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set_fontsize(NORMAL)
    if grid is not None:
        ax.set_axisbelow(True)
        for name in ("x", "y") if grid == "both" else (grid,):
            (ax.xaxis if name == "x" else ax.yaxis).grid(visible=True, color=GRID, linewidth=0.6)


def title(ax: Axes, words: str) -> None:
    """A left-aligned title in the common size, in lines that fit the width of the axes."""
    inches = float(ax.get_position().width * ax.get_figure(root=False).bbox.width / figure_of(ax).dpi)  # type: ignore[union-attr]
    lines = textwrap.fill(words, max(18, int(inches * CHARACTERS)))
    ax.set_title(lines, loc="left", fontsize=LARGE, color=INK, **AS_IT_IS)


def figure_of(ax: Axes) -> Figure:
    """The figure that holds the axes, also through subfigures."""
    found = ax.get_figure(root=True)
    assert isinstance(found, Figure)
    return found


def save(figure: Figure, path: str | Path) -> Path:
    """See `thrillsim.view.save`."""
    path = Path(path)
    ending = path.suffix[1:].lower()
    if ending not in FORMATS:
        raise InputError(
            f"must end in {', '.join('.' + f for f in FORMATS)}, got {shown(path.name or str(path))}",
            key="picture",
        )
    stamp = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}}
    # Without a salt the ids inside an SVG are drawn at random.
    with mpl.rc_context({"svg.hashsalt": "thrillsim", "svg.fonttype": "none"}):
        figure.savefig(drawn := io.BytesIO(), format=ending, dpi=DPI, metadata=stamp[ending])
    write_whole(path, drawn.getvalue())
    return path
