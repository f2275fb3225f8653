"""The plots: what is drawn has the right numbers; nothing is cut off and no words lie on each other."""

from __future__ import annotations

import html
import io
import itertools
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rich.text
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, PathPatch, Rectangle
from matplotlib.text import Text

from tests.view.made import LONG, LYING, long_names, made_push, made_summary
from thrillsim import view
from thrillsim.board import Layout, default_board, front_only_board, rectangular_board, reference_board
from thrillsim.board.files import load_board
from thrillsim.board.opening import opening
from thrillsim.cli.study_table import tables
from thrillsim.errors import InputError
from thrillsim.physics import Push, push
from thrillsim.view.study import BAR, number, percent

ROUNDED = Path(__file__).parents[2] / "scenarios" / "boards" / "rounded.toml"


def legible(figure: Figure) -> None:
    """All words lie inside the picture and none on each other, at the size at which the picture is saved."""
    figure.savefig(io.BytesIO(), dpi=figure.dpi)
    whole = figure.bbox
    ticks, drawn = set(), set()  # matplotlib keeps labels of ticks that it does not draw
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            ticks |= set(axis.findobj(Text)) - {axis.label}
            drawn |= {label for tick in axis._update_ticks() for label in (tick.label1, tick.label2)}
    boxes = []
    for text in (set(figure.findobj(Text)) - ticks) | drawn:
        words = text.get_text().strip()
        if not words or not text.get_visible():
            continue
        box = text.get_window_extent()
        assert box.x0 >= whole.x0 - 1, words
        assert box.x1 <= whole.x1 + 1, words
        assert box.y0 >= whole.y0 - 1, words
        assert box.y1 <= whole.y1 + 1, words
        boxes.append((box, words))
    assert boxes
    for (a, first), (b, second) in itertools.combinations(boxes, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        up = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert not (across > 1 and up > 1), (first, second)


def radii_at(ax, x: float, y: float) -> list[float]:
    return [
        p.get_radius() for p in ax.patches if isinstance(p, Circle) and math.dist(p.center, (x, y)) < 1e-9
    ]


BOARDS = {
    "default": default_board(),
    "reference": reference_board(),
    "front-only": front_only_board(),
    "rounded": load_board(ROUNDED),
    "deep": rectangular_board(depth=400, name="deep"),
    "wide": rectangular_board(width=500, name="wide"),
    "shallow": rectangular_board(depth=40, width=900, name="shallow"),
    "slender": rectangular_board(depth=400, width=60, name="slender"),
    "long names": long_names(default_board()),
    "shallow, long names": long_names(rectangular_board(depth=40, width=900)),
}


@pytest.mark.parametrize("name", BOARDS)
def test_board_is_to_scale_and_legible(name: str) -> None:
    figure = view.plot_board(BOARDS[name])
    [ax] = figure.axes
    assert ax.get_aspect() == 1.0
    legible(figure)


@pytest.mark.parametrize("name", ["shallow", "slender", "shallow, long names"])
def test_push_on_a_slender_board_is_legible(name: str) -> None:
    board = BOARDS[name]
    small = board.kinds[2].name
    lying = Layout.from_rows(board, [(small, 15.0, 0.0), (small, 20.0, 15.0)])
    figure = view.plot_push(push(board, lying, Push(small, -40.0, 0.0), accuracy="draft"))
    legible(figure)
    assert min(figure.get_size_inches()) > 1.8


def test_a_legend_has_whole_names_of_all_kinds() -> None:
    board = long_names(default_board(), 12)
    places = [(kind.name, 21.0 + 40 * (i % 3), -80.0 + 45 * (i // 3)) for i, kind in enumerate(board.kinds)]
    figure = view.plot_board(board, Layout.from_rows(board, places))
    legible(figure)
    [legend] = figure.legends
    words = [" ".join(text.get_text().split()) for text in legend.get_texts()]
    assert words[:12] == [f"1 {kind.name}, Ø {2 * kind.radius:g} mm" for kind in board.kinds]


def test_words_on_the_board_are_turned_where_they_have_no_room() -> None:
    for depth in (40, 122):
        [ax] = view.plot_board(rectangular_board(depth=depth)).axes
        boxes = [p.get_path().get_extents() for p in ax.patches if type(p) is PathPatch]
        assert len(boxes) == 3
        assert [box.width < box.height for box in boxes] == [False, False, depth == 40]


def test_disks_are_where_they_lie_and_as_big_as_they_are() -> None:
    board = default_board()
    layout = opening(board, 2)
    figure = view.plot_board(board, layout)
    [ax] = figure.axes
    for x, y, r in zip(layout.x, layout.y, layout.radii(board), strict=True):
        assert r in radii_at(ax, x, y)
    legible(figure)
    assert "28 disks, packing 0.71" in ax.get_title(loc="left")


@pytest.mark.parametrize("inches", [3.0, 6.0])
def test_a_given_axes_is_used_and_its_figure_returned(inches: float) -> None:
    figure = view.picture(inches, inches)
    assert view.plot_board(default_board(), LYING, figure.add_subplot()) is figure
    legible(figure)
    figure = view.picture(inches, inches)
    assert view.plot_push(made_push(weight=True), figure.add_subplot()) is figure
    legible(figure)
    figure = view.picture(inches, inches)
    assert view.plot_trace(made_push(), figure.add_subplot()) is figure
    legible(figure)


@pytest.mark.parametrize("weight", [False, True])
@pytest.mark.parametrize("nothing", [False, True])
def test_push_shows_before_and_after(weight: bool, nothing: bool) -> None:
    result = made_push(weight=weight, nothing=nothing)
    figure = view.plot_push(result)
    legible(figure)
    before, after = figure.axes
    assert radii_at(before, -40, 20)[0] == 16.0
    assert radii_at(after, 16, 20)[0] == 16.0
    assert 21.0 in radii_at(after, 60, 20)  # the ghost of the big disk ...
    assert 21.0 in radii_at(after, 75, 25)  # ... and where it is now
    assert bool(radii_at(after, 122, 18)) is not nothing
    assert after.get_xlim()[1] >= (127 if nothing else 122 + 16)  # room for what fell
    assert before.get_xlim() == after.get_xlim()
    assert bool(radii_at(before, 66, 20)) is weight
    assert bool(radii_at(after, 75, 31)) is weight
    ends = {tuple(np.round(line.get_xydata()[-1], 6)) for line in after.lines if len(line.get_xydata()) == 10}
    assert (75.0, 25.0) in ends  # the traced path


def test_paths_keep_off_the_numbers() -> None:
    """Each number lies on a plain patch above all paths: a line that ends beside it would be a minus sign."""
    after = view.plot_push(made_push()).axes[1]
    paths = [line for line in after.lines if len(line.get_xydata()) == 10]
    assert len(paths) == 3  # the small disk stayed
    for x, y in ((75, 25), (20, -60), (16, 20)):
        [patch] = [
            p for p in after.patches if isinstance(p, Circle) and p.center == (x, y) and p.radius == 6.5
        ]
        assert patch.zorder > max(path.zorder for path in paths)
        digits = [p for p in after.patches if type(p) is PathPatch and p.zorder > patch.zorder]
        assert any(np.hypot(*(p.get_path().vertices - (x, y)).T).max() < 6.5 - 1 for p in digits)
    short = replace(made_push(trace=False), poses=made_push(nothing=True).poses - (0, 3, 0), fallen=())
    assert not [line for line in view.plot_push(short).axes[1].lines if list(line.get_xdata()) == [20, 20]]


def test_push_over_a_side_is_legible_too() -> None:
    result = made_push()
    poses = result.poses.copy()
    poses[0] = (60.0, 109.0, 0.0)  # hangs over the left edge, where rails leave no room
    figure = view.plot_push(replace(result, poses=poses, trace=None))
    assert figure.axes[1].get_ylim()[1] > 109 + 21
    legible(figure)


def test_trace_shows_the_force_in_millinewton_and_the_falls() -> None:
    figure = view.plot_trace(made_push())
    [ax] = figure.axes
    x, y = ax.lines[0].get_data()
    assert x.tolist() == np.linspace(0, 80, 9).tolist()
    assert y.tolist() == np.linspace(0, 40, 9).tolist()
    assert any(np.allclose(line.get_xdata(), 70.0) for line in ax.lines[1:])
    legible(figure)
    with pytest.raises(InputError, match="trace=True"):
        view.plot_trace(made_push(trace=False))


TWELVE = long_names(default_board(), 12)
STUDIES = {
    "three sizes": {},
    "one size": {"sizes": ("medium",), "n": 40},
    "nothing falls": {"falls": False, "n": 30},
    "one push": {"n": 1, "sizes": ("big",)},
    "two pushes": {"n": 2, "sizes": ("big",)},
    "weight": {"weight": True},
    "front only": {"board": front_only_board()},
    "reference": {"board": reference_board()},
    "rounded": {"board": load_board(ROUNDED)},
    "shallow": {"board": BOARDS["shallow"]},
    "slender": {"board": BOARDS["slender"]},
    "long names": {"board": BOARDS["long names"], "sizes": LONG[:3]},
    "twelve kinds": {"board": TWELVE, "sizes": tuple(kind.name for kind in TWELVE.kinds)},
    "long title": {
        "scenario": "What if somebody pushed in any disk of the reserve anywhere and did so again " * 2
    },
}


@pytest.mark.parametrize("name", STUDIES)
def test_study_is_legible(name: str) -> None:
    legible(view.plot_study(made_summary(**STUDIES[name])))


def panel(figure: Figure, title: str):
    return next(ax for ax in figure.axes if ax.get_title(loc="left") == title)


def test_both_panels_of_the_shared_axis_have_its_numbers() -> None:
    figure = view.plot_study(made_summary())
    figure.draw_without_rendering()
    left, right = panel(figure, "Cost by where it goes in"), panel(figure, "Where disks fall")
    assert left.get_ylim() == right.get_ylim()
    for ax in (left, right):
        low, high = ax.get_ylim()
        ticks = [tick for tick in ax.yaxis.get_major_ticks() if low <= tick.get_loc() <= high]
        numbers = [
            float(tick.label1.get_text().replace("\N{MINUS SIGN}", "-"))
            for tick in ticks
            if tick.label1.get_visible()
        ]
        assert numbers == [-100, -50, 0, 50, 100]
        assert "y (mm)" in ax.get_ylabel()


def test_a_study_shortens_long_names_beside_its_dots_and_has_them_whole_in_the_legend() -> None:
    figure = view.plot_study(made_summary(board=BOARDS["long names"], sizes=LONG[:3]))
    short = [label.get_text() for label in panel(figure, "Which disks fall").get_yticklabels()]
    assert short == ["Big red c… is worn", "Medium ye…epainted", "Small gre…ash wood"]
    words = [" ".join(text.get_text().split()) for text in figure.legends[0].get_texts()]
    assert words[:3] == [f"{name}, Ø {d} mm" for name, d in zip(LONG, (42, 32, 22), strict=False)]


def test_study_curves_are_the_summary() -> None:
    summary = made_summary()
    ax = panel(view.plot_study(summary), "Cost by where it goes in")
    for curve, line in zip(summary.curves[1:], ax.lines, strict=True):
        assert line.get_label() == curve.disk
        assert list(line.get_ydata()) == list(curve.y)
        assert list(line.get_xdata()) == [e.value for e in curve.cost]
    for curve, band in zip(summary.curves[1:], ax.collections, strict=True):
        drawn = band.get_paths()[0].vertices
        for y, estimate in zip(curve.y, curve.cost, strict=True):
            at = drawn[np.isclose(drawn[:, 1], y), 0]
            assert at.min() == pytest.approx(estimate.low)
            assert at.max() == pytest.approx(estimate.high)


def test_curve_and_board_share_their_height() -> None:
    figure = view.plot_study(made_summary())
    figure.draw_without_rendering()
    curve, board = panel(figure, "Cost by where it goes in"), panel(figure, "Where disks fall")
    for y in (-100.0, 0.0, 60.0):
        heights = [ax.transData.transform((0, y))[1] for ax in (curve, board)]
        assert heights[0] == pytest.approx(heights[1], abs=0.5)


@pytest.mark.parametrize("board", [default_board(), load_board(ROUNDED)], ids=lambda b: b.name)
def test_study_bars_stand_outward_and_are_as_long_as_the_falls(board) -> None:
    summary = made_summary(board=board)
    ax = panel(view.plot_study(summary), "Where disks fall")
    bars = [p.vertices[:4] for c in ax.collections if isinstance(c, PolyCollection) for p in c.get_paths()]
    drawn = sum(
        abs(np.sum(b[:, 0] * np.roll(b[:, 1], -1) - b[:, 1] * np.roll(b[:, 0], -1))) / 2 for b in bars
    )
    best = max(float(np.max(np.array(e.counts) / np.diff(e.limits))) for e in summary.edges)
    falls = sum(sum(e.counts) for e in summary.edges)
    assert drawn == pytest.approx(falls / best * BAR, rel=1e-9)  # area: every fall counts the same
    low, high = np.min(np.vstack(bars), axis=0), np.max(np.vstack(bars), axis=0)
    assert ax.get_xlim()[1] > high[0]
    assert ax.get_ylim()[0] < low[1]
    assert ax.get_ylim()[1] > high[1]
    centre = np.array([40.0, 0.0])
    for edge in summary.edges:
        out = np.array([edge.end[1] - edge.start[1], edge.start[0] - edge.end[0]])
        assert out @ (np.array(edge.start) - centre) > 0  # the outward normal used by the bars


def test_markers_at_0_are_whole_and_touch_no_name() -> None:
    figure = view.plot_study(made_summary(falls=False, n=30))
    figure.draw_without_rendering()
    for title in ("Cost by where it goes in", "Which disk to push in"):
        ax = panel(figure, title)
        assert ax.lines
        assert all(line.get_xdata()[0] == 0 and not line.get_clip_on() for line in ax.lines)
    left = min(line.get_window_extent().x0 for line in ax.lines)
    assert all(label.get_window_extent().x1 < left for label in ax.get_yticklabels())


def test_study_costs_are_shares_in_percent() -> None:
    summary = made_summary()
    ax = panel(view.plot_study(summary), "What a push costs")
    heights = {
        round(p.get_x() + p.get_width() / 2): p.get_height() for p in ax.patches if isinstance(p, Rectangle)
    }
    for row in summary.costs:
        if row.cost in heights:
            assert heights[row.cost] == pytest.approx(100 * row.chance.value)
        else:
            assert row.chance.value < 0.004
    assert sum(heights.values()) > 98


def test_headline_of_a_study_is_its_numbers() -> None:
    summary = made_summary()
    title = view.plot_study(summary).get_suptitle()
    assert "600 pushes on board “default”" in title
    assert percent(summary.any_fell) in title
    assert number(summary.cost) in title


def test_a_study_without_a_title_is_called_as_on_the_terminal() -> None:
    summary = made_summary(n=40, scenario="")
    head = next(iter(tables(summary)))
    assert isinstance(head, rich.text.Text)
    assert head.plain.startswith("Push study\n")
    assert view.plot_study(summary).get_suptitle().startswith("Push study: 40 pushes on board")


def test_numbers_in_words() -> None:
    from thrillsim.studies.summary import Estimate

    assert percent(Estimate(None, None, None, 0)) == "unknown"
    assert percent(Estimate(0.5, 0.299, 0.701, 20)) == "50 % [30, 70]"
    assert percent(Estimate(0.5, 0.4902, 0.5098, 10_000)) == "50.0 % [49.0, 51.0]"
    assert percent(Estimate(0.25, None, None, 1)) == "25 %"
    assert number(Estimate(None, None, None, 0)) == "unknown"
    assert number(Estimate(1.0, None, None, 3)) == "1.00"
    assert number(Estimate(2.0, 0.0, 5.437, 4)) == "2.00 [0.00, 5.44]"


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_same_picture_same_bytes(ending: str, tmp_path: Path) -> None:
    first, second = (
        view.save(view.plot_push(made_push()), tmp_path / f"{name}.{ending}").read_bytes() for name in "ab"
    )
    assert first == second
    assert first[:4] in {b"\x89PNG", b"<?xm", b"%PDF"}


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_names_that_the_font_lacks_are_drawn_without_a_word(ending: str, tmp_path: Path) -> None:
    """Warnings are errors here."""
    board = default_board()
    named = replace(board, name="盤", kinds=(replace(board.kinds[0], name="大 いろは"), *board.kinds[1:]))
    path = view.save(view.plot_board(named, opening(named, 2)), tmp_path / f"board.{ending}")
    assert path.stat().st_size > 1000


def test_names_are_drawn_as_they_are(tmp_path: Path) -> None:
    """Neither is there a formula between two dollars, nor does an underscore hide a name."""
    names = ("$5 cup", "_$x_", "50 % $\\frac$")
    kinds = tuple(replace(kind, name=name) for kind, name in zip(default_board().kinds, names, strict=True))
    board = replace(default_board(), name="$1 to $2", kinds=kinds)
    summary = made_summary(board=board, sizes=names, scenario="Stake $5 or $10, 50 %")
    pictures = {
        "board": view.plot_board(board, opening(board, 2)),
        "push": view.plot_push(replace(made_push(), board=board)),
        "study": view.plot_study(summary),
    }
    for what, figure in pictures.items():
        drawn = view.save(figure, tmp_path / f"{what}.svg").read_text(encoding="utf-8")
        words = [html.unescape(text) for text in re.findall(r"<text [^>]*>([^<]*)</text>", drawn)]
        for name in names:
            assert any(name in line for line in words), (what, name)
        assert what == "push" or any(board.name in line for line in words)
        assert what != "study" or any("Stake $5 or $10, 50 %: 600" in line for line in words)
        assert what != "study" or {line for line in words if line in names} == set(names)


def test_bad_file_names_are_refused(tmp_path: Path) -> None:
    figure = view.picture(1, 1)
    with pytest.raises(InputError, match=r'must end in \.png, \.svg, \.pdf, got "a\.gif"'):
        view.save(figure, tmp_path / "a.gif")
    with pytest.raises(InputError, match="cannot be written: no such file or directory"):
        view.save(figure, tmp_path / "none" / "a.png")


def test_a_picture_shows_itself_without_pyplot() -> None:
    assert view.plot_board(default_board())._repr_png_()[:4] == b"\x89PNG"
    code = (
        "import sys; import thrillsim as ts; ts.plot_board(ts.default_board())._repr_png_();"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
