"""What the package does where nothing else is installed: run by `python/ci` in such an environment."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import tabiya

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def refuses(work: object) -> bool:
    """Whether work ends with an ImportError that names NumPy or python-chess."""
    try:
        work()  # type: ignore[operator]
    except ImportError as error:
        return error.name in {"numpy", "chess"}
    return False


def main() -> None:
    assert not any(importlib.util.find_spec(name) for name in ("numpy", "pyarrow", "chess"))
    famous = tabiya.open(SAMPLES / "famous.pgn")
    games = list(famous)
    assert len(games) == len(famous) == 34
    assert famous.search(mate=True).total > 0 and famous.tree().total.games == 34
    assert tabiya.Game.from_pgn(games[0].to_pgn()).san == games[0].san
    assert "<svg" in games[0]._repr_html_()
    assert sum(len(part) for part in famous.table()) == 34
    assert refuses(famous.position_arrays)
    assert refuses(lambda: tabiya.planes(None))  # type: ignore[arg-type]
    assert refuses(games[0].to_chess)


if __name__ == "__main__":
    main()
