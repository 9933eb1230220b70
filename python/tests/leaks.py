"""Reads games again and again, and fails if that takes more and more memory.

    python tests/leaks.py games.pgn.zst [1000000] [--keep]

Whole rounds first, at least four, each of which touches tags, moves and comments of every game, as a
program would; then iterators, streams and arrays that are left early. Memory is what the process has
when all threads have ended and the allocator has given back what it can. With `--keep`, one game in twenty
is kept on purpose: it fails if that is not found.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy  # Begins threads that never end, and is needed for arrays.

import tabiya

assert numpy

#: Threads that are there when nobody reads.
IDLE = len(os.listdir("/proc/self/task"))

#: How much more one round may leave than another: what is left of an allocator's pages.
SLACK = 4 << 20

#: Games that are kept on purpose.
kept: list[tabiya.Game] = []


def settled() -> int:
    """Bytes of memory that this process has, when nothing is under way."""
    gc.collect()
    waits_until = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > IDLE:
        if time.monotonic() > waits_until:
            sys.exit("threads are left, though nobody reads any more")
        time.sleep(0.01)
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def read_all(path: str, keep: bool) -> int:
    """Reads all games, and throws them away; how many there are."""
    games = 0
    for game in tabiya.open(path):
        game.white, game.date, dict(game.tags), game.uci, game.end
        if games % 16 == 0:
            [(node.comment, node.nags) for node in game]
        if keep and games % 20 == 0:
            kept.append(game)
        games += 1
    return games


def leave(path: str) -> int:
    """Begins to read in all ways, and leaves it at that; how many games were seen."""
    for begin in (
        iter,
        tabiya.Database.table,
        tabiya.Database.positions,
        tabiya.Database.position_arrays,
    ):
        next(begin(tabiya.open(path)))
    return 1


def watch(title: str, rounds: int, work: Callable[[], int]) -> None:
    """Fails if later rounds leave more memory than earlier ones, or do not although games are kept. The
    first is not counted: what is made once is made there."""
    began, games, left = time.monotonic(), 0, []
    for number in range(1, rounds + 1):
        games += work()
        left.append(settled())
        if number <= 4 or number == rounds or number % 10 == 0:
            seconds = time.monotonic() - began
            print(f"{title}, round {number}: {games} games, {left[-1] >> 20} MiB, {seconds:.0f} s")
    grown = left[-1] - min(left[1:-1])
    if (grown > SLACK) != bool(kept):
        sys.exit(f"{title}: memory grew by {grown >> 20} MiB, {len(kept)} games are kept")
    kept.clear()


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("path")
    arguments.add_argument("games", type=int, nargs="?", default=1_000_000)
    arguments.add_argument("--keep", action="store_true")
    given = arguments.parse_args()
    if os.environ.get("MALLOC_ARENA_MAX") != "1":
        # What threads leave in places of their own comes and goes, and hides what is lost.
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "MALLOC_ARENA_MAX": "1"})
    count = len(tabiya.open(given.path))
    rounds = max(4, -(-given.games // count))
    watch("whole", rounds, lambda: read_all(given.path, given.keep))
    watch("left early", 100, lambda: leave(given.path))


if __name__ == "__main__":
    main()
