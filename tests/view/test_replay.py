"""The replay page: whole in itself, with the moments and falls of its push."""

from __future__ import annotations

import html
import itertools
import json
import math
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tests.view.made import made_push
from thrillsim.errors import InputError
from thrillsim.view import replay_html
from thrillsim.view.replay import FRAMES


def data_of(page: str) -> dict:
    return json.loads(re.search(r"^const data = (.*);$", page, re.MULTILINE).group(1))


def test_page_needs_nothing_from_outside() -> None:
    page = replay_html(made_push(weight=True))
    assert not re.search(r"https?:|//[a-z]|src=|@import|url\(|@[A-Z]+@", page)
    assert page.startswith("<!doctype html>")
    assert "<title>1 medium fell: 2 chips</title>" in page


def test_frames_are_the_trace_and_end_with_the_result() -> None:
    result = made_push()
    page = replay_html(result)
    frames = data_of(page)["frames"]
    assert len(frames) == 10
    assert [f["advance"] for f in frames] == [0, 10, 20, 30, 40, 50, 60, 70, 80, 80]
    assert [f["force"] for f in frames] == [0, 5, 10, 15, 20, 25, 30, 35, 40, None]
    assert 'frame.force === null ? "push over"' in page
    assert frames[0]["poses"][0] == [60, 20, 0]
    assert frames[4]["poses"][0] == [67.5, 22.5, 45]
    assert frames[-1]["poses"] == [[75, 25, 90], [122, 18, 0], [20, -60, 0], [16, 20, 0]]
    assert all(a["clock"] <= b["clock"] for a, b in itertools.pairwise(frames))


def test_page_begins_at_the_rear_stop_where_the_trace_begins_at_the_first_touch() -> None:
    result = made_push()
    late = replace(
        result.trace,
        advance=result.trace.advance[2:] + 0.5,
        force=result.trace.force[2:],
        poses=result.trace.poses[2:],
        standing=result.trace.standing[2:],
    )
    frames = data_of(replay_html(replace(result, trace=late)))["frames"]
    assert [f["advance"] for f in frames[:23]] == [*range(21), 20.5, 30.5]
    assert [f["clock"] for f in frames[:22]] == [f["advance"] for f in frames[:22]]
    assert {f["force"] for f in frames[:21]} == {0}
    assert all(f["poses"] == frames[21]["poses"] for f in frames[:21])
    assert frames[22]["poses"] != frames[21]["poses"]


def test_a_disk_is_gone_from_the_moment_of_its_fall() -> None:
    [fall] = data_of(replay_html(made_push()))["falls"]
    assert fall == {"index": 1, "frame": 7, "name": "1 (medium)", "cost": 2}  # advance 70


def test_a_fall_at_the_lift_comes_last() -> None:
    result = made_push(weight=True)
    late = replace(result.fallen[0], during="lift")
    data = data_of(replay_html(replace(result, fallen=(late,))))
    assert data["weight"] is True
    assert data["falls"][0]["frame"] == len(data["frames"]) - 1
    assert data["falls"][0]["name"] == "1 (medium, at the lift)"


def test_names_are_shown_as_they_are() -> None:
    result = made_push()
    kinds = result.board.kinds
    name = "@DATA@ & </script> $1"
    board = replace(result.board, kinds=(kinds[0], replace(kinds[1], name=name), kinds[2]))
    page = replay_html(replace(result, board=board))
    assert page.count(f"1 {html.escape(name)} fell: 2 chips") == 2  # title and heading
    assert page.count("</script>") == 1
    assert data_of(page)["falls"][0]["name"] == f"1 ({name})"


def test_everything_that_moves_has_its_element() -> None:
    page = replay_html(made_push(weight=True))
    ids = set(re.findall(r' id="(\w+)"', page))
    assert ids >= {"pusher", "weight", "fall1", *(f"disk{i}" for i in range(4))}
    asked = set(re.findall(r'element\("(\w+)"\)', page))
    assert asked <= ids


def test_what_is_written_on_a_disk_does_not_turn_with_it() -> None:
    page = replay_html(made_push(weight=True))
    scene = ET.fromstring(re.search(r"<svg.*</svg>", page).group())
    for i in range(4):
        disk = scene.find(f".//g[@id='disk{i}']")
        upright = {text.text for part in disk.findall(".//g[@class='upright']") for text in part.iter("text")}
        assert upright == {text.text for text in disk.iter("text")} == ({str(i), "W"} if i == 0 else {str(i)})
        assert disk.find("polyline") is not None  # the stroke that shows how it turns
    assert 'part.setAttribute("transform", `rotate(${-turned})`)' in page


def test_long_traces_are_thinned_to_their_ends() -> None:
    result = made_push()
    share = np.linspace(0, 1, 1001)
    trace = replace(
        result.trace,
        advance=80 * share,
        force=share,
        poses=np.repeat(result.trace.poses[:1], 1001, axis=0),
        standing=np.ones((1001, 4), dtype=bool),
    )
    frames = data_of(replay_html(replace(result, trace=trace)))["frames"]
    assert len(frames) == FRAMES + 1
    assert (frames[0]["advance"], frames[-2]["advance"]) == (0.0, 80.0)


def test_angles_are_turns_since_the_start() -> None:
    result = made_push()
    poses = result.trace.poses + np.array([0.0, 0.0, 1.0])
    before = type(result.before)(
        result.before.kind, result.before.x, result.before.y, result.before.angle + 1.0
    )
    page = replay_html(replace(result, before=before, trace=replace(result.trace, poses=poses)))
    assert data_of(page)["frames"][4]["poses"][0][2] == pytest.approx(math.degrees(math.pi / 4), abs=0.01)


def test_without_a_trace_there_is_nothing_to_play() -> None:
    with pytest.raises(InputError, match="trace=True"):
        replay_html(made_push(trace=False))
