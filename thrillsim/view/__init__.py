"""Pictures of boards, pushes and studies with matplotlib, and the HTML replay.  Changes nothing.

No pyplot and no global state: every function makes its own `Picture` (a matplotlib figure that a
notebook shows by itself) or draws into the axes it is given.  matplotlib is imported when the
first picture is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from thrillsim.view.replay import replay_html

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thrillsim.board import Board, Layout
    from thrillsim.physics import PushResult
    from thrillsim.studies.summary import Summary

__all__ = ["picture", "plot_board", "plot_push", "plot_study", "plot_trace", "replay_html", "save"]


def plot_board(
    board: Board, layout: Layout | None = None, ax: Axes | None = None, *, numbers: bool = True
) -> Figure:
    """Draw a board from above, true to scale, with the disks of `layout` if given.

    Parameters
    ----------
    board, layout
        What to show.
    ax
        Axes to draw into, without a legend; a new picture with one if None.
    numbers
        Whether to write each disk's index on it.

    Returns
    -------
    matplotlib.figure.Figure
        The figure of the axes; a notebook shows it.
    """
    from thrillsim.view import table

    return table.plot_board(board, layout, ax, numbers=numbers)


def plot_push(result: PushResult, ax: Axes | None = None) -> Figure:
    """Draw a push: before, and after with the paths and what fell.

    Parameters
    ----------
    result
        What `thrillsim.push` returned; with a trace the paths are the true ones, else straight lines.
    ax
        Axes for the picture of the end, with dashed outlines of the beginning, without a legend; if
        None, a new picture with beginning, end and legend.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from thrillsim.view import push

    return push.plot_push(result, ax)


def plot_trace(result: PushResult, ax: Axes | None = None) -> Figure:
    """Draw the force on the pusher (mN) over its advance (mm), with the moments at which disks fell.

    Raises
    ------
    InputError
        If the push was made without ``trace=True``.
    """
    from thrillsim.view import push

    return push.plot_trace(result, ax)


def plot_study(summary: Summary) -> Figure:
    """Draw a study: board with falls along its edges, cost over placement with its band, cost distribution.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from thrillsim.view import study

    return study.plot_study(summary)


def picture(width: float, height: float) -> Figure:
    """Make an empty figure of `width` x `height` inches that a notebook shows without pyplot.

    Returns
    -------
    matplotlib.figure.Figure
        Add axes to it and hand them to the functions here as `ax`.
    """
    from thrillsim.view import paper

    return paper.picture(width, height)


def save(figure: Figure, path: str | Path) -> Path:
    """Write a picture; the ending of `path` names the format (png, svg, pdf).  Same picture, same bytes.

    Raises
    ------
    InputError
        If the format is not known or the file cannot be written.
    """
    from thrillsim.view import paper

    return paper.save(figure, path)
