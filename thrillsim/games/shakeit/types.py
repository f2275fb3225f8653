"""Shake It!'s values: options, actions, state and view.  May import bidding.  Nothing here decides."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from thrillsim.bidding import Bid, Cup, OpenBidding, Seats, Stakes
from thrillsim.games.protocol import Happened, Rolled
from thrillsim.games.shakeit.track import Track

DICE = 5  # SHK-01; every die counts once (SHK-A18)
GRAVEYARD = "graveyard"  # SHK-17


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How Shake It! is played; every ruling with a choice has its option.

    Parameters
    ----------
    extension
        Laying out dice and rolling the others again after one's own bet (SHK-23, SHK-A12).
    first_player
        Seat that opens the first round; none: the starting roll decides (SHK-03, SHK-A02).
    start_star_value
        Pips of a star in the starting roll (SHK-A01).
    bet_limit
        "literal": every square up to the end of the second lap; "dice_in_play": no more than there are
        dice (SHK-A07, SHK-A08).
    star_layout
        Star k before number 2k, or after it.
    track
        Another track, from a TOML file with `squares`; then `star_layout` says nothing.
    cocked_prob
        Probability that a player's throw lies cocked and is repeated (SHK-06, SHK-A16).
    """

    extension: bool = False
    first_player: Annotated[int, msgspec.Meta(ge=0, le=5)] | None = None
    start_star_value: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    bet_limit: Literal["literal", "dice_in_play"] = "literal"
    star_layout: Literal["before_even", "after_even"] = "before_even"
    track: Track | None = None
    cocked_prob: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.0


class Bet(msgspec.Struct, frozen=True, tag="bet"):
    """At least `count` dice of `face`; face 6 is the star (SHK-08, SHK-09)."""

    count: int
    face: int


class Doubt(msgspec.Struct, frozen=True, tag="doubt"):
    """Cups up (SHK-14)."""


class LayOut(msgspec.Struct, frozen=True, tag="lay_out"):
    """Lay out dice with these faces and roll the others again; none: keep all (SHK-23)."""

    faces: tuple[int, ...] = ()


Action = Bet | Doubt | LayOut
Outcome = Rolled | Happened


class Dispute(msgspec.Struct, frozen=True):
    """A doubted bet: what all cups showed, and how many dice each seat lost."""

    bettor: int
    doubter: int
    bet: Bid
    count: int
    dice: tuple[tuple[int, ...], ...]
    lost: tuple[int, ...]

    @property
    def winner(self) -> int:
        """Who opens the next round (SHK-19, SHK-A05)."""
        return self.bettor if self.count >= self.bet.count else self.doubter


class State(msgspec.Struct, frozen=True):
    """One moment of the game.

    Parameters
    ----------
    phase
        "start" (rolling for the first bet), "shake" (`rolling` roll), "settle" (do they lie flat?), "bet",
        "lay" (the bettor may lay out dice), "over".
    dice
        Who owns how many, with the graveyard.
    cups
        How everybody's dice lie.
    rolled_at
        How many bets of this round had been made when a seat last rolled.
    gone
        Seats that are out, together those who went together.
    start_roll
        The starting roll so far: (seat, faces) of all throws.
    """

    options: Options
    seats: Seats
    dice: Stakes
    phase: Literal["start", "shake", "settle", "bet", "lay", "over"]
    rolling: tuple[int, ...]
    cups: tuple[Cup, ...]
    bidding: OpenBidding
    rolled_at: tuple[int, ...]
    round: int = 1
    gone: tuple[tuple[int, ...], ...] = ()
    start_roll: tuple[tuple[int, tuple[int, ...]], ...] = ()
    last: Dispute | None = None


class View(msgspec.Struct, frozen=True):
    """What one seat may know: everything but the dice under the cups of others.

    Parameters
    ----------
    dice
        Number of dice of each seat.
    hidden, shown
        Own dice under the cup; dice laid out, of all seats.
    turn
        Who has to act; None while dice roll and when the game is over.
    said
        Bets of this round in order; `rolled_at[s]` of them had been made when seat s last rolled.
    """

    seat: int
    options: Options
    phase: str
    round: int
    turn: int | None
    dice: tuple[int, ...]
    hidden: tuple[int, ...]
    shown: tuple[tuple[int, ...], ...]
    said: tuple[tuple[int, Bid], ...]
    rolled_at: tuple[int, ...]
    start_roll: tuple[tuple[int, tuple[int, ...]], ...]
    last: Dispute | None
