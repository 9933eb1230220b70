"""What goes wrong, by who is to blame."""

from __future__ import annotations


class TabiyaError(Exception):
    """Something went wrong. Its class says who is to blame, its attributes where it is."""

    #: What exactly it is, in a word or two.
    kind: str | None = None
    #: The file.
    file: str | None = None
    #: The number of the game, from 1.
    game: int | None = None
    #: The byte in the file, from 0.
    offset: int | None = None
    #: The line, from 1.
    line: int | None = None
    #: The column, from 1.
    column: int | None = None


class DataError(TabiyaError, ValueError):
    """The file is damaged."""


class FormatError(TabiyaError, ValueError):
    """The file is no database, or one of a format that nobody here knows."""


class UnsupportedError(TabiyaError):
    """The format cannot do that."""


class UsageError(TabiyaError, ValueError):
    """The caller asks for something that makes no sense."""


class PasswordError(UsageError):
    """The archive needs a password, or another one."""


class IllegalMoveError(UsageError):
    """The move is not legal, or nobody understands it."""


class NoSuchGameError(TabiyaError, LookupError):
    """There is no game of that number, or it does not pass the filters."""


class CannotHoldError(TabiyaError):
    """The format that is written cannot hold what it is given."""


class ChangedError(TabiyaError):
    """Somebody else has changed the database meanwhile."""


class LimitError(TabiyaError):
    """A limit was reached that protects the machine."""


class IoError(TabiyaError, OSError):
    """The system says no."""

    def __reduce__(self) -> tuple[object, ...]:
        # What `OSError` keeps leaves these out, unless they are arguments.
        kept = {**self.__dict__, "errno": self.errno, "filename": self.filename}
        return type(self), self.args, kept

    def __str__(self) -> str:
        # `OSError` would put words of its own about number and file in place of these.
        return Exception.__str__(self)


class NotFoundError(IoError, FileNotFoundError):
    """The file is not there."""


class Cancelled(TabiyaError):
    """The caller has ended the work."""


class InternalError(TabiyaError):
    """tabiya itself is to blame: please report it."""
