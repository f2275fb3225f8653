"""The figure that all plots are drawn on: its look, how a notebook shows it, how it is saved."""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend_handler import HandlerTuple

from thrillsim.board.shapes import INK
from thrillsim.errors import InputError, shown
from thrillsim.toml import write_whole

FORMATS = ("png", "svg", "pdf")
DPI = 150
SMALL, NORMAL, LARGE = 8.0, 9.0, 11.0  #: font sizes, points
GRID = "#d9d9d9"
Entry = Artist | tuple[Artist, ...]  #: of a legend: its sign, or several side by side
AS_IT_IS: dict[str, Any] = {"parse_math": False}  #: for text with names: $ in them starts no formula


@contextmanager
def boxes_for_missing_glyphs() -> Iterator[None]:
    """A name in a script that the font lacks is drawn as boxes: without a warning for every glyph."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        yield


class Picture(Figure):
    """A figure that a notebook shows without pyplot."""

    def savefig(self, *args: Any, **kwargs: Any) -> None:
        """Save as `matplotlib.figure.Figure.savefig`, laid out to the end.

        The layout moves axes of equal scales once more when it sees them drawn; without that
        first time a title may stick out.
        """
        with boxes_for_missing_glyphs():
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
    """A left-aligned title in the common size, in lines that fit the width of the axes.

    Axes of our own pictures that a slender board does not fill lie at the left end of their room: all of it
    is for the title.
    """
    place = ax.get_position(original=ax.get_anchor() == "W")
    inches = float(place.width * ax.get_figure(root=False).bbox.width / figure_of(ax).dpi)  # type: ignore[union-attr]
    ax.set_title(
        in_lines(figure_of(ax), words, inches, LARGE), loc="left", fontsize=LARGE, color=INK, **AS_IT_IS
    )


def in_lines(figure: Figure, words: str, inches: float, size: float) -> str:
    """`words` broken into lines that are about so wide at most, by the average width of their letters."""
    probe = figure.text(0, 0, words, fontsize=size, **AS_IT_IS)
    with boxes_for_missing_glyphs():
        letter = probe.get_window_extent().width / figure.dpi / max(1, len(words))
    probe.remove()
    return textwrap.fill(words, max(12, int(0.94 * inches / max(letter, 0.01))))


def shortened(name: str, most: int = 18) -> str:
    """A name of at most so many letters: of a longer one, beginning and end.

    Examples
    --------
    >>> shortened("big"), shortened("Small cup, the worn-down one, number 12")
    ('big', 'Small cup…umber 12')
    """
    keep = (most - 1) // 2
    return name if len(name) <= most else f"{name[: most - 1 - keep]}…{name[-keep:]}"


def legend_at_foot(figure: Figure, entries: Sequence[Entry], columns: int) -> None:
    """A legend at the foot of our own picture, which grows by its height.

    It has at most so many columns as given and as fit.  An entry of several signs has the words of the first.
    """
    firsts = [entry[0] if isinstance(entry, tuple) else entry for entry in entries]
    room = figure.get_figwidth() - 1.0
    labels = [in_lines(figure, str(first.get_label()), room, SMALL) for first in firsts]
    for fewer in range(columns, 0, -1):
        legend = figure.legend(  # type: ignore[call-overload]  # which takes tuples too
            entries,
            labels,
            loc="outside lower center",
            ncols=fewer,
            fontsize=SMALL,
            frameon=False,
            columnspacing=1.6,
            handletextpad=0.6,
            handlelength=4.0 if any(isinstance(entry, tuple) for entry in entries) else 2.0,
            handler_map={tuple: HandlerTuple(ndivide=None, pad=0.6)},
        )
        for text in legend.get_texts():
            text.set(**AS_IT_IS)
        with boxes_for_missing_glyphs():
            box = legend.get_window_extent()
        if fewer == 1 or box.width < figure.bbox.width:
            break
        legend.remove()
    figure.set_figheight(figure.get_figheight() + box.height / figure.dpi)


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
