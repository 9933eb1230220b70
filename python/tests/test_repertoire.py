"""Games beside a repertoire, compared with a slow scan by python-chess."""

import io
import pickle
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest

import tabiya

#: With a transposition (2. Nf3 d6 3. d4, and 2. d4), an answer to some moves, and none to others.
WHITE = """1. e4 e5 (1... c5 2. Nf3 d6 3. d4) (1... d6 2. d4) 2. Nf3 (2. f4 exf4 3. Nf3) Nc6 (2... Nf6 3. Nxe5)
3. Bc4 *

1. e4 c6 2. d4 d5 3. e5 *
"""

Positions = dict[str, set[chess.Move]]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "white.pgn"
    path.write_text(WHITE)
    return path


def games(text: str) -> Iterator[chess.pgn.Game]:
    file = io.StringIO(text)
    while (game := chess.pgn.read_game(file)) is not None:
        yield game


def learned(text: str) -> Positions:
    known: Positions = {}

    def visit(node: chess.pgn.GameNode) -> None:
        moves = known.setdefault(node.board().epd(), set())
        for child in node.variations:
            moves.add(child.move)
            visit(child)

    for game in games(text):
        visit(game)
    return known


def departure(
    known: Positions, game: chess.pgn.Game, side: chess.Color
) -> tuple[str, int, str, str | None, set[str], bool] | None:
    """Who leaves it, where, what is played and expected there, and whether the side has played of it."""
    board, last, has_played = game.board(), None, False
    moves = list(game.mainline_moves())
    for ply, move in enumerate([*moves, None]):
        expected = known.get(board.epd())
        if expected is not None:
            has_played |= board.turn == side and move in expected
            if not expected:
                who = "line"
            elif move is None:
                who = "game"
            else:
                who = "me" if board.turn == side else "opponent"
            played = None if move is None else board.san(move)
            last = (who, ply, board.epd(), played, {board.san(other) for other in expected})
        if move is not None:
            board.push(move)
    return None if last is None else (*last, has_played)


@pytest.mark.parametrize("colour", ["white", "black"])
def test_games_leave_a_repertoire_where_a_slow_scan_says(
    mine: Path, famous: Path, colour: str
) -> None:
    known, side = learned(WHITE), colour == "white"
    slow = {
        number: departure(known, game, side)
        for number, game in enumerate(games(famous.read_text()), 1)
    }
    database, found = tabiya.open(famous), set()
    for who in ("me", "opponent", "line", "game"):
        for hit in database.search(repertoire=mine, colour=colour, left_by=who):  # type: ignore[arg-type]
            place = hit.departure
            assert place is not None and place.left_by == who
            board = chess.Board(place.position.fen)
            told = (who, hit.ply, board.epd(), place.played, set(place.expected))
            assert slow[hit.number] is not None and slow[hit.number][:-1] == told
            found.add(hit.number)
    assert found == {number for number, place in slow.items() if place is not None}
    follow = {number for number, place in slow.items() if place and place[-1] and place[0] != "me"}
    assert set(database.search(repertoire=mine, colour=colour).numbers) == follow  # type: ignore[arg-type]
    assert follow


def test_a_repertoire_tells_whose_it_is(mine: Path, famous: Path) -> None:
    database = tabiya.open(famous)
    by_white = database.search(repertoire=mine, colour="white", left_by=["me", "opponent"])
    assert database.search(repertoire=tabiya.open(mine), left_by="me,opponent").numbers == by_white.numbers  # type: ignore[arg-type]
    single = mine.with_name("single.pgn")
    single.write_text("1. e4 e5 2. Nf3 *\n")
    with pytest.raises(tabiya.UsageError, match="colour: whose repertoire is it"):
        database.search(repertoire=single)
    assert database.search(repertoire=single, colour="black")


def test_filters_and_limits_choose_games_beside_a_repertoire(mine: Path, famous: Path) -> None:
    database = tabiya.open(famous)
    every = database.search(repertoire=mine)
    first = database.search(repertoire=mine, limit=2)
    assert first.numbers == every.numbers[:2] and first.total == every.total == len(every)
    won = database.filter(result="1-0").search(repertoire=mine)
    assert won.numbers == [hit.number for hit in every if hit.result == "1-0"] != every.numbers


@pytest.mark.parametrize(
    "conditions",
    [
        {"mate": True},
        {"similar": "8/5pk1/6p1/8/3R4/6P1/r4PK1/8"},
        {"sort": "elo"},
        {"reverse": True},
        {"openings": True},
        {"in_variations": True},
        {"colour": "grey"},
        {"left_by": "luck"},
    ],
)
def test_what_does_not_go_with_a_repertoire_is_refused(
    mine: Path, famous: Path, conditions: dict[str, object]
) -> None:
    with pytest.raises(tabiya.UsageError):
        tabiya.open(famous).search(repertoire=mine, **conditions)  # type: ignore[arg-type]


@pytest.mark.parametrize("conditions", [{"colour": "white"}, {"left_by": ["me"]}])
def test_what_belongs_to_a_repertoire_needs_one(
    famous: Path, conditions: dict[str, object]
) -> None:
    with pytest.raises(tabiya.UsageError, match="belongs to repertoire"):
        tabiya.open(famous).search(**conditions)  # type: ignore[arg-type]


def test_no_repertoire_is_made_of_nothing(famous: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.pgn"
    empty.write_text("*\n")
    with pytest.raises(tabiya.UnsupportedError, match="no moves to be a repertoire"):
        tabiya.open(famous).search(repertoire=empty)
    with pytest.raises(tabiya.NotFoundError):
        tabiya.open(famous).search(repertoire=tmp_path / "none.pgn")


def test_departures_are_rows_and_are_pickled(mine: Path, famous: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    hits = tabiya.open(famous).search(repertoire=mine, left_by=["me", "opponent", "line", "game"])
    rows = pyarrow.table(hits).to_pylist()
    assert len(rows) == len(hits) > 3
    for row, hit in zip(rows, hits):
        place = hit.departure
        assert place is not None
        assert row["ply"] == hit.ply and row["left_by"] == place.left_by
        assert (row["played"], row["expected"]) == (place.played, place.expected)
        assert row["fen"] == place.position.fen
    kept = pickle.loads(pickle.dumps(hits))
    assert list(kept) == list(hits) and kept == hits != tabiya.open(famous).search()
    assert pickle.loads(pickle.dumps(hits[0])).departure == hits[0].departure
    # The same game without a repertoire is another answer.
    assert tabiya.open(famous).search(limit=1)[0] not in hits
    assert tabiya.open(famous).search(limit=1)[0].departure is None
    none = tabiya.open(famous).search(repertoire=mine, player="nobody")
    assert pyarrow.table(none).column_names == pyarrow.table(hits).column_names
