"""What type checkers see: this file is checked by mypy --strict and pyright, and run."""

from __future__ import annotations

import tempfile
from pathlib import Path

import tabiya

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def names(database: tabiya.Database) -> list[str]:
    return [game.white or "?" for game in database]


def clocks(game: tabiya.Game) -> dict[int, float]:
    return {node.ply: node.clock for node in game if node.clock is not None}


def main() -> None:
    database = tabiya.open(SAMPLES / "famous.pgn", elo=(2500, None), since=1900, eco=["B", "C"])
    print(names(database), len(database), database.info().results)
    database = tabiya.open(SAMPLES / "annotated.pgn")
    first: tabiya.Game = database[1]
    some: list[tabiya.Game] = database[1:3]
    print(clocks(first), len(some), first[0].variations, first.tags.get("White", "?"))
    hits = database.search(mate=True, moves="1. e4", castled="white", sort="date", limit=3)
    for hit in hits:
        print(hit.number, hit.tags["White"])
    tree = database.tree(moves="1. e4", depth=2, result="1-0")
    print([branch.san for branch in tree.moves])
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "games.tabiya")

        def tell(progress: tabiya.Progress) -> None:
            print(progress.fraction)

        report: tabiya.Report = tabiya.convert(SAMPLES / "famous.pgn", target, progress=tell)
        store = tabiya.Store(target)
        plan = store.duplicates(prefer=["longest"]).plan
        print(report.losses, [step.action for step in plan.steps])
        for batch in store.position_arrays(batch_size=100):
            print(tabiya.planes(batch["bitboards"]).sum())
    try:
        tabiya.open("no such file")
    except tabiya.TabiyaError as error:
        print(error.file, error.game, error.offset)


if __name__ == "__main__":
    main()
