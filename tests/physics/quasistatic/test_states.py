"""States of contacts and disks as Newton's method and the path read and keep them; the path's friction."""

from __future__ import annotations

import numpy as np
import pytest

from tests.physics.quasistatic.scenes import called
from thrillsim.physics.quasistatic import interior, law, newton, state
from thrillsim.physics.quasistatic.patch import RING
from thrillsim.physics.quasistatic.state import HELD, OPEN, SLIP_MINUS, SLIP_PLUS, STICK, WALL, Workspace

freeze, settle_friction, goes_on, judge, present_velocity = map(
    called, (interior.freeze, newton.settle_friction, newton.goes_on, newton.judge, law.present_velocity)
)
evaluate, smooth_even, smooth_uneven = map(
    called, (law.evaluate, interior.smooth_even, interior.smooth_uneven)
)


def pair(speed: float = 0.0, above: int = 0) -> Workspace:
    """Two disks, the second at this speed, in contact with each other, or the second with a wall."""
    space = Workspace(2, 1)
    space.DI[:, state.MEMBER] = 0, 1
    space.D[:, state.LOAD] = 1.0
    space.D[1, state.VEL] = speed
    space.DI[1, state.MOVING] = speed != 0.0
    space.CI[0, [state.A, state.B]] = above, 1
    space.C[0, state.LAM], space.C[0, state.MU] = 2.0, 0.25
    return space


@pytest.mark.parametrize(
    ("force", "slack", "ratio", "opens"),
    [
        (1e-6, 1e-3, 0.1, True),  # apart: the product is the smoothing, and so goes the force
        (3e-5, 3e-5, 0.32, True),  # neither force nor motion apart: both go with the root of the smoothing
        (1.0, 1e-9, 1.0, False),
        (0.035, 3e-8, 0.39, False),  # a force that moves among undetermined ones is none that vanishes
    ],
)
def test_which_contacts_the_path_leaves_open(force, slack, ratio, opens):
    """At a smoothing of 1e-9; `ratio` is the force to that of the stage before, ten times smoother."""
    space = pair(1.0)
    space.D[0, state.VEL] = 1.0
    space.C[0, [state.LAM, state.SLACK, state.FADED]] = force, slack, ratio
    freeze(space.D, space.DI, space.C, space.CI, 2, 1, 1e-9, False)
    assert (space.CI[0, state.STATE] == OPEN) == opens
    assert space.C[0, state.LAM] == (0.0 if opens else force)


@pytest.mark.parametrize("speed", [0.0, 1e-11, 3e-9])
@pytest.mark.parametrize("above", [0, WALL])
def test_the_path_leaves_at_rest_what_newtons_method_would_put_to_rest(speed, above):
    """Frozen as a mover it would come to rest in the first iteration, its contacts still stuck to it."""
    space = pair(speed, above)
    space.C[0, state.FADED] = 1.0
    freeze(space.D, space.DI, space.C, space.CI, 2, 1, 1e-11, False)
    assert not space.DI[1, state.MOVING]
    assert space.D[1, state.VEL] == 0.0
    assert space.CI[0, state.STATE] == HELD


@pytest.mark.parametrize("kind", [STICK, SLIP_PLUS, SLIP_MINUS])
@pytest.mark.parametrize("above", [0, WALL])
def test_a_contact_whose_disks_come_to_rest_on_frozen_states_is_held(kind, above):
    """Its force answers to no motion any more: as an unknown it would have nothing to divide by."""
    space = pair(0.0, above)
    space.CI[0, state.STATE], space.C[0, state.LAM + 1] = kind, 0.1
    settle_friction(space.D, space.DI, space.C, space.CI, 1, True)
    assert space.CI[0, state.STATE] == HELD
    assert space.C[0, state.LAM + 1] == 0.1
    space = pair(1.0, above)
    space.CI[0, state.STATE] = kind
    settle_friction(space.D, space.DI, space.C, space.CI, 1, True)
    assert space.CI[0, state.STATE] == kind


@pytest.mark.parametrize(("kind", "sign"), [(SLIP_PLUS, 1.0), (SLIP_MINUS, -1.0)])
def test_a_contact_slides_on_as_long_as_nothing_speaks_against_it(kind, sign):
    """mu = 0.25 under a force of 2; friction of positive sign goes with a slip of negative."""
    assert goes_on(kind, 2.0, sign * 0.5, -sign * 0.3, 0.25)
    assert goes_on(kind, 2.0, sign * 0.5, 0.0, 0.25)
    assert goes_on(kind, 2.0, sign * 0.5, sign * 1e-10, 0.25)  # rounding
    assert not goes_on(kind, 2.0, sign * 0.5, sign * 1e-6, 0.25)
    assert not goes_on(kind, 2.0, sign * 0.49, 0.0, 0.25)
    assert not goes_on(kind, 2.0, -sign * 0.5, 0.0, 0.25)
    assert not goes_on(STICK, 2.0, sign * 0.5, 0.0, 0.25)
    assert not goes_on(OPEN, 0.0, 0.0, 0.0, 0.25)


@pytest.mark.parametrize(("kind", "sign"), [(SLIP_PLUS, 1.0), (SLIP_MINUS, -1.0)])
def test_the_judge_lets_it_slide_on(kind, sign):
    """At its bound and without slip it would stick by its trial force, which rounding decides."""
    space = pair(1.0)
    space.D[:, state.RIM], space.D[:, state.PATCH] = 16.0, 10.0
    space.D[:, state.COMP : state.COMP + 9] = 1e-7 * np.eye(3).reshape(9)
    space.C[0, [state.NORMAL, state.LAM + 1]] = 1.0, sign * 0.5
    for slip, after in ((0.0, kind), (sign * 1e-10, kind), (sign * 1e-8, STICK)):
        space.CI[0, state.STATE], space.C[0, state.SLIP_RATE] = kind, slip
        judge(space.D, space.DI, space.C, space.CI, 1, False)
        assert space.CI[0, state.STATE] == after


def test_what_is_aimed_below_the_limit_moves_as_if_its_force_were_larger():
    """The force that goes with the same velocity is smaller by that share of the load."""
    space = Workspace(2, 1)
    D = space.D
    D[:, state.LOAD], D[:, state.SPEED], space.DI[:, state.MOVING] = 1.7, 0.1, 1
    D[:, state.AXIS] = D[:, state.GRAD] = 1.0
    D[:, state.COMP : state.COMP + 9] = np.diag([3.0, 1.0, 1.0]).reshape(9)
    D[:, state.FORCE] = 1.7 * np.array([1.0, 0.95])
    D[1, state.BEYOND] = 0.05
    for i in (0, 1):
        present_velocity(D, space.DI, i, 0.0)
        assert D[i, state.BASE : state.BASE + 3] == pytest.approx([0.1, 0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("drag", [0.0, 0.3])
def test_smoothed_friction_of_an_even_patch_is_what_the_general_matrices_say(seed, drag):
    """Along, across and spin taken apart, against the 3 x 3 matrix inverted as a whole."""
    rng = np.random.default_rng([31, seed])
    space = Workspace(2, 1)
    D = space.D
    D[:, state.LOAD], space.DI[:, state.SHAPE] = 1.7, RING
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    speed, tau = 10.0 ** rng.uniform(-6, 0), 10.0 ** rng.uniform(-6, 0)
    D[:, state.AXIS : state.AXIS + 3], D[:, state.VEL : state.VEL + 3] = axis, speed * axis
    D[:, state.FORCE : state.FORCE + 3] = 1.7 * rng.normal(size=3)
    fv, kappa = evaluate(D, space.DI, space.P, 0)
    evaluate(D, space.DI, space.P, 1)
    gradient, match = D[0, state.GRAD : state.GRAD + 3], D[0, [state.MATCH, state.MATCH, state.MATCH + 1]]
    d = float(gradient @ axis)
    rho = float(np.hypot(speed * d, tau))
    e = np.array([*axis[:2], 0.0]) / np.linalg.norm(axis[:2])
    across = np.array([-e[1], e[0], 0.0])
    turn = np.array([-axis[2] * e[0], -axis[2] * e[1], np.linalg.norm(axis[:2])])
    hessian = fv * np.outer(across, across) + kappa * np.outer(turn, turn)
    D[1, state.METRIC : state.METRIC + 9] = np.diag(match).reshape(9)
    D[1, state.INV : state.INV + 9] = np.diag(1.0 / match).reshape(9)
    D[1, state.HESS : state.HESS + 9] = hessian.reshape(9)
    smooth_even(D, 0, speed, d, fv, kappa, rho, drag)
    smooth_uneven(D, 1, speed, d, rho, drag, False)
    for at, size in ((state.COMP, 9), (state.BASE, 3)):
        scale = np.abs(D[1, at : at + size]).max()
        assert D[0, at : at + size] == pytest.approx(D[1, at : at + size], abs=1e-10 * scale)
