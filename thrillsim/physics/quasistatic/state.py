"""The arrays the compiled engine works on, and the names of their columns.

Few wide arrays instead of many narrow ones: the compiler passes every array of a call as
eight numbers, and a disk's data lie together in memory.

Index conventions: disk i = 0 ... n-1 (the new disk last); contact bodies are disk indices,
`WALL` or `PUSHER`; body a < body b.  Positions in mm, rad; velocities per mm of pusher
advance, the third component times the patch radius; forces in units of the mean sliding resistance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WALL = -1
PUSHER = -2

# columns of D, float (n, DISK_FLOATS)
POSE = 0  #: x, y, angle at the start of the step
RIM = 3  #: rim radius
PATCH = 4  #: patch radius
HOLE = 5  #: inner / outer radius of the patch
LOAD = 6  #: mu_b W
COM = 7  #: centre of mass of what stands on the patch, body frame (2)
PULL = 9  #: outside force, board tilt (3)
VEL = 12  #: velocity (3)
FORCE = 15  #: contact force + pull (3)
AXIS = 18  #: unit direction at which the metric is matched (3)
MATCH = 21  #: the matched metric's two numbers for an evenly loaded patch
GRAD = 23  #: friction force at the axis in units of the load (3)
BASE = 26  #: velocity under the present forces, by the linearised friction (3)
COMP = 29  #: compliance: change of the velocity per change of the force, 3 x 3 by rows
METRIC = 38  #: matched metric of an uneven patch, 3 x 3
HESS = 47  #: Hessian of the dissipation of an uneven patch, 3 x 3
INV = 56  #: scratch, 3 x 3
OLD = 65  #: force before an iteration (3)
KEPT = 68  #: velocity to go back to (3)
SPREAD = 71  #: position at which the load of an uneven patch was spread last (3)
CLEAR = 74  #: how far the patch was from the nearest edge there; 0 if it is unevenly loaded
PAST = 75  #: velocity in the last step (3)
TURN = 78  #: its change per mm of advance (3)
SPEED = 81  #: speed that a moving disk is linearised at
CURVES = 82  #: friction over speed and curvature there, of an even patch (2)
LEFT = 84  #: velocity that drag pulls back to (3)
BEYOND = 87  #: share of the load by which a disk that starts to move is pulled below its limit, once
CENTRE = 88  #: centre of pressure of an uneven patch, over the patch radius (2)
LEVER = 90  #: the farthest point from it over the mean square of all points' distances
DISK_FLOATS = 91

# columns of DI, int (n, DISK_INTS)
ALIVE, SHAPE, UNEVEN, COUNT, MOVING, LINKED, MEMBER, LISTED, REST, GROUP, DEGREE = range(11)
DISK_INTS = 11

# columns of C, float (m, CONTACT_FLOATS)
EXCESS = 0  #: squared distance (plain distance to a segment) minus the target's, at step start
GAP_TERM = 1  #: part of the gap rate that the velocities do not change
NORMAL = 2  #: unit normal at mid-step, from a to b (2)
LENGTH = 4  #: distance of the centres at mid-step; 0 for a segment
GAP_RATE = 5
SLIP_RATE = 6
SIDE_RATE = 7  #: relative velocity of the centres along the tangent
LAM = 8  #: normal and tangential force (2)
BEFORE = 10  #: the same before an iteration (2)
SLACK = 12
MU = 13
LAM_KEPT = 14  #: forces to go back to (2)
BOUND = 16  #: friction that the contact may have, where it does not follow the normal force
FADED = 17  #: force relative to what was kept before
CONTACT_FLOATS = 18

# columns of CI, int (m, CONTACT_INTS)
A, B, FEATURE, STATE, ORDER = 0, 1, 2, 3, 4
CONTACT_INTS = 5

# contact states
OPEN, STICK, SLIP_PLUS, SLIP_MINUS, HELD = range(5)

# columns of S, float (contact, SYSTEM_FLOATS) and SI, int (contact, SYSTEM_INTS): rows of the linear system
ROW = 0  #: rows on body a and b, for each kind of unknown (2 x 3 x 3)
COL = 18  #: columns on body a and b: components by kind (2 x 3 x 3)
RHS = 36  #: right side, then the solution (3)
DIAG = 39  #: size of the diagonal (3)
SYSTEM_FLOATS = 42
USED, BODY_A, BODY_B = 0, 1, 2
HAS = 3  #: whether there is an unknown of that kind (3)
SYSTEM_INTS = 6


class Workspace:
    """Arrays for pushes of n disks with `points` points per uneven patch, allocated once and reused."""

    def __init__(self, n: int, points: int) -> None:
        m = 4 * n + 64
        floats, ints = np.float64, np.int64
        self.D: NDArray[np.float64] = np.zeros((n, DISK_FLOATS), floats)
        self.DI: NDArray[np.int64] = np.zeros((n, DISK_INTS), ints)
        self.P: NDArray[np.float64] = np.zeros((n, 4, points), floats)
        self.C: NDArray[np.float64] = np.zeros((m, CONTACT_FLOATS), floats)
        self.CI: NDArray[np.int64] = np.zeros((m, CONTACT_INTS), ints)
        #: the linear system: blocks, rows, what they are, contacts per disk, pattern, number of the block of a pair
        #: (room for the worst case; what no push needs is never touched, and so takes no memory;
        #: indices unsigned: one that might be negative costs a look whether it counts from the end)
        self.system = (
            np.zeros((m * m, 9), floats),
            np.zeros((m, SYSTEM_FLOATS), floats),
            np.zeros((m, SYSTEM_INTS), ints),
            np.zeros((n, m), np.uint32),
            np.zeros(m * m + 1, np.uint32),
            np.zeros(m * m, np.uint32),
        )
        self.store: NDArray[np.float64] = np.zeros((points, 2), floats)
        self.weights: NDArray[np.float64] = np.zeros(points, floats)
        self.shares: NDArray[np.float64] = np.zeros(points, floats)
