"""The errors a user can cause.  Lowest room: every other may import it, it imports nothing.

A command turns an `InputError` into one line on stderr and exit code 2; a
library user catches it as the `ValueError` it is.
"""

from __future__ import annotations

import json
from typing import Any


def system_reason(error: OSError) -> str:
    """What the system said, as a piece of our line: ``no such file or directory``."""
    return (error.strerror or "unknown error").lower()


def limits_of(
    *, gt: float | None = None, ge: float | None = None, lt: float | None = None, le: float | None = None
) -> str:
    """The limits of a number as every error says them; "" if there are none.

    Examples
    --------
    >>> limits_of(ge=0, le=2**53), limits_of(gt=0, le=2.5), limits_of(ge=1)
    ('0 to 9007199254740992', '> 0 and <= 2.5', '>= 1')
    """

    def text(value: float) -> str:
        return f"{value:g}" if value % 1 else str(int(value))  # %g would round a large whole number

    if ge is not None and le is not None:
        return f"{text(ge)} to {text(le)}"
    signs = {">": gt, ">=": ge, "<": lt, "<=": le}
    return " and ".join(f"{sign} {text(value)}" for sign, value in signs.items() if value is not None)


def counted(n: int, one: str, many: str | None = None, spec: str = "") -> str:
    """A number of things as every message says it; `spec` formats the number.

    Examples
    --------
    >>> counted(1, "disk"), counted(0, "push", "pushes"), counted(4000, "trial", spec=",")
    ('1 disk', '0 pushes', '4,000 trials')
    """
    return f"{n:{spec}} {one if n == 1 else many or one + 's'}"


def printable(text: str) -> str:
    r"""A text as every error prints it: on one line, and with nothing in it that a terminal would obey.

    Examples
    --------
    >>> print(printable("a\tb, \x1b[1mé"))
    a\tb, \x1b[1mé
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown(value: Any) -> str:
    """A value as every error says it: a short piece of one line, a text in double quotes.

    Examples
    --------
    >>> print(shown("best"), shown(["a", 1.5]), shown(None))
    "best" ["a", 1.5] null
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        try:
            text = str(value)
        except ValueError:  # a number of thousands of digits
            text = f"{type(value).__name__} too long to show"
    text = printable(text)
    return text if len(text) <= 60 else text[:57] + "..."


class InputError(ValueError):
    """Something the user gave cannot be used.

    Parameters
    ----------
    reason
        What is wrong and what is allowed, one line, no full stop.
    source
        File (or argument) the value came from, if known.
    key
        Dotted path of the bad value inside the source, e.g. ``board.pusher.width``.

    Examples
    --------
    >>> str(InputError("must be > 0, got -3", source="a.toml", key="trials"))
    'a.toml: trials: must be > 0, got -3'
    """

    def __init__(self, reason: str, *, source: str | None = None, key: str | None = None) -> None:
        self.reason = reason
        self.source = source
        self.key = key
        super().__init__(printable(": ".join(part for part in (source, key, reason) if part)))

    def located(self, source: str, prefix: str | None = None) -> InputError:
        """The same error with its file, and its key put below `prefix`."""
        key = ".".join(part for part in (prefix, self.key) if part) or None
        return InputError(self.reason, source=self.source or source, key=key)
