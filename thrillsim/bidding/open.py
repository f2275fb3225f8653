"""Open ascending bidding in turn, ended by passing or by a challenge.  Imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from thrillsim.bidding.orders import Bid, BidOrder
from thrillsim.bidding.seats import Seats

Ending = Literal["passing", "challenge"]


@dataclass(frozen=True, slots=True)
class OpenBidding:
    """One round of open bidding.

    Somebody opens (nobody may pass or challenge before), then every seat in
    turn raises, or passes for good (``ends_by="passing"``), or challenges the
    standing bid (``ends_by="challenge"``).  Passing ends when one bidder is
    left, or at once when no higher bid exists; a challenge ends it by itself,
    and is the only way out when no higher bid exists.

    Parameters
    ----------
    order
        Which bids exist and which outbid which.
    seats
        Who takes part; whoever passes leaves this (not the game's) table.
    turn
        Whose turn it is.
    ends_by
        "passing" or "challenge".
    direction
        1 to the left, -1 to the right.
    standing, bidder
        The bid that holds and whose it is; None before the opening.
    challenger
        Who challenged it.
    said
        Every bid of this round in order, as (seat, bid): all that was heard at the table.
    """

    order: BidOrder
    seats: Seats
    turn: int
    ends_by: Ending
    direction: int = 1
    standing: Bid | None = None
    bidder: int | None = None
    challenger: int | None = None
    said: tuple[tuple[int, Bid], ...] = ()

    @property
    def over(self) -> bool:
        """Whether this bidding has ended."""
        if self.ends_by == "challenge":
            return self.challenger is not None
        return self.standing is not None and (len(self.seats) == 1 or not self.raises())

    def raises(self) -> tuple[Bid, ...]:
        """The bids that the seat in turn may say."""
        return self.order.raises(self.standing)

    @property
    def may_pass(self) -> bool:
        """Whether the seat in turn may pass."""
        return self.ends_by == "passing" and self.standing is not None and not self.over

    @property
    def may_challenge(self) -> bool:
        """Whether the seat in turn may challenge."""
        return self.ends_by == "challenge" and self.standing is not None and not self.over

    def bid(self, seat: int, bid: Bid, direction: int | None = None) -> OpenBidding:
        """After `seat` has bid; the opener may choose the direction of the round.

        Raises
        ------
        ValueError
            Out of turn, not higher than the standing bid, or a direction from a later bidder.
        """
        self._check_turn(seat)
        if bid not in self.raises():
            raise ValueError(f"{bid} does not outbid {self.standing}")
        if direction is not None and self.standing is not None:
            raise ValueError("only the opener chooses the direction")
        way = self.direction if direction is None else direction
        said, turn = (*self.said, (seat, bid)), self.seats.next(seat, way)
        return OpenBidding(self.order, self.seats, turn, self.ends_by, way, bid, seat, None, said)

    def pass_(self, seat: int) -> OpenBidding:
        """After `seat` has passed for good.

        Raises
        ------
        ValueError
            Out of turn, or where passing is not allowed.
        """
        self._check_turn(seat)
        if not self.may_pass:
            raise ValueError("passing is not allowed here")
        left = self.seats.without(seat)
        return replace(self, seats=left, turn=left.next(seat, self.direction))

    def challenge(self, seat: int) -> OpenBidding:
        """After `seat` has challenged the standing bid.

        Raises
        ------
        ValueError
            Out of turn, or where there is nothing to challenge.
        """
        self._check_turn(seat)
        if not self.may_challenge:
            raise ValueError("there is no bid to challenge here")
        return replace(self, challenger=seat)

    def _check_turn(self, seat: int) -> None:
        if self.over:
            raise ValueError("the bidding has ended")
        if seat != self.turn:
            raise ValueError(f"it is seat {self.turn}'s turn, not seat {seat}'s")
