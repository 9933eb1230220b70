"""Random games and positions: the rules are those of python-chess, and nothing is lost on the way."""

from __future__ import annotations

import io
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("hypothesis")
chess = pytest.importorskip("chess")
chess_pgn = pytest.importorskip("chess.pgn")

from hypothesis import HealthCheck, given, settings  # noqa: E402

import tabiya  # noqa: E402

from strategies import COMMANDS, FILTERS, NAMES, boards, games, position  # noqa: E402

quick = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@quick
@given(boards())
def test_positions_obey_the_same_rules(board: Any) -> None:
    here = position(board)
    assert here.turn == ("white" if board.turn else "black")
    assert here.is_check == board.is_check()
    assert here.is_checkmate == board.is_checkmate()
    assert here.is_stalemate == board.is_stalemate()
    moves = {board.uci(move): board.san(move) for move in board.legal_moves}
    assert {here.uci(move): here.san(move) for move in here.legal_moves} == moves
    for uci, san in moves.items():
        assert here.parse(san) == here.parse(uci) and here.is_legal(san)
    pieces = board.piece_map().items()
    assert here.board == {chess.square_name(square): str(piece) for square, piece in pieces}


@quick
@given(boards())
def test_played_moves_lead_to_the_same_position(board: Any) -> None:
    moves = board.move_stack
    start = board.root()
    here = position(start)
    for move in moves:
        here = here.play(start.uci(move))
        start.push(move)
        theirs = chess.Board(here.fen, chess960=board.chess960)
        assert theirs.fen(en_passant="legal") == start.fen(en_passant="legal")


@quick
@given(games())
def test_pgn_holds_all_of_a_game(game: tabiya.Game) -> None:
    again = tabiya.Game.from_pgn(game.to_pgn())
    assert not again.is_broken and again.end == game.end and again.result == game.result
    assert told(again) == told(game)
    assert again.to_pgn() == game.to_pgn()


@quick
@given(games(text=NAMES))
def test_pickles_hold_all_of_a_game(game: tabiya.Game) -> None:
    copy = pickle.loads(pickle.dumps(game))
    assert copy == game and hash(copy) == hash(game) and told(copy) == told(game)


@quick
@given(games())
def test_python_chess_takes_and_gives_the_same(game: tabiya.Game) -> None:
    other = game.to_chess()
    board = other.board()
    for move, san in zip(other.mainline_moves(), game.san):
        assert board.san(move) == san
        board.push(move)
    assert told(tabiya.Game.from_chess(other)) == told(game)


@quick
@given(COMMANDS, COMMANDS)
def test_python_chess_understands_the_same_commands(first: str, second: str) -> None:
    text = f"{{{first}}} 1. e4 {{{second}}} e5 ({{{first}}} 1... c5 {{{second}}}) 2. Nf3 *"
    game, other = tabiya.Game.from_pgn(text), chess_pgn.read_game(io.StringIO(text))
    pairs = zip([game.root, *game, game[1].variations[0]], [other, *other.mainline(), other[0][1]])
    for node, twin in pairs:
        drawn = [arrow.pgn() for arrow in twin.arrows()]
        # At the start of a variation python-chess looks at nothing.
        if node.uci == "c7c5":
            drawn += [arrow.pgn() for arrow in other.arrows()]
        assert Counter(node.arrows + node.squares) == Counter(drawn)
        if twin.eval() is not None:
            score = twin.eval().white()
            assert node.evaluation is not None
            assert (node.evaluation.centipawns, node.evaluation.mate) == (score.score(), score.mate())
        if twin.clock() is not None:
            assert node.clock == twin.clock()


@quick
@given(FILTERS)
def test_filters_keep_what_a_scan_keeps(filters: dict[str, Any]) -> None:
    path = Path(__file__).resolve().parents[2] / "samples" / "famous.pgn"
    found = [game.number for game in tabiya.open(path, **filters)]
    assert found == [game.number for game in tabiya.open(path) if passes(game, **filters)]
    assert len(tabiya.open(path, **filters)) == len(found)
    assert tabiya.open(path).search(**filters).numbers == found


def told(game: tabiya.Game) -> list[tuple[object, ...]]:
    """Every move of a game, in order, and what is said of it."""
    seen: list[tuple[object, ...]] = []
    waiting = [game.root]
    while waiting:
        node = waiting.pop()
        comments = [(comment.text, comment.before) for comment in node.comments]
        seen.append((node.uci, node.san, node.nags, comments, len(node.children)))
        waiting += node.children
    return seen


def passes(
    game: tabiya.Game,
    *,
    result: str | None = None,
    plies: tuple[int, int] = (0, 10_000),
    since: int = 0,
    until: int = 9999,
    player: str = "",
    white: str = "",
    eco: str = "",
) -> bool:
    """What the filters say, in Python."""
    year = int((game.date or "0")[:4])
    return (
        result in (None, game.result)
        and plies[0] <= len(game) <= plies[1]
        and since <= year <= until
        and any(is_named(name, player) for name in (game.white, game.black))
        and is_named(game.white, white)
        and (game.eco or "").startswith(eco)
    )


def is_named(name: str | None, text: str) -> bool:
    plain = lambda words: words.lower().replace("é", "e")  # noqa: E731
    return plain(text) in plain(name or "")
