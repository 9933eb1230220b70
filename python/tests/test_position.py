"""Positions know the rules, and show themselves."""

from __future__ import annotations

import pickle
import warnings

import pytest

import tabiya

from conftest import interrupted


def test_the_start() -> None:
    start = tabiya.Position()
    assert start.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert start.turn == "white" and start.castling == "KQkq" and start.en_passant is None
    assert len(start.legal_moves) == 20
    assert start.key == 0x463B96181691FC9C
    assert start.piece_at("e1") == "K" and start.piece_at("e4") is None
    assert len(start.board) == 32
    assert start.perft(3) == 8902
    assert start.status == "in progress" and not start.is_end


def test_moves_are_read_and_written() -> None:
    position = tabiya.Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    castling = position.parse("O-O")
    assert castling == position.parse("e1g1") and castling.uci == "e1g1"
    assert (castling.from_square, castling.to_square, castling.promotion) == ("e1", "g1", None)
    assert position.san("e1c1") == "O-O-O"
    assert position.play(castling).fen == "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"
    promotion = tabiya.Position("8/P7/8/8/8/8/k7/2K5 w - - 0 1").parse("a8=N")
    assert promotion.promotion == "n" and str(promotion) == "a7a8n"


def test_illegal_moves_are_refused() -> None:
    start = tabiya.Position()
    for text in ("Ke2", "e2e5", "nonsense", ""):
        assert not start.is_legal(text)
        with pytest.raises(tabiya.IllegalMoveError):
            start.play(text)
    with pytest.raises(tabiya.IllegalMoveError):
        start.play("e4", "e5").play(start.parse("e4"))
    with pytest.raises(TypeError):
        start.play(7)  # type: ignore[arg-type]


def test_a_position_never_changes() -> None:
    start = tabiya.Position()
    assert start.play("e4") != start
    assert start == tabiya.Position()


@pytest.mark.parametrize("fen", ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "9/8/8/8/8/8/8/8"])
def test_what_is_no_fen_is_refused(fen: str) -> None:
    with pytest.raises(tabiya.UsageError):
        tabiya.Position(fen)


def test_the_end_of_a_game_is_seen() -> None:
    mate = tabiya.Position().play("f3", "e5", "g4", "Qh4#")
    assert mate.is_check and mate.is_checkmate and mate.is_end and mate.status == "checkmate"
    assert tabiya.Position("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1").is_stalemate


def test_chess960() -> None:
    usual = tabiya.Position.chess960(518)
    assert usual.variant == "chess960" and len(usual.legal_moves) == 20
    assert tabiya.Position.chess960(0).fen.startswith("bbqnnrkr/")
    with pytest.raises(tabiya.UsageError):
        tabiya.Position.chess960(960)


def test_values_are_equal_hashed_and_pickled() -> None:
    for position in (
        tabiya.Position(),
        tabiya.Position().play("e4"),
        tabiya.Position.chess960(7),
        tabiya.Position("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 3 9", variant="chess960"),
    ):
        copy = pickle.loads(pickle.dumps(position))
        assert copy == position and hash(copy) == hash(position) and repr(copy) == repr(position)
        for move in position.legal_moves:
            copied = pickle.loads(pickle.dumps(move))
            assert copied == move and hash(copied) == hash(move) and copied.uci == move.uci
            assert position.play(copied) == position.play(move)
    assert eval(repr(tabiya.Position()), {"Position": tabiya.Position}) == tabiya.Position()


def test_the_board_is_drawn() -> None:
    position = tabiya.Position().play("e4")
    picture = position.svg(flipped=True, arrows=["Re2e4", "d7d5"], squares=["Gd5", "e5"])
    assert picture.startswith("<svg") and picture.rstrip().endswith("</svg>")
    assert position._repr_svg_().startswith("<svg")
    with pytest.raises(tabiya.UsageError):
        position.svg(arrows=["e2"])
    with pytest.raises(tabiya.UsageError):
        position.svg(squares=["z9"])
    assert "P" in str(position)


def test_to_pass_is_no_legal_move() -> None:
    start = tabiya.Position()
    assert not start.is_legal("--") and not start.is_legal(start.parse("0000"))
    assert start.is_legal("e4") and start.play("--").turn == "black"


def test_ctrl_c_ends_the_count_of_lines() -> None:
    # That would take days.
    interrupted(lambda: tabiya.Position().perft(12))
    assert tabiya.Position().perft(5) == 4_865_609 and tabiya.Position().perft(0) == 1


def test_what_is_left_out_of_a_fen_is_told() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w KQq e3 0 1"
    with pytest.warns(UserWarning, match="left out") as told:
        position = tabiya.Position(fen)
    words = [str(warning.message) for warning in told]
    assert [word for square in ("a1", "a8", "e3") for word in words if square in word] == words
    assert all(warning.filename == __file__ for warning in told)
    assert (position.castling, position.en_passant) == ("K", None)
    for make in (
        lambda: tabiya.Game(start=fen).start,
        lambda: tabiya.GameBuilder(start=fen).position,
    ):
        with pytest.warns(UserWarning) as told:
            assert make() == position
        assert [str(warning.message) for warning in told] == words
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tabiya.Position(position.fen) == position == pickle.loads(pickle.dumps(position))
        # It is odd, and nothing of it is left out.
        assert tabiya.Position("4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1").board
        with pytest.raises(UserWarning):
            tabiya.Position(fen)


def test_what_is_left_out_of_a_fen_is_told_by_a_search(famous: Path) -> None:
    database = tabiya.open(famous)
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1"
    expected = "castling right with the rook on a1 is impossible and left out"
    for name in ("fen", "similar"):
        with pytest.warns(UserWarning) as told:
            database.search(**{name: fen})  # type: ignore[misc]
        assert [str(warning.message) for warning in told] == [f"{name}: {expected}"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        database.search(fen=tabiya.Position().fen, similar=tabiya.Position().fen)


def test_antichess_has_no_castling_and_says_so() -> None:
    fen = tabiya.Position().fen
    with pytest.warns(UserWarning, match="antichess has no castling") as told:
        position = tabiya.Position(fen, variant="antichess")
    assert len(told) == 1 and position.castling == "-"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tabiya.Position(position.fen, variant="antichess") == position


def test_only_games_may_pass_in_check() -> None:
    check = tabiya.Position().play("e4", "f5", "Qh5")
    with pytest.raises(tabiya.IllegalMoveError, match="in check"):
        check.play("--")
    line = ["e4", "f5", "Qh5+", "--"]
    builder = tabiya.GameBuilder()
    for move in line:
        builder.move(move)
    for game in (tabiya.Game(line), tabiya.Game("1. e4 f5 2. Qh5+ --"), builder.build()):
        assert game.san == line and tabiya.Game.from_pgn(game.to_pgn()).san == line


def test_whoever_has_nothing_left_wins_in_antichess() -> None:
    lost = tabiya.Position("8/8/8/8/8/8/8/R7 b - - 0 1", variant="antichess")
    assert lost.status == "Black has nothing left and wins" and lost.is_end
    assert not lost.is_stalemate and not lost.is_checkmate
    promotion = tabiya.Position("8/P7/8/8/8/8/7p/8 w - - 0 1", variant="antichess").parse("a8=K")
    assert promotion.promotion == "k"


def test_only_moves_are_legal_or_not() -> None:
    for thing in (7, None, b"e4"):
        with pytest.raises(TypeError, match="move: expected a Move or a str"):
            tabiya.Position().is_legal(thing)  # type: ignore[arg-type]
