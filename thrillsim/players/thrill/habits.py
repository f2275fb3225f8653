"""What all our Thrill players have in common: the decisions around bid and placement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from thrillsim.games.protocol import Legal
from thrillsim.games.thrill import Announce, Bid, Cash, Place, Show, TurnBoard, View, Wager
from thrillsim.players.thrill.lanes import lanes, placed

SURE = 0.6
"""A wager card is played on an outcome at least this likely."""


class Habits(ABC):
    """A player in parts; a subclass fills in what it is good at."""

    def act(self, view: View, legal: Legal, rng: np.random.Generator) -> Any:
        """Choose an action."""
        if isinstance(legal, tuple) and Cash() in legal:
            return Cash()  # a chip in hand can be bid; small ones cannot
        match view.phase:
            case "choose":
                return Show(self.choose(view, [action.disk for action in self._all(legal)], rng))
            case "bid":
                return Bid(min(max(self.bid(view, rng), 0), view.chips))
            case "announce":
                return Announce(self.use_weight(view, rng))
            case "wager":
                wager = self.wager(view, rng)
                return wager if wager in legal else Wager()
            case "turn":
                return TurnBoard()  # nothing is gained by turning
            case "place":
                return self.place(view, rng)
        return self._all(legal)[0]

    @staticmethod
    def _all(legal: Legal) -> tuple[Any, ...]:
        assert isinstance(legal, tuple)
        return legal

    def choose(self, view: View, disks: list[int], rng: np.random.Generator) -> int:  # noqa: ARG002
        """Which disk to show; big ones come first in the numbers."""
        return disks[0]

    @abstractmethod
    def bid(self, view: View, rng: np.random.Generator) -> int:
        """How many chips to bid."""

    def use_weight(self, view: View, rng: np.random.Generator) -> bool:  # noqa: ARG002
        """Whether to announce the weight."""
        return False

    def chance_of_a_fall(self, view: View) -> float:  # noqa: ARG002
        """How likely something falls in this push."""
        return 0.5

    def wager(self, view: View, rng: np.random.Generator) -> Wager:  # noqa: ARG002
        """Which wager card to play."""
        p = self.chance_of_a_fall(view)
        return Wager(fall=1) if p >= SURE else Wager(stay=1) if p <= 1 - SURE else Wager()

    def place(self, view: View, rng: np.random.Generator) -> Place:  # noqa: ARG002
        """Where to put the disk: the emptiest lane; an announced weight goes on the rearmost disk."""
        assert view.shown is not None
        weight = min(view.layout, key=lambda row: row[1])[0] if view.layout else view.on_board[0]
        return placed(view, view.shown, lanes(view, view.shown, 1)[0], weight if view.weight else None)
