"""The layouts in scenarios/layouts: the verified opening, and a mid-game position.

The mid-game position is opening(default_board(), 1) after 20 pushes of the rigid engine at `standard`:
random disks of the reserve at random places of the zone (numpy's default generator, seed 1).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thrillsim.board import Layout, default_board, verified_opening
from thrillsim.board.layout import support_margin_of

LAYOUTS = Path(__file__).parents[2] / "scenarios" / "layouts"
BOARD = default_board()


def read(name: str) -> Layout:
    return Layout.from_json(BOARD, (LAYOUTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted(LAYOUTS.glob("*.json")), ids=lambda p: p.stem)
def test_every_shipped_layout_is_legal_and_within_the_box(path: Path) -> None:
    layout = read(path.stem).check(BOARD, tolerance=1e-8)
    box = np.array([k.count for k in BOARD.kinds])
    assert (np.bincount(layout.kind, minlength=3) <= box).all()
    assert layout.to_json(BOARD) == path.read_text(encoding="utf-8")


def test_the_verified_opening_is_shipped() -> None:
    assert read("verified") == verified_opening(BOARD)


def test_the_mid_game_position_is_crowded_and_overhangs() -> None:
    layout = read("midgame")
    assert len(layout) == 28
    assert layout.packing(BOARD) > 0.71
    over = (layout.x + layout.radii(BOARD) > 122) | (np.abs(layout.y) + layout.radii(BOARD) > 110)
    assert over.sum() >= 3
    margins = [
        support_margin_of(BOARD, int(k), x, y)
        for k, x, y in zip(layout.kind, layout.x, layout.y, strict=True)
    ]
    assert min(margins) >= 0.0
