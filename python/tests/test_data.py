"""Real files, where they are at hand."""

from __future__ import annotations

import itertools
import pickle
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tabiya

from conftest import data

pytestmark = pytest.mark.data


PGN = [
    ("pgn/twic-small.pgn.zst", 200),
    ("pgn/lichess.pgn.zst", 100),
    ("pgn/chess960.pgn.zst", 100),
    ("pgn/tcec.pgn.zst", 20),
    ("chessbase2/pgn/gelfer.pgn", 20),
    ("pgn/annotated/great_masters.pgn", 20),
    ("pgn/annotated/scca.pgn", 20),
    ("scid/pgn/annotated5.pgn", 20),
    ("torture/kokopu/games/annotations-1/database.pgn", 20),
]


def some_of(name: str, count: int, tmp_path: Path) -> Path:
    """The first games of a file, as PGN."""
    path = tmp_path / "some.pgn"
    tabiya.convert(data(name), path, games=f"1..{count}")
    return path


def clock_of(node: Any) -> float | None:
    """The clock as python-chess reads it, or as TCEC writes it: in milliseconds, as `tl=`."""
    tcec = re.search(r"\btl=(\d+)", node.comment)
    return int(tcec[1]) / 1000 if tcec else node.clock()


def said_after(node: tabiya.Node) -> str:
    """What python-chess has as the comment on a move: what stands behind it, and before the next."""
    texts = [comment.text for comment in node.comments if not comment.before]
    texts += [annotation.command or "" for annotation in node._apart()]
    if node.next is not None:
        texts += [comment.text for comment in node.next.comments if comment.before]
    return " ".join(texts)


def compare_commands(node: tabiya.Node, twin: Any) -> Counter[str]:
    """Compares evaluations, arrows and marked squares; how many there are."""
    compared: Counter[str] = Counter()
    score = twin.eval()
    if score is not None:
        ours, theirs = node.evaluation, score.white()
        assert ours is not None and (ours.centipawns, ours.mate) == (theirs.score(), theirs.mate())
        compared["evaluations"] += 1
    drawn = [arrow.pgn() for arrow in twin.arrows()]
    assert sorted(node.arrows + node.squares) == sorted(drawn)
    compared["drawn"] += len(drawn)
    return compared


def test_python_chess_understands_the_same_commands(tmp_path: Path) -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    compared: Counter[str] = Counter()
    for name, count in (
        ("pgn/lichess.pgn.zst", 100),
        ("torture/kokopu/games/annotations-1/database.pgn", 20),
        ("torture/kokopu/games/annotations-2/database.pgn", 20),
        ("torture/corentings/lichess_multiple_command.pgn", 20),
    ):
        path = some_of(name, count, tmp_path)
        with open(path, encoding="utf-8") as file:
            for game in tabiya.open(path):
                other = chess_pgn.read_game(file)
                ours, theirs = [game.root], [other]
                while ours:
                    node, twin = ours.pop(), theirs.pop()
                    compared += compare_commands(node, twin)
                    ours += node.children
                    theirs += twin.variations
    assert compared["evaluations"] > 300 and compared["drawn"] > 4


@pytest.mark.parametrize(("name", "count"), PGN)
def test_python_chess_reads_the_same_games(name: str, count: int, tmp_path: Path) -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    path = some_of(name, count, tmp_path)
    with open(path, encoding="utf-8") as file:
        for game in tabiya.open(path):
            other = chess_pgn.read_game(file)
            assert other is not None and not other.errors
            assert dict(game.tags) == dict(other.headers)
            for node, twin in zip(game, other.mainline()):
                assert node.clock == clock_of(twin)
            ours, theirs = [game.root], [other]
            while ours:
                node, twin = ours.pop(), theirs.pop()
                assert len(node.children) == len(twin.variations)
                is_first = twin.move is not None and twin.starts_variation()
                first = [comment.text for comment in node.comments if comment.before]
                before = " ".join(first) if is_first else ""
                if twin.move is not None:
                    assert (node.uci or "").replace("--", "0000") == twin.move.uci()
                    assert set(node.nags) == twin.nags
                # python-chess joins comments, as the file breaks them. It does not know those to the
                # end of a line, which hold braces.
                said = said_after(node)
                if not any("{" in text or "}" in text for text in (said, before)):
                    assert said.split() == twin.comment.split()
                    assert before.split() == twin.starting_comment.split()
                ours += node.children
                theirs += twin.variations
        assert chess_pgn.read_game(file) is None


def test_searches_and_trees_count_what_a_slow_scan_counts(tmp_path: Path) -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    path = some_of("pgn/twic-small.pgn.zst", 150, tmp_path)
    mates, moves, reached = [], Counter[str](), []
    wanted = tabiya.Position().play("e4", "c5", "Nf3")
    with open(path, encoding="utf-8") as file:
        games = iter(lambda: chess_pgn.read_game(file), None)
        for number, game in enumerate(games, 1):
            board = game.board()
            fens = {}
            for move in game.mainline_moves():
                fens.setdefault(" ".join(board.fen(en_passant="legal").split()[:4]), board.san(move))
                board.push(move)
            if board.is_checkmate():
                mates.append(number)
            here = " ".join(wanted.fen.split()[:4])
            if here in fens:
                moves[fens[here]] += 1
                reached.append(number)
    store = tabiya.Store(tmp_path / "some.tabiya", create=True)
    store.import_(path)
    assert moves and sum(moves.values()) == len(reached)
    for database in (tabiya.open(path), store):
        assert database.search(mate=True).numbers == mates
        assert database.search(fen=wanted).numbers == reached
        tree = database.tree(wanted)
        played = {branch.san: branch.played.games for branch in tree.moves}
        assert {san: games for san, games in played.items() if games} == moves


def test_pickles_of_real_games_lose_nothing() -> None:
    for name in ("pgn/lichess.pgn.zst", "pgn/chess960.pgn.zst", "pgn/tcec.pgn.zst"):
        for game in itertools.islice(tabiya.open(data(name)), 300):
            assert pickle.loads(pickle.dumps(game)) == game


def test_real_databases_are_opened() -> None:
    found = 0
    for folder, ending in (("chessbase", "*.cbh"), ("scid", "*.si4"), ("chessbase2", "*.2cbv")):
        for path in sorted(data(folder).rglob(ending)):
            database = tabiya.open(path)
            games = list(itertools.islice(database, 200))
            broken = sum(game.is_broken for game in games)
            # Some lack the file of moves, and are told so; all others are read.
            if "the .cbg file is missing" in database.damage:
                assert broken == len(games), path
            else:
                assert broken <= len(games) // 4, path
            found += len(games)
            assert all(len(game.san) == len(game.uci) for game in games)
    assert found > 3_000


@pytest.mark.filterwarnings("ignore:python-chess cannot hold")
def test_python_chess_takes_real_games_of_other_formats() -> None:
    pytest.importorskip("chess.pgn")
    taken = refused = 0
    for name in ("chessbase2/simple.2cbv", "pgn/annotated/scca.pgn"):
        for game in itertools.islice(tabiya.open(data(name)), 60):
            try:
                other = game.to_chess()
            except (tabiya.CannotHoldError, tabiya.UnsupportedError):
                refused += 1
                continue
            try:
                back = tabiya.Game.from_chess(other)
            except tabiya.UsageError:
                # It starts from something that is no position: neither of them has a game then.
                assert game.is_broken and not len(game)
                refused += 1
                continue
            assert back.uci == game.uci and back.result == game.result
            taken += 1
    assert taken > 50 and refused < taken
