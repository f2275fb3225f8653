"""Boards from TOML: what ships equals the presets, overrides, round trip, and a reason for every refusal."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrillsim import toml
from thrillsim.board import (
    PRESETS,
    Board,
    DiskKind,
    Friction,
    Patch,
    Pusher,
    Surface,
    Weight,
    default_board,
    opening,
    rectangle,
    rectangular_board,
    reference_board,
)
from thrillsim.board.files import BoardSpec, board_from, board_to_toml, load_board
from thrillsim.errors import InputError

BOARDS = Path(__file__).parents[2] / "scenarios" / "boards"


def built(text: str) -> Board:
    return board_from(toml.decode(text, BoardSpec, "b.toml"))


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        built(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- what ships -------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_and_its_file_are_the_same_board(name: str) -> None:
    assert load_board(BOARDS / f"{name}.toml") == PRESETS[name]()


@pytest.mark.parametrize("path", sorted(BOARDS.glob("*.toml")), ids=lambda p: p.stem)
def test_shipped_boards_are_named_like_their_file_and_hold_their_disks(path: Path) -> None:
    board = load_board(path)
    assert board.name == path.stem
    assert len(opening(board, 0)) == sum(k.count - k.reserve for k in board.kinds)


def test_the_rounded_board_has_its_outline_and_blunt_pusher() -> None:
    board = load_board(BOARDS / "rounded.toml")
    half_ellipse = math.pi / 2 * 78 * 110
    assert 0.985 < (board.playing.area - 62 * 220) / half_ellipse < 1  # twelve chords of it
    assert board.playing.edges.count("open") == 12
    assert board.pusher.profile() == ((-6.0, -109.0), (0.0, -97.0), (0.0, 97.0), (-6.0, 109.0))
    assert board.kinds == default_board().kinds


# -- base and overrides -------------------------------------------------------------------


def test_an_empty_table_is_the_default_board_under_another_name() -> None:
    assert built("") == dataclasses.replace(default_board(), name="custom")


def test_a_width_takes_sliding_surface_and_pusher_with_it() -> None:
    assert built("playing.width = 260.0") == rectangular_board(width=260.0)
    narrow = built('base = "reference"\nplaying.width = 200.0')
    assert narrow.sliding == rectangle(-128.0, 0.0, 100.0, railed=("left", "right"))  # shoulders stay 50
    assert narrow.pusher.width == 90.0


@pytest.mark.parametrize("edges", ["front", "sides", "front+sides", "left", "front+right"])
def test_open_edges_are_those_of_the_python_call(edges: str) -> None:
    board = built(f'playing.open_edges = "{edges}"\nplaying.depth = 150.0')
    assert board == rectangular_board(open_edges=edges, depth=150.0)


def test_open_edges_lie_where_their_names_say() -> None:
    board = rectangular_board(open_edges="front+left")
    ends = {
        kind: [
            (a, b)
            for i, (a, b) in enumerate(
                zip(
                    board.playing.vertices,
                    board.playing.vertices[1:] + board.playing.vertices[:1],
                    strict=True,
                )
            )
            if board.playing.edges[i] == kind
        ]
        for kind in ("open", "railed")
    }
    assert ends["open"] == [((122.0, -110.0), (122.0, 110.0)), ((122.0, 110.0), (0.0, 110.0))]
    assert ends["railed"] == [((0.0, -110.0), (122.0, -110.0)), ((0.0, 110.0), (0.0, -110.0))]


def test_disks_take_what_they_leave_out_from_the_base() -> None:
    board = built('[[disks]]\nname = "small"\nradius = 12.0\n[[disks]]\nname = "big"\nmass = 3.0')
    small, big = board.kinds
    assert (small.radius, small.mass, small.price, small.count) == (12.0, 0.87, 1, 15)
    assert small.contact == Patch("ring", 12.0 - 0.6)  # the default patch stays the default patch
    assert dataclasses.replace(big, mass=2.52) == default_board().kinds[0]
    scaled = built('base = "reference"\n[[disks]]\nname = "medium"\nradius = 18.0').kinds[0]
    assert scaled.contact == Patch("ring", 12.0)  # one of its own keeps its share of the radius


def test_a_new_disk_with_an_annulus() -> None:
    text = """
        [[disks]]
        name = "x"
        radius = 9.0
        mass = 1.5
        patch = {shape = "annulus", radius = 8.0, inner = 5.0}
    """
    assert built(text).kinds == (DiskKind("x", 9.0, 1.5, patch=Patch("annulus", 8.0, 5.0)),)


def test_files_are_found_beside_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "low.toml").write_text("friction.board = 0.1")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "lower.toml").write_text('base = "../low.toml"\nfriction.rim = 0.05')
    board = load_board(tmp_path / "sub" / "lower.toml")
    assert board.friction == Friction(board=0.1, rim=0.05)
    assert board.name == "lower"
    assert board_from("sub/lower.toml", folder=tmp_path) == board


# -- round trip -----------------------------------------------------------------------------


sizes = st.floats(1.0, 500.0)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    depth, width = draw(sizes), draw(sizes) + 20.0
    slide = draw(st.floats(0.3, 1.0)) * width
    edges = st.sampled_from(["front", "sides", "front+sides", "right", "front+left", "front+right"])
    if draw(st.booleans()):
        playing = rectangular_board(width=width, depth=depth, open_edges=draw(edges)).playing
    else:
        nose = draw(st.floats(0.1, 0.9)) * depth
        corners = ((0.0, -width / 2), (nose, -width / 2), (depth, 0.0), (nose, width / 2), (0.0, width / 2))
        kinds = draw(st.lists(st.sampled_from(["open", "railed"]), min_size=3, max_size=3))
        playing = Surface(corners, ("open", *kinds, "railed"))
    radius = draw(st.floats(5.0, 30.0))
    patch = draw(
        st.sampled_from(
            [
                None,
                Patch("disk", radius / 3),
                Patch("annulus", radius, radius / 7),
                Patch("ring", 0.9 * radius),
            ]
        )
    )
    half = slide / 2
    front = draw(st.sampled_from([(), ((-1.0, -half), (0.0, half / 3), (-2.5, half))]))
    return Board(
        playing=playing,
        sliding=rectangle(-160.0, 0.0, slide, railed=("left", "right")),
        pusher=Pusher(width=slide, depth=40.0, travel=draw(st.floats(60.0, 110.0)), front=front),
        friction=Friction(*(draw(st.floats(0.01, 2.0)) for _ in range(4))),
        kinds=(DiskKind('od"d ü', radius, draw(sizes), price=draw(st.integers(0, 9)), patch=patch, count=3),),
        weight=Weight(draw(sizes), draw(sizes), draw(sizes)),
        gravity=draw(sizes),
        name=draw(st.text(max_size=12).filter(lambda s: s.isprintable() and s.strip())),
    )


@given(boards())
def test_every_board_reads_back_equal(board: Board) -> None:
    text = board_to_toml(board)
    assert built(text) == board
    assert board_to_toml(built(text)) == text


def test_the_json_schema_exists() -> None:
    schema = msgspec.json.schema(BoardSpec)
    assert "open_edges" in str(schema)
    assert "UNSET" not in str(schema)


# -- refusals --------------------------------------------------------------------------------

SQUARE = "[[0.0, -110.0], [122.0, -110.0], [122.0, 110.0], [0.0, 110.0]]"
REFUSED = {
    "self-crossing": (
        "playing.vertices = [[0, -110], [122, 110], [122, -110], [0, 110]]",
        "board.playing.vertices: outline crosses or touches itself",
    ),
    "touching itself": (
        "playing.vertices = [[0, -99], [60, -99], [60, 0], [99, -60], [99, 60], [60, 0], [60, 99], [0, 99]]",
        "board.playing.vertices: outline crosses or touches itself",
    ),
    "folding back": (
        "playing.vertices = [[0, -110], [122, -110], [122, 110], [122, 0], [0, 110]]",
        "board.playing.vertices: outline crosses or touches itself",
    ),
    "clockwise": (
        "playing.vertices = [[0, 110], [122, 110], [122, -110], [0, -110]]",
        "board.playing.vertices: corners must run counter-clockwise",
    ),
    "two corners": (
        "playing.vertices = [[0, -110], [122, -110]]",
        "b.toml: playing.vertices: must have length >= 3, got [[0, -110], [122, -110]]",
    ),
    "no blocking edge": (
        "playing.vertices = [[1, -110], [122, -110], [122, 110], [1, 110]]",
        "board.playing.vertices: needs exactly one edge on x = 0, has 0",
    ),
    "touching x = 0 again": (
        "playing.vertices = [[0, -110], [50, -115], [0, -150], [150, -150], [150, 110], [0, 110]]",
        "board.playing.vertices: only the two ends of the edge on x = 0 may touch x = 0",
    ),
    "wrong side": (
        "playing.vertices = [[0, -110], [122, -110], [122, 110], [-1, 110]]",
        "board.playing.vertices: every corner needs x >= 0",
    ),
    "edge count": (
        f'playing.vertices = {SQUARE}\nplaying.edges = ["open", "open", "open"]',
        "board.playing.edges: needs one entry per corner (4), got 3",
    ),
    "edge kind": (
        f'playing.vertices = {SQUARE}\nplaying.edges = ["open", "closed", "open", "open"]',
        'b.toml: playing.edges[1]: must be one of open, railed, got "closed"',
    ),
    "no open edge": (
        f'playing.vertices = {SQUARE}\nplaying.edges = ["railed", "railed", "railed", "open"]',
        "board.playing.edges: no edge is open, so nothing could ever fall",
    ),
    "open edge name": (
        'playing.open_edges = "back"',
        'board.playing.open_edges: must be front, left, right, sides or some of them joined by +, got "back"',
    ),
    "not finite": ("playing.depth = inf", "b.toml: playing.depth: must be a finite number, got inf"),
    "far too deep": ("playing.depth = 1e308", "b.toml: playing.depth: must be 0.001 to 100000, got 1e+308"),
    "far too heavy": (
        '[[disks]]\nname = "big"\nmass = 100.0\n[[disks]]\nname = "small"',
        "disks: masses may differ by a factor of 50, got 0.87 and 100",
    ),
    "negative": ("playing.depth = -3", "b.toml: playing.depth: must be 0.001 to 100000, got -3"),
    "outline and rectangle": (
        f"playing.vertices = {SQUARE}\nplaying.depth = 3",
        "board.playing.depth: cannot be combined with vertices",
    ),
    "sliding wider than playing": (
        "sliding.width = 230.0",
        "board.sliding: reaches -115..115 at x = 0, further than the playing surface (-110..110)",
    ),
    "pusher wider than its rails": (
        "pusher.width = 221.0",
        "board.pusher.width: 221 is too wide: the sliding surface has 220 at x = 0",
    ),
    "waist in the sliding surface": (
        "sliding.vertices = [[0, -110], [0, 110], [-40, 80], [-138, 110], [-138, -110], [-40, -110]]",
        "board.pusher.width: 218 is too wide: the sliding surface has 160 at x = -40",
    ),
    "no room for travel": (
        "pusher.travel = 100.0",
        "board.pusher.travel: travel and depth need the sliding surface to x = -148, it ends at x = -138",
    ),
    "front profile short": (
        "pusher.front = [[0.0, -50.0], [0.0, 50.0]]",
        "board.pusher.front: must run from y = -109 to y = 109",
    ),
    "front profile falling": (
        "pusher.front = [[0.0, -109.0], [0.0, 20.0], [0.0, 10.0], [0.0, 109.0]]",
        "board.pusher.front: needs at least two points with rising y",
    ),
    "front profile ahead": (
        "pusher.front = [[0.0, -109.0], [3.0, 109.0]]",
        "board.pusher.front: dx must lie in -depth..0 and reach 0, got 0..3",
    ),
    "friction": ("friction.rim = 3.0", "b.toml: friction.rim: must be 0 to 2, got 3.0"),
    "no board friction": ("friction.board = 0", "b.toml: friction.board: must be > 0 and <= 2, got 0"),
    "weight": ("weight.mass = 0.0", "b.toml: weight.mass: must be 0.001 to 100000, got 0.0"),
    "gravity": ('gravity = "9.8"', 'b.toml: gravity: must be a number, got "9.8"'),
    "no disks": ("disks = []", "b.toml: disks: must have length >= 1, got []"),
    "disk twice": (
        '[[disks]]\nname = "big"\n[[disks]]\nname = "big"',
        'board.disks: may give no name twice, got ["big", "big"]',
    ),
    "disk without mass": (
        '[[disks]]\nname = "huge"\nradius = 30.0',
        'board.disks[0].mass: is required: the base has big, medium, small, no "huge"',
    ),
    "patch too wide": (
        '[[disks]]\nname = "big"\npatch = {radius = 22.0}',
        "board.disks[0].patch.radius: must not exceed the disk's radius 21, got 22",
    ),
    "annulus without hole": (
        '[[disks]]\nname = "big"\npatch = {shape = "annulus", radius = 20.0}',
        "board.disks[0].patch.inner: is required by shape annulus, between 0 and radius 20",
    ),
    "annulus all hole": (
        '[[disks]]\nname = "big"\npatch = {shape = "annulus", radius = 20.0, inner = 20.0}',
        "board.disks[0].patch.inner: must lie between 0 and radius 20, got 20",
    ),
    "reserve": (
        '[[disks]]\nname = "big"\nreserve = 8',
        "board.disks[0].reserve: must be 0 to count (7), got 8",
    ),
    "unknown key": (
        "pusher.with = 3",
        "b.toml: pusher.with: unknown key, did you mean width? allowed: width, depth, travel, front",
    ),
    "unknown base": (
        'base = "square"',
        'board.base: must be one of default, front-only, reference or a .toml file, got "square"',
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_impossible_boards_are_refused_with_the_reason(case: str) -> None:
    text, message = REFUSED[case]
    assert refusal(text).removeprefix("board.") == message.removeprefix("board.")


def test_errors_name_the_file_they_are_in(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("pusher.width = 500.0")
    (tmp_path / "b.toml").write_text('base = "a.toml"')
    with pytest.raises(InputError) as caught:
        load_board(tmp_path / "b.toml")
    assert str(caught.value).startswith(f"{tmp_path / 'a.toml'}: pusher.width: 500 is too wide")
    with pytest.raises(InputError, match=r"none\.toml: cannot be read: no such file or directory"):
        load_board(tmp_path / "none.toml")


def test_a_base_that_leads_back_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('base = "b.toml"')
    (tmp_path / "b.toml").write_text('base = "a.toml"')
    with pytest.raises(InputError, match=r"base: leads back to .*a\.toml"):
        load_board(tmp_path / "a.toml")


def test_python_boards_get_the_same_checks() -> None:
    with pytest.raises(InputError, match=r"vertices: must be numbers from -100000 to 100000"):
        Surface(((0.0, -1.0), (math.nan, -1.0), (1.0, 1.0), (0.0, 1.0)), ("open",) * 4)
    with pytest.raises(InputError, match="front: must be finite numbers"):
        Pusher(front=((0.0, -109.0), (-math.inf, 0.0), (0.0, 109.0)))
    with pytest.raises(InputError, match=r"board: must be > 0 and <= 2, got 3"):
        Friction(board=3.0)
    with pytest.raises(InputError, match='edges: must be open or railed, got "shut"'):
        Surface(((0.0, -1.0), (1.0, -1.0), (1.0, 1.0)), ("open", "open", "shut"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"mass: must be 0.001 to 100000, got nan"):
        DiskKind("x", 1.0, math.nan)


def test_the_reference_board_is_that_of_the_reference_pushes() -> None:
    board = reference_board()
    assert board.outline.tolist() == [
        [0.0, -110.0],
        [130.0, -110.0],
        [130.0, 110.0],
        [0.0, 110.0],
        [0.0, 60.0],
        [-128.0, 60.0],
        [-128.0, -60.0],
        [0.0, -60.0],
    ]
    assert board.masses.tolist() == pytest.approx([4e-3 * math.pi * r**2 for r in (20, 15, 11)], rel=1e-15)


def test_a_directory_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    for spec in ("boards", "./boards/"):
        with pytest.raises(InputError) as caught:
            board_from(spec, tmp_path)
        assert str(caught.value).endswith(f' or a .toml file, got "{spec}", which is a directory')
    with pytest.raises(InputError, match=r'got ""$'):
        board_from("", tmp_path)
