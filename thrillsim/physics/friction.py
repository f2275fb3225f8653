"""Dry friction of one disk on the board: closed forms of the limit surface.  Pure functions of numpy arrays.

A patch under uniform pressure that slides with speed v and spins with rate s dissipates
D(v, s); the friction force is dD/dv against v, the torque dD/ds against s.  All three are
given per unit of (friction coefficient times normal force).

With q the smaller of (v, w) over the larger (w = s R), everything follows from the complete
elliptic integrals B = int cos^2/Delta and D = int sin^2/Delta of modulus q (K = B + D,
E = B + (1 - q^2) D).  In this form no limit (v -> 0, w -> 0, v -> w) cancels.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ellipkm1, elliprd, hyp2f1

from thrillsim.board import Patch
from thrillsim.board.types import FloatArray

Wrench = tuple[FloatArray, FloatArray, FloatArray]


def _modulus(minor: FloatArray, major: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """B, (1 - m) D and m for m = (minor/major)^2; m = 0 where both are 0."""
    safe = np.where(major > 0, major, 1.0)
    q = minor / safe
    m = q * q
    rest = (1.0 - q) * (1.0 + q)
    open_ = rest > 0
    inner = np.where(open_, rest, 1.0)
    d = elliprd(0.0, inner, 1.0) / 3.0
    b = np.where(open_, ellipkm1(inner) - d, 1.0)  # the logarithms cancel: B(1) = 1
    return b, np.where(open_, rest * d, 0.0), m


def ring_friction(v: ArrayLike, w: ArrayLike) -> Wrench:
    """Dissipation, force and torque of a ring (physics of a hollow cup on its rim).

    Parameters
    ----------
    v, w
        Speed of the centre and ``|spin|`` times radius, both >= 0, same unit; broadcast together.

    Returns
    -------
    D, F, T
        In units of mu N v, mu N and mu N R.  At rest (v = w = 0) any wrench inside the limit
        surface is possible and zeros are returned.

    Examples
    --------
    >>> [round(float(x), 4) for x in ring_friction(1.0, 1.0)]
    [1.2732, 0.6366, 0.6366]
    """
    v, w = np.broadcast_arrays(np.asarray(v, dtype=np.float64), np.asarray(w, dtype=np.float64))
    major, minor = np.maximum(v, w), np.minimum(v, w)
    b, cd, m = _modulus(minor, major)
    moving = major > 0
    strong = np.where(moving, (2 / math.pi) * (b + cd), 0.0)
    weak = (2 / math.pi) * np.sqrt(m) * b
    force = np.where(v >= w, strong, weak)
    torque = np.where(v >= w, weak, strong)
    return v * force + w * torque, force, torque


def solid_friction(v: ArrayLike, w: ArrayLike) -> Wrench:
    """Dissipation, force and torque of a solid disk under uniform pressure; arguments as `ring_friction`.

    Examples
    --------
    >>> D, F, T = solid_friction(0.0, 1.0)
    >>> float(D) == float(T) and abs(float(T) - 2 / 3) < 1e-15 and float(F) == 0
    True
    """
    v, w = np.broadcast_arrays(np.asarray(v, dtype=np.float64), np.asarray(w, dtype=np.float64))
    major, minor = np.maximum(v, w), np.minimum(v, w)
    b, cd, m = _modulus(minor, major)
    q = np.sqrt(m)
    slides = v >= w
    along = 4 / (3 * math.pi) * (2 * b + cd)
    force = np.where(slides, np.where(major > 0, along, 0.0), q * along)
    spin = 4 / (9 * math.pi) * ((3 - m) * b + (3 - 2 * m) * cd)
    # (D - B)/m loses digits as m -> 0: there it is the series pi/16 2F1(3/2, 3/2; 3; m)
    small = m < 0.05
    series = math.pi / 16 * hyp2f1(1.5, 1.5, 3.0, np.where(small, m, 0.0))
    d = cd / np.where(small, 1 - m, 1.0)
    bracket = np.where(small, series + 3 * b - d, (cd - (1 - m) * b) / np.where(small, 1.0, m) + 2 * b)
    torque = np.where(slides, 4 / (9 * math.pi) * q * bracket, spin)
    return v * force + w * torque, force, torque


def patch_friction(patch: Patch, v: ArrayLike, spin: ArrayLike) -> Wrench:
    """Dissipation, force and torque of a contact patch that lies wholly on the board, load at its centre.

    Parameters
    ----------
    patch
        Ring, disk or annulus (the area-weighted difference of two disks).
    v
        Speed of the centre, mm/s, >= 0.
    spin
        Magnitude of the angular velocity, rad/s, >= 0.

    Returns
    -------
    D, F, T
        Per unit of mu N: mm/s, dimensionless, mm.
    """
    spin = np.asarray(spin, dtype=np.float64)
    R, r = patch.radius, patch.inner
    if patch.shape == "ring":
        D, F, T = ring_friction(v, spin * R)
        return D, F, R * T
    D, F, T = solid_friction(v, spin * R)
    T = R * T
    if patch.shape == "annulus":
        d, f, t = solid_friction(v, spin * r)
        outer, hole = R * R / (R * R - r * r), r * r / (R * R - r * r)
        D, F, T = outer * D - hole * d, outer * F - hole * f, outer * T - hole * r * t
    return D, F, T
