"""Rest or motion of one disk, decided from its force and velocity: the law of a ring in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from tests.physics.quasistatic.scenes import called
from thrillsim.physics.quasistatic import law, patch
from thrillsim.physics.quasistatic.patch import RING
from thrillsim.physics.quasistatic.state import (
    AXIS,
    BEYOND,
    CENTRE,
    COUNT,
    FORCE,
    LEVER,
    LOAD,
    MOVING,
    PATCH,
    RIM,
    SHAPE,
    UNEVEN,
    VEL,
    Workspace,
)

branch = called(law.branch)
yielding, surely = called(law.yielding), called(law.surely)
LOADED = 1.7


def decide(force, velocity, *, frozen: bool = False) -> tuple[float, bool, np.ndarray, float]:
    """Residual, whether it moves, velocity, how far below its limit it is pulled; forces per load."""
    space = Workspace(1, 1)
    D, DI = space.D, space.DI
    D[0, RIM], D[0, PATCH], D[0, LOAD], DI[0, SHAPE] = 16.0, 10.0, LOADED, RING
    D[0, AXIS] = 1.0
    D[0, FORCE : FORCE + 3] = LOADED * np.asarray(force)
    D[0, VEL : VEL + 3] = velocity
    residual = branch(D, DI, space.P, 0, frozen)
    return residual, bool(DI[0, MOVING]), D[0, VEL : VEL + 3].copy(), float(D[0, BEYOND])


@pytest.mark.parametrize("force", [(0.0, 0.0, 0.0), (0.99, 0.0, 0.0), (0.0, -0.99, 0.0), (0.0, 0.0, 0.99)])
def test_a_disk_rests_under_less_than_it_takes_to_move_it(force):
    assert decide(force, (0.0, 0.0, 0.0))[:2] == (0.0, False)


@pytest.mark.parametrize("force", [(1.05, 0.0, 0.0), (0.0, -1.05, 0.0), (0.0, 0.0, 1.05)])
def test_a_disk_moves_under_more(force):
    residual, moving, _, _ = decide(force, (0.0, 0.0, 0.0))
    assert moving
    assert residual > 0.0  # no velocity fits such a force: the force is to come down


@pytest.mark.parametrize("speed", [1e-7, 1e-3, 1.0])
def test_sliding_under_its_own_resistance_is_a_solution_at_any_speed(speed):
    residual, moving, velocity, beyond = decide((0.6, 0.8, 0.0), (0.6 * speed, 0.8 * speed, 0.0))
    assert moving
    assert residual == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(velocity) == pytest.approx(speed, rel=1e-12)
    assert beyond == 0.0


@pytest.mark.parametrize(("force", "beyond"), [(1.02, 0.01), (1.1, 0.05), (3.0, 0.1)])
def test_a_disk_that_starts_is_pulled_below_its_limit_by_half_of_what_it_was_above(force, beyond):
    """Two that lean on each other would be put to their limits in turn, and go on so for long."""
    assert decide((force, 0.0, 0.0), (0.0, 0.0, 0.0))[3] == pytest.approx(beyond, rel=1e-9)
    assert decide((0.0, 0.0, force), (0.0, 0.0, 0.0))[3] == pytest.approx(beyond, rel=1e-6)
    assert decide((force, 0.0, 0.0), (0.1, 0.0, 0.0))[3] == 0.0


def test_a_creeping_disk_rests_if_its_force_is_well_inside():
    """Else neighbours in an indeterminate cluster are set moving and put to rest in turn for ever."""
    assert decide((0.95, 0.0, 0.0), (5e-5, 0.0, 0.0))[:2] == (5e-5, False)
    assert decide((0.0, 0.0, 0.95), (0.0, 0.0, 5e-5))[:2] == (5e-5, False)


@pytest.mark.parametrize(
    ("force", "speed", "frozen"),
    [(0.95, 5e-4, False), (0.999, 5e-5, False), (0.95, 5e-5, True)],
    ids=["no creep", "nearly at its resistance", "frozen"],
)
def test_else_it_goes_on_and_its_residual_is_what_its_force_lacks(force, speed, frozen):
    residual, moving, velocity, _ = decide((force, 0.0, 0.0), (speed, 0.0, 0.0), frozen=frozen)
    assert moving
    assert residual == pytest.approx(1.0 - force, rel=1e-9)
    assert velocity.tolist() == [speed, 0.0, 0.0]


def resistance(points: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Friction force of loaded points (x, y, share, size^2; by rows) at motion z, in loads: the gradient of
    the sum of share * hypot(velocity, size * spin)."""
    x, y, share, size = points
    ux, uy = z[0] - z[2] * y, z[1] + z[2] * x
    push = share / np.sqrt(ux**2 + uy**2 + size * z[2] ** 2)
    return np.array([push @ ux, push @ uy, push @ (x * uy - y * ux + size * z[2])])


def on_arcs(*arcs: tuple[float, float], load: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """Points on arcs of the unit circle, so loaded that the load acts there."""
    angle = np.concatenate([np.linspace(*arc, 7) for arc in arcs])
    x, y = np.cos(angle), np.sin(angle)
    even = np.ones_like(angle)
    balance = np.linalg.lstsq(np.array([even, x, y]), np.array([1.0, *load]), rcond=None)[0]
    assert (balance > 0.0).all()
    return np.array([x, y, balance, np.full_like(x, 5e-4)])


UNEVEN_PATCHES = {
    "half a ring and a bit": on_arcs((-2.0, 2.0)),
    "two short arcs": on_arcs((-0.1, 0.1), (3.0, 3.3)),
    "a corner of the board": on_arcs((0.2, 1.4), (2.8, 4.4)),
    "off centre": on_arcs((-2.5, 2.5), load=(0.3, -0.1)),
}


def standing_on(points: np.ndarray) -> Workspace:
    """One disk on them, at rest."""
    x, y, share, _ = points
    space = Workspace(1, points.shape[1])
    space.P[0] = points
    space.D[0, LOAD], space.DI[0, UNEVEN], space.DI[0, COUNT] = 1.0, 1, points.shape[1]
    cx, cy = share @ x, share @ y
    space.D[0, CENTRE : CENTRE + 2] = cx, cy
    space.D[0, LEVER] = np.hypot(x - cx, y - cy).max() / (share @ ((x - cx) ** 2 + (y - cy) ** 2))
    return space


@pytest.mark.parametrize("name", UNEVEN_PATCHES)
@pytest.mark.parametrize("size", [0.5, 0.9, 1.0, 1.3])
def test_an_uneven_patch_yields_just_where_its_own_friction_is_exceeded(name, size):
    """Friction at any motion z lies on the limit surface, and the direction there is z (convex duality).

    Started from directions that have nothing to do with it, and from it.
    """
    points = UNEVEN_PATCHES[name]
    space = standing_on(points)
    rng = np.random.default_rng(5)
    for _ in range(500):
        z = rng.normal(size=3)
        z /= np.linalg.norm(z)
        start = z if rng.random() < 0.2 else rng.normal(size=3)
        space.D[0, AXIS : AXIS + 3] = start / np.linalg.norm(start)
        reach, length = yielding(space.D, space.DI, space.P, 0, *(size * resistance(points, z)))
        if size < patch.INSIDE:
            assert size - 1e-9 <= reach < 1.0
            continue
        assert reach == pytest.approx(size, rel=1e-9)
        axis = space.D[0, AXIS : AXIS + 3]
        assert axis == pytest.approx(z, abs=1e-4)
        assert length == pytest.approx(reach / (resistance(points, axis) @ axis), rel=1e-6)


@pytest.mark.parametrize("name", UNEVEN_PATCHES)
def test_what_is_taken_for_inside_is_inside(name):
    """The bound is no less than the gauge, for any force; and no more where the points can do no better: pure
    force through the centre of pressure."""
    points = UNEVEN_PATCHES[name]
    space = standing_on(points)
    known = space.D[0, LEVER]
    rng = np.random.default_rng(6)
    for _ in range(300):
        force = rng.normal(size=3)
        bound = surely(space.D, 0, *force)
        space.D[0, LEVER], space.D[0, AXIS : AXIS + 3] = 1e30, force / np.linalg.norm(force)  # exact
        reach, _ = yielding(space.D, space.DI, space.P, 0, *force)
        space.D[0, LEVER] = known
        assert bound >= reach - 1e-9
    cx, cy = space.D[0, CENTRE : CENTRE + 2]
    assert surely(space.D, 0, 0.6, 0.8, 0.8 * cx - 0.6 * cy) == pytest.approx(1.0)
