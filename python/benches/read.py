"""What reading, positions and searches cost beside python-chess and rust-pgn-reader-python-binding.

    pip install tabiya chess numpy rust-pgn-reader-python-binding
    python benches/read.py games.pgn [--slow 300]

All read the same games of one run; python-chess reads the first `--slow` games only, and rates are
games or positions a second. The file has to be plain PGN, which all of them read; the binding gets it
cut into games, which is not counted.
"""

from __future__ import annotations

import argparse
import io
import itertools
import os
import time
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import rust_pgn_reader_python_binding as binding

import tabiya


def timed(work: Callable[[], int]) -> float:
    """How many things a second some work does: the best of three runs, if one is quick."""
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        things = work()
        seconds = time.perf_counter() - began
        best = max(best, things / seconds)
        if seconds > 20:
            break
    return best


def their_games(text: str, most: int) -> list[chess.pgn.Game]:
    file = io.StringIO(text)
    return [game for game in itertools.islice(iter(lambda: chess.pgn.read_game(file), None), most)]


def their_positions(text: str, most: int) -> int:
    """Boards of twelve bitboards each, as programs make them with python-chess."""
    rows = []
    for game in their_games(text, most):
        board = game.board()
        for move in game.mainline_moves():
            rows.append(
                [int(board.pieces(piece, color)) for color in chess.COLORS for piece in chess.PIECE_TYPES]
            )
            board.push(move)
    return len(np.array(rows, dtype=np.uint64))


def their_mates(text: str, most: int) -> int:
    return sum(game.end().board().is_checkmate() for game in their_games(text, most))


def texts_of(text: str) -> list[str]:
    """A text for each game: the binding does not look for games in a file."""
    return [f'[Event "{game}' for game in text.split('[Event "')[1:]]


def report(title: str, unit: str, rates: dict[str, float]) -> None:
    print(f"\n{title}")
    own = rates["tabiya"]
    for name, rate in rates.items():
        ratio = "" if name == "tabiya" else f"   tabiya: {own / rate:.1f} times as many"
        print(f"  {name:<34} {rate:>12,.0f} {unit}/s{ratio}")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("path", type=Path)
    arguments.add_argument("--slow", type=int, default=300)
    given = arguments.parse_args()
    path, most = given.path, given.slow
    text = path.read_text(encoding="utf-8", errors="replace")
    texts = texts_of(text)
    database = tabiya.open(path)
    count = len(database)
    print(f"tabiya {tabiya.__version__}, python-chess {chess.__version__}, {os.cpu_count()} cores")
    print(f"{count} games, {len(text) / 1e6:.0f} MB; python-chess reads {min(most, count)} of them")

    def ours() -> int:
        return sum(1 for game in database if game.uci is not None)

    report(
        "Read all games with their moves",
        "games",
        {
            "tabiya": timed(ours),
            "tabiya, one thread": timed(
                lambda: sum(1 for game in tabiya.open(path, jobs=1) if game.uci is not None)
            ),
            "binding": timed(
                lambda: sum(
                    1
                    for game in binding.parse_games_from_strings(texts)
                    if game.moves_uci() is not None
                )
            ),
            "python-chess": timed(lambda: len(their_games(text, most))),
        },
    )
    report(
        "Positions as bitboards in NumPy",
        "positions",
        {
            "tabiya": timed(lambda: sum(len(batch["ply"]) for batch in database.position_arrays())),
            "binding, boards of 64 bytes": timed(
                lambda: binding.parse_games_from_strings(texts).num_positions
            ),
            "python-chess": timed(lambda: their_positions(text, most)),
        },
    )

    def search() -> int:
        database.search(mate=True)
        return count

    def their_search() -> int:
        their_mates(text, most)
        return min(most, count)

    report(
        "Search games that end in mate, in a PGN file",
        "games",
        {"tabiya": timed(search), "python-chess": timed(their_search)},
    )


if __name__ == "__main__":
    main()
