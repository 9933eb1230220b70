"""Reads games again and again, and fails if that takes more and more memory.

    python tests/leaks.py games.pgn.zst [1000000]

Touches tags, moves and comments of every game, as a program would.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path

import tabiya

#: What the allocator may keep more after a round than after another.
SLACK = 32 << 20


def resident() -> int:
    """Bytes of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def touch(path: str, most: int) -> int:
    """Reads games, most of them or all, and throws them away."""
    games = 0
    for game in tabiya.open(path):
        game.white, game.date, dict(game.tags), game.uci, game.end
        if games % 16 == 0:
            [(node.comment, node.nags) for node in game]
        games += 1
        if games == most:
            break
    return games


def main(path: str, wanted: int) -> None:
    games = touch(path, wanted)
    gc.collect()
    first = last = resident()
    print(f"{games:>9} games: {first >> 20} MiB")
    began = time.monotonic()
    while games < wanted:
        games += touch(path, wanted - games)
        gc.collect()
        last = resident()
        print(f"{games:>9} games: {last >> 20} MiB, {time.monotonic() - began:.0f} s", flush=True)
    if last > first + SLACK:
        sys.exit(f"memory grew from {first >> 20} to {last >> 20} MiB")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000)
