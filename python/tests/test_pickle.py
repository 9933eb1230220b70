"""Results are handed from one process to another."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tabiya


def told(thing: Any) -> Any:
    """All that a result tells, as plain values."""
    if isinstance(thing, (list, tuple, tabiya.Hits)):
        return [told(part) for part in thing]
    if not type(thing).__module__.startswith("tabiya") or isinstance(thing, tabiya.Position):
        return thing
    names = [name for name in dir(thing) if not name.startswith("_")]
    values = {name: getattr(thing, name) for name in names}
    return {name: told(value) for name, value in values.items() if not callable(value)}


def results(samples: Path, tmp_path: Path) -> list[Any]:
    """Of each class one that has something to tell."""
    annotated = tabiya.open(samples / "annotated.pgn")
    broken = tmp_path / "broken.pgn"
    broken.write_text('[Result "1-0"]\n\n1. e4 e5 2. Ke3 0-1\n')
    progress: list[tabiya.Progress] = []
    report = tabiya.convert(
        [annotated.path, broken], tmp_path / "all.uci", games="1..9", progress=progress.append
    )
    check = tabiya.open(broken).check()
    tree = tabiya.open(samples / "famous.pgn").tree(depth=3)
    assert report.losses and report.broken_games and check.findings
    assert tree.moves[0].next is not None
    return [
        report,
        report.losses[0],
        progress[-1],
        check,
        check.findings[0],
        tabiya.open(broken)[1].errors[0],
        annotated.info(),
        annotated.search(result="1-0"),
        tree,
        tree.moves[0],
        tree.moves[0].played,
        tabiya.formats()[0],
    ]


def test_results_are_pickled(samples: Path, tmp_path: Path) -> None:
    for result in results(samples, tmp_path):
        copy = pickle.loads(pickle.dumps(result))
        assert type(copy) is type(result) and repr(copy) == repr(result)
        assert told(copy) == told(result)


def test_what_is_asked_for_by_arguments_is_pickled_too(samples: Path) -> None:
    database = tabiya.open(samples / "famous.pgn")
    info = pickle.loads(pickle.dumps(database.info()))
    assert info.top_players(3) == database.info().top_players(3)
    hits = pickle.loads(pickle.dumps(database.search(mate=True, limit=2)))
    assert hits.total > len(hits) == 2
    tree = database.tree()
    assert pickle.loads(pickle.dumps(tree.total)).elo("white") == tree.total.elo("white")


def test_a_deep_tree_is_pickled(samples: Path) -> None:
    tree = tabiya.open(samples / "annotated.pgn").tree(depth=256)
    copy, depth = pickle.loads(pickle.dumps(tree)), 0
    one, other = tree, copy
    while one.moves and one.moves[0].next is not None:
        assert repr(one) == repr(other) and one.position == other.position
        one, other, depth = one.moves[0].next, other.moves[0].next, depth + 1
    assert depth > 40 and len(other) == len(one)


def test_a_pickle_of_something_else_is_refused() -> None:
    with pytest.raises(tabiya.UsageError):
        tabiya.Tree._restore([])  # type: ignore[attr-defined]
    with pytest.raises(tabiya.UsageError):
        tree = tabiya.Tree._restore(  # type: ignore[attr-defined]
            [(tabiya.Position().fen, "standard", ([0] * 4, [0] * 2, [0] * 2, None), [])]
        )
        tabiya.Branch._restore(tree, 0)  # type: ignore[attr-defined]


def test_other_processes_work_and_report(samples: Path, tmp_path: Path) -> None:
    sources = [samples / "famous.pgn", samples / "annotated.pgn"]
    targets = [tmp_path / "famous.si5", tmp_path / "annotated.si5"]
    # Those that are begun anew have nothing of the threads of this one.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        reports = list(pool.map(tabiya.convert, sources, targets))
    assert [report.written for report in reports] == [34, 9]
