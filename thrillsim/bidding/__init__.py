"""What bidding games share, with no game's name in it.

Seats, stakes, bid orders, sealed bids, open bidding and dice cups.  Every value
is frozen, every function pure; nothing else of the package is imported here.
Left is clockwise is seat + 1.
"""

from __future__ import annotations

from thrillsim.bidding.dice import Cup, matching
from thrillsim.bidding.open import OpenBidding
from thrillsim.bidding.orders import (
    Bid,
    BidOrder,
    ComponentwiseOrder,
    CountOrder,
    LexicographicOrder,
    Square,
    TrackOrder,
)
from thrillsim.bidding.sealed import Sealed, highest, lowest
from thrillsim.bidding.seats import Seats, places, replaced
from thrillsim.bidding.stakes import Owner, Stakes

__all__ = [
    "Bid",
    "BidOrder",
    "ComponentwiseOrder",
    "CountOrder",
    "Cup",
    "LexicographicOrder",
    "OpenBidding",
    "Owner",
    "Sealed",
    "Seats",
    "Square",
    "Stakes",
    "TrackOrder",
    "highest",
    "lowest",
    "matching",
    "places",
    "replaced",
]
