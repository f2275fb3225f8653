"""K11: the certificate's own balance, and the same balance taken from the trace alone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.physics.quasistatic.scenes import BOARD, midgame_case, slow, sound, with_rim
from tests.physics.quasistatic.socp import closing, step_of
from thrillsim.board import Layout
from thrillsim.physics import ACCURACIES, Push
from thrillsim.physics.friction import patch_friction


@pytest.mark.parametrize("accuracy", ACCURACIES)
@pytest.mark.parametrize("seed", range(4))
def test_certificate_of_midgame_pushes(accuracy, seed):
    layout, one = midgame_case(seed)
    result = slow(layout, one, accuracy=accuracy)
    c = result.certificate
    assert c.unconverged == 0
    assert c.steps > 3
    assert 0 <= c.overlap <= 1e-6
    assert 0 <= c.force <= 1e-8
    assert 0 <= c.complementarity <= 1e-8
    assert 0 <= c.power <= 1e-8
    assert result.layout.overlap(BOARD) <= 1e-6  # looked at from outside
    assert result.jammed or result.advance == BOARD.pusher.travel


@pytest.mark.parametrize("rim", [0.0, 0.25])
def test_pusher_power_is_what_the_board_and_the_rims_take(rim):
    """From positions and pusher force only: dissipation of every disk at its mean velocity of the step.

    The rims' share is what is left: never negative, 0 without rim friction, and for two disks the
    friction coefficient times normal force times slip.  Steps that close a gap do that work too: left out.
    """
    board = with_rim(rim)
    steps = 0
    for seed in range(3):
        layout, one = midgame_case(seed, rim)
        result = slow(layout, one, board=board, trace=True)
        assert sound(result)
        trace = result.trace
        assert trace is not None
        for t in range(len(trace.advance) - 1):
            step = step_of(result, t)
            if step is None or closing(step):
                continue
            taken = 0.0
            for k, u in enumerate(step.velocity):
                speed = float(np.hypot(u[0], u[1]))
                if step.even[k]:
                    patch = board.kinds[step.kinds[k]].contact
                    taken += step.loads[k] * float(patch_friction(patch, speed, abs(u[2]))[0])
                else:
                    pts, shares = step.points[k]
                    w = np.hypot(u[0] - u[2] * pts[:, 1], u[1] + u[2] * pts[:, 0])
                    taken += step.loads[k] * float(shares @ w)
            left = (step.thrust - taken) / step.thrust
            steps += 1
            if rim == 0.0:
                assert abs(left) < 1e-3  # patches over an edge have other points here
            else:
                assert -1e-3 < left < 0.8
    assert steps > 50


def test_rim_dissipation_of_two_disks_is_friction_times_normal_force_times_slip():
    result = slow(Layout([0], [50.0], [6.0]), Push("medium", -16.0, 0.0), trace=True)
    trace = result.trace
    assert trace is not None
    checked = 0
    for t in range(len(trace.advance) - 1):
        step = step_of(result, t)
        if step is None or closing(step) or len(step.disks) != 2 or not all(step.even):
            continue
        board_power, forces = 0.0, []
        for k, u in enumerate(step.velocity):
            patch = BOARD.kinds[step.kinds[k]].contact
            d, f, torque = (float(x) for x in patch_friction(patch, np.hypot(u[0], u[1]), abs(u[2])))
            board_power += step.loads[k] * d
            size = np.hypot(u[0], u[1])
            force = step.loads[k] * f * u[:2] / size if size else np.zeros(2)
            forces.append((force, step.loads[k] * torque * np.sign(u[2])))
        contact = next(c for c in step.contacts if c.a >= 0)
        n = contact.normal if contact.b == 0 else -contact.normal  # from the pushed disk to the other
        tangent = np.array([-n[1], n[0]])
        normal_force = float(forces[0][0] @ n)
        # the other disk is moved by this contact alone: its torque is the tangential force on its rim
        side = float(forces[0][0] @ tangent)
        assert abs(side) <= BOARD.friction.rim * normal_force * (1 + 1e-7)
        assert forces[0][1] == pytest.approx(-side * step.rims[0], abs=1e-6 * normal_force * step.rims[0])
        u0, u1 = step.velocity
        slip = float(tangent @ (u0[:2] - u1[:2])) - step.rims[0] * u0[2] - step.rims[1] * u1[2]
        at_pusher = next(c for c in step.contacts if c.a == -2)
        assert at_pusher.b == 1
        slip_front = u1[1] - step.rims[1] * u1[2]
        friction_front = float(forces[1][0][1] + forces[0][0][1])
        rims = abs(side * slip) + abs(friction_front * slip_front)
        assert step.thrust == pytest.approx(board_power + rims, rel=1e-6)
        checked += 1
    assert checked >= 2
