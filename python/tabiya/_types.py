"""Names for types that keywords and arguments have."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict, Union

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._tabiya import Database, Move, Position, Progress

#: A path.
Path = Union[str, "os.PathLike[str]"]
#: Who plays.
Color = Union[Literal["white"], Literal["black"]]
#: Who has left a repertoire.
LeftBy = Union[Literal["me"], Literal["opponent"], Literal["line"], Literal["game"]]
#: One text, or several.
Texts = Union[str, Sequence[str]]
#: A range: (2500, None), "2500..", or a number that is meant exactly.
Span = Union[str, int, "tuple[int | None, int | None]"]
#: A day, a month or a year: "2024-05", 2024, or a date.
Date = Union[str, int, datetime.date]
#: A move, or a text that names one, in SAN or as engines write it.
AnyMove = Union["Move", str]
#: A position, or its FEN.
AnyPosition = Union["Position", str]
#: Who is told how far the work has come. False ends it.
OnProgress = Callable[["Progress"], object]


class Filters(TypedDict, total=False):
    """Which games are wanted: all that pass every filter. None asks nothing."""

    player: str | None
    versus: str | None
    white: str | None
    black: str | None
    event: str | None
    site: str | None
    since: Date | None
    until: Date | None
    elo: Span | None
    elo_diff: Span | None
    elo_mean: Span | None
    title: Texts | None
    fide_id: int | None
    time_control: str | None
    eco: Texts | None
    result: Literal["1-0", "0-1", "1/2-1/2", "*"] | None
    chess960: int | None
    plies: Span | None
    comment: str | None


Conditions = TypedDict(
    "Conditions",
    {
        "fen": "AnyPosition | Sequence[AnyPosition] | None",
        "moves": "Texts | None",
        "loose": "bool | None",
        "pattern": "Texts | None",
        "mirror": "bool | None",
        "flip": "bool | None",
        "material": "Texts | None",
        "plies_held": "int | None",
        "pawns": "Texts | None",
        "manoeuvre": "Texts | None",
        "sequence": "Texts | None",
        "streak": "Texts | None",
        "castled": "bool | str | None",
        "check": "bool | None",
        "mate": "bool | None",
        "stalemate": "bool | None",
        "underpromotion": "bool | None",
        "sacrifice": "int | None",
        "similar": "AnyPosition | None",
        "where": "Texts | None",
        "query": "str | None",
        "in_variations": "bool | None",
        "repertoire": "Path | Database | None",
        "colour": "Color | None",
        "left_by": "LeftBy | Sequence[LeftBy] | None",
    },
    total=False,
)


class Search(Filters, Conditions, total=False):
    """Filters, and conditions of moves and positions."""


class PositionBatch(TypedDict):
    """What PositionArrays gives: arrays of one length."""

    game: npt.NDArray[np.int64]
    ply: npt.NDArray[np.int32]
    bitboards: npt.NDArray[np.uint64]
    turn: npt.NDArray[np.uint8]
    castling: npt.NDArray[np.uint8]
    en_passant: npt.NDArray[np.float32]
    move: npt.NDArray[np.uint16]
    result: npt.NDArray[np.float32]
    white_elo: npt.NDArray[np.float32]
    black_elo: npt.NDArray[np.float32]
    clock: npt.NDArray[np.float32]
    evaluation: npt.NDArray[np.float32]
    mate: npt.NDArray[np.float32]
