"""What a notebook shows for a value: true to scale, labelled, well-formed, the same bytes every time."""

from __future__ import annotations

import math
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tests.view.made import LONG, LYING, long_names, made_push
from thrillsim.board import Layout, default_board, front_only_board, rectangular_board
from thrillsim.board.opening import opening
from thrillsim.board.svg import MARGIN, board_svg
from thrillsim.physics.picture import headline, paths, weight_place

SVG = "{http://www.w3.org/2000/svg}"


def circles(root: ET.Element) -> list[tuple[float, float, float, dict[str, str]]]:
    found = root.iter(f"{SVG}circle")
    return [(float(c.get("cx")), float(c.get("cy")), float(c.get("r")), c.attrib) for c in found]


def words(root: ET.Element) -> list[str]:
    return [t.text for t in root.iter(f"{SVG}text")]


def test_board_is_drawn_to_scale() -> None:
    root = ET.fromstring(default_board()._repr_svg_())
    x, y, width, height = map(float, root.get("viewBox").split())
    # The board with its rails of 3 mm and the paper round it, plus one line of caption.
    assert (x, y) == (-141 - MARGIN, -113 - MARGIN)
    assert width == 266 + 2 * MARGIN
    assert height == 226 + 2 * MARGIN + 8
    assert float(root.get("width")) / width == pytest.approx(float(root.get("height")) / height, rel=0.005)
    # x to the right, y up
    assert root.find(f"{SVG}g").get("transform") == "scale(1 -1)"
    corners = {p.get("points") for p in root.iter(f"{SVG}polygon")}
    assert "0,-110 122,-110 122,110 0,110" in corners
    assert "122 × 220 mm" in words(root)[-1]


def test_open_edges_are_dashed_and_rails_solid() -> None:
    def dashed(board) -> int:
        lines = ET.fromstring(board_svg(board)).iter(f"{SVG}polyline")
        return sum(len(p.get("points").split()) - 1 for p in lines if p.get("stroke-dasharray") == "5 2.5")

    # rear of the sliding surface, then front alone or front and both sides
    assert dashed(front_only_board()) == 2
    assert dashed(default_board()) == 4


def test_every_disk_has_its_true_radius_place_and_number() -> None:
    board = default_board()
    layout = opening(board, 4)
    root = ET.fromstring(board_svg(board, layout))
    drawn = circles(root)
    for x, y, r in zip(layout.x, layout.y, layout.radii(board), strict=True):
        assert any(math.hypot(cx - x, cy - y) < 0.01 and abs(cr - r) < 0.005 for cx, cy, cr, _ in drawn)
    assert set(words(root)) >= {str(i) for i in range(len(layout))}
    assert not {str(i) for i in range(len(layout))} & set(
        words(ET.fromstring(board_svg(board, layout, numbers=False)))
    )


def test_a_layout_alone_says_that_it_does_not_know_its_board() -> None:
    root = ET.fromstring(LYING._repr_svg_())
    assert {r for *_, r, _ in circles(root)} >= {21.0, 16.0, 11.0}
    assert "default sizes" in " ".join(words(root))
    strange = ET.fromstring(Layout([7], [30.0], [0.0])._repr_svg_())
    assert max(r for *_, r, _ in circles(strange)) == 1.5  # its centre only
    assert "only their board knows" in " ".join(words(strange))
    ET.fromstring(Layout([], [], [])._repr_svg_())


def test_names_cannot_break_the_picture() -> None:
    root = ET.fromstring(rectangular_board(name='<b> & "q"')._repr_svg_())
    assert words(root)[-1].startswith('<b> & "q": playing surface')


def test_captions_stay_on_the_paper() -> None:
    board = long_names(rectangular_board(depth=40, width=900))
    for drawn in (board._repr_svg_(), replace(made_push(), board=long_names(default_board()))._repr_svg_()):
        root = ET.fromstring(drawn)
        _, top, width, height = map(float, root.get("viewBox").split())
        lines = root.findall(f"{SVG}text")
        assert len(lines) >= 2
        assert all(len(line.text) * 3.4 < width - 8 for line in lines)
        assert all(float(line.get("y")) < top + height for line in lines)
    assert " ".join(line.text for line in lines).startswith(f"1 {LONG[1]} fell: 2 chips dashed")


def test_same_value_same_bytes() -> None:
    assert made_push()._repr_svg_() == made_push()._repr_svg_()


def test_push_shows_before_after_and_the_fall() -> None:
    result = made_push(weight=True)
    drawn = circles(ET.fromstring(result._repr_svg_()))

    def at(x: float, y: float, r: float) -> list[dict[str, str]]:
        return [a for cx, cy, cr, a in drawn if math.hypot(cx - x, cy - y) < 0.01 and abs(cr - r) < 0.005]

    assert all(a.get("stroke-dasharray") for a in at(60, 20, 21))  # where the big disk was
    assert any(not a.get("stroke-dasharray") for a in at(75, 25, 21))  # where it is
    assert all(a.get("stroke-dasharray") for a in at(122, 18, 16))  # where the medium one fell ...
    assert not any(not a.get("stroke-dasharray") for a in at(105, 15, 16))  # ... and no disk where it was
    assert at(75, 31, 10)  # the weight's offset turned with its disk from +x to +y
    assert any(float(a.get("stroke-width")) > 1 for a in at(16, 20, 16))  # the new disk
    assert len(at(20, -60, 11)) == 1  # the small one never moved: no ghost


def test_paths_keep_off_the_numbers() -> None:
    """A plain patch lies between the paths and each number."""
    [scene] = ET.fromstring(made_push()._repr_svg_()).findall(f"{SVG}g")
    parts = list(scene)
    path = max(i for i, p in enumerate(parts) if p.tag == f"{SVG}polyline" and p.get("stroke-opacity"))
    patches = [i for i, p in enumerate(parts) if p.get("r") == "6.5"]
    assert len(patches) == 3
    assert min(patches) > path
    assert [parts[i + 1].text for i in patches] == ["0", "2", "3"]


def test_weight_turns_with_its_disk() -> None:
    result = made_push(weight=True)
    assert weight_place(result, after=False) == pytest.approx((66.0, 20.0))
    assert weight_place(result, after=True) == pytest.approx((75.0, 31.0))
    assert weight_place(made_push(), after=True) is None


def test_paths_come_from_the_trace_or_are_straight() -> None:
    traced, plain = paths(made_push()), paths(made_push(trace=False))
    assert [len(way) for way in plain] == [2, 2, 2, 2]
    assert [len(way) for way in traced] == [10, 10, 10, 10]
    for a, b in zip(traced, plain, strict=True):
        np.testing.assert_allclose(a[[0, -1]], b)


def test_headline() -> None:
    assert headline(made_push()) == "1 medium fell: 2 chips"
    assert headline(made_push(nothing=True)) == "nothing fell"


def test_headline_of_a_push_that_was_not_solved_to_its_end() -> None:
    push = made_push(nothing=True)
    broken = replace(push, advance=64.1, certificate=replace(push.certificate, unconverged=1))
    assert headline(broken) == "nothing fell until 64.1 mm, but not fully solved: distrust this"
    assert headline(replace(broken, jammed=True)) == "nothing fell; jammed at 64.1 mm"
