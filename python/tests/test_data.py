"""Real files, where they are at hand."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path

import pytest

import tabiya

from conftest import data

pytestmark = pytest.mark.data


def test_python_chess_reads_the_same_games(tmp_path: Path) -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    for name in ("pgn/twic-small.pgn.zst", "pgn/lichess.pgn.zst"):
        path = tmp_path / "some.pgn"
        tabiya.convert(data(name), path, games="1..150")
        with open(path, encoding="utf-8") as file:
            for game in tabiya.open(path):
                other = chess_pgn.read_game(file)
                assert other is not None
                assert dict(game.tags) == dict(other.headers)
                assert [node.uci for node in game] == [move.uci() for move in other.mainline_moves()]
                # python-chess joins the lines of a comment, as the file breaks them.
                comments = [" ".join(c.text for c in node.comments).split() for node in game]
                assert comments == [node.comment.split() for node in other.mainline()]
                assert [node.clock for node in game] == [node.clock() for node in other.mainline()]
            assert chess_pgn.read_game(file) is None


def test_pickles_of_real_games_lose_nothing() -> None:
    for name in ("pgn/lichess.pgn.zst", "pgn/chess960.pgn.zst", "pgn/tcec.pgn.zst"):
        for game in itertools.islice(tabiya.open(data(name)), 300):
            assert pickle.loads(pickle.dumps(game)) == game


def test_real_databases_are_opened() -> None:
    found = 0
    for folder, ending in (("chessbase", "*.cbh"), ("scid", "*.si4"), ("chessbase2", "*.2cbh")):
        for path in sorted(data(folder).rglob(ending)):
            try:
                database = tabiya.open(path)
                games = list(itertools.islice(database, 200))
            except tabiya.TabiyaError as error:
                # Some are cut off on purpose; they are told so, with their names.
                assert error.file is not None
                continue
            found += len(games)
            assert all(len(game.san) == len(game.uci) for game in games)
    assert found > 100
