"""A person at the terminal, for any game: sees what the seat may see, types what to do.

Reads and writes through two functions given from outside, so that it can be
tested and put behind another screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from thrillsim.errors import shown
from thrillsim.games.protocol import Game, Legal, who

HELP = """\
Type what you want to do (or its number), then Enter; Enter again confirms it.
  ?      this help, and what you may do now
  look   show the table again
  undo   at the confirmation: take the entry back
  quit   leave the game"""


class Quit(Exception):  # noqa: N818 - a wish, not an error
    """The person leaves the game."""


class Human:
    """Asks a person.

    Parameters
    ----------
    game
        Whose views are shown.
    ask
        Shows a prompt and returns the line typed; raises EOFError at the end of input.
    say
        Prints a text.
    picture
        Called with every view before a question (to write an image file), returns a line to print or "".
    shared
        Several people share the screen: a seat change asks to hand over first.
    """

    def __init__(
        self,
        game: Game[Any],
        ask: Callable[[str], str] = input,
        say: Callable[[str], None] = print,
        picture: Callable[[Any], str] = lambda view: "",  # noqa: ARG005 - no picture
        shared: bool = False,
    ) -> None:
        self.game, self.ask, self.say, self.picture, self.shared = game, ask, say, picture, shared

    def act(self, view: Any, legal: Legal, rng: np.random.Generator) -> Any:  # noqa: ARG002 - people need no dice
        """Ask until a legal action is typed and confirmed.

        Raises
        ------
        Quit
            If the person leaves.
        """
        me = who(view.seat)
        if self.shared:
            self._read(f"\n--- {me}, it is your turn; the others look away. Press Enter ")
        self._look(view)
        self.say(self._options(legal))
        while True:
            text = self._read(f"{me}> ").strip()
            if text in ("?", "help", "h"):
                self.say(f"{HELP}\n{self._options(legal)}")
            elif text == "look":
                self._look(view)
            elif text == "undo":
                self.say("Nothing to take back yet: an entry counts only once you confirm it.")
            elif text:
                try:
                    action = self._parse(text, legal)
                except ValueError as wrong:
                    self.say(f"{wrong} (? for help)")
                    continue
                if self._confirmed(action):
                    return action
                self.say("Taken back.")

    def _look(self, view: Any) -> None:
        self.say(self.game.show(view))
        where = self.picture(view)
        if where:
            self.say(where)

    def _confirmed(self, action: Any) -> bool:
        while True:
            text = self._read(
                f"  {self.game.label(action)}: Enter to confirm, undo to take it back > "
            ).strip()
            if text in ("", "y", "yes"):
                return True
            if text in ("undo", "u", "n", "no"):
                return False
            self.say("  Enter confirms, undo takes the entry back, quit leaves the game.")

    def _read(self, prompt: str) -> str:
        try:
            text = self.ask(prompt)
        except EOFError:
            raise Quit from None
        if text.strip() in ("quit", "exit"):
            raise Quit
        return text

    def _options(self, legal: Legal) -> str:
        if not isinstance(legal, tuple):
            return f"You may: {legal}"
        if _plain_numbers(list(map(self.game.label, legal))):
            labels = list(map(self.game.label, legal))
            return f"You may: {labels[0]}" + (f" to {labels[-1]}" if len(labels) > 1 else "")
        if len(legal) > 40:  # hundreds of bids: the game says it shorter
            return f"You may: {self.game.tell_legal(legal)}"
        return "You may: " + ", ".join(f"[{i}] {self.game.label(a)}" for i, a in enumerate(legal, 1))

    def _parse(self, text: str, legal: Legal) -> Any:
        """A label, an unambiguous beginning of one, or the number in the list."""
        if not isinstance(legal, tuple):
            return legal.parse(text)
        labels = {self.game.label(action): action for action in legal}
        if text in labels:
            return labels[text]
        numbers = not any(label.isdigit() for label in labels)  # where labels are numbers, they win
        if numbers and text.isdigit() and 1 <= int(text) <= len(legal):
            return legal[int(text) - 1]
        fitting = [label for label in labels if label.startswith(text)]
        if len(fitting) == 1 and numbers:
            return labels[fitting[0]]
        raise ValueError(f"{shown(text)} is not possible now")


def _plain_numbers(labels: list[str]) -> bool:
    return all(label.isdigit() for label in labels) and [int(x) for x in labels] == list(
        range(int(labels[0]), int(labels[0]) + len(labels))
    )
