"""The errors a user can cause.  Lowest room: every other may import it, it imports nothing.

A command turns an `InputError` into one line on stderr and exit code 2; a
library user catches it as the `ValueError` it is.
"""

from __future__ import annotations


def system_reason(error: OSError) -> str:
    """What the system said, as a piece of our line: ``no such file or directory``."""
    return (error.strerror or "unknown error").lower()


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
        super().__init__(": ".join(part for part in (source, key, reason) if part))

    def located(self, source: str, prefix: str | None = None) -> InputError:
        """The same error with its file, and its key put below `prefix`."""
        key = ".".join(part for part in (prefix, self.key) if part) or None
        return InputError(self.reason, source=self.source or source, key=key)
