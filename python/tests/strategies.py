"""Random games, positions and filters, for tests that compare with python-chess."""

from __future__ import annotations

import random
from collections.abc import Callable

import chess
from hypothesis import strategies as st

import tabiya

#: Texts that PGN can hold: neither braces nor line breaks, which mean something there.
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="{}[]%\\", exclude_categories=("C", "Z")),
    min_size=1,
    max_size=12,
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), max_size=20)
RESULTS = st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"])

#: Where castling, promotions, en passant and pins are near.
STARTS = [
    chess.STARTING_FEN,
    "r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "4k3/PPPPpppp/8/8/8/8/ppppPPPP/4K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "1N3N1k/8/8/N2N4/8/8/1N3N2/K7 w - - 99 40",
]


@st.composite
def boards(draw: st.DrawFn, plies: int = 60) -> chess.Board:
    """A board after random moves, which it remembers."""
    if draw(st.booleans()):
        board = chess.Board(draw(st.sampled_from(STARTS)))
    else:
        board = chess.Board.from_chess960_pos(draw(st.integers(0, 959)))
    luck = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, plies))):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(luck.choice(moves))
    return board


def position(board: chess.Board) -> tabiya.Position:
    """The same position."""
    variant = "chess960" if board.chess960 else "standard"
    return tabiya.Position(board.fen(), variant=variant)


@st.composite
def games(draw: st.DrawFn, text: st.SearchStrategy[str] = SENTENCES) -> tabiya.Game:
    """A game with variations, comments and glyphs."""
    start = draw(boards(plies=10))
    tags = {"White": draw(NAMES), "Black": draw(NAMES), "Annotator": draw(NAMES)}
    builder = tabiya.GameBuilder(tags=tags, start=position(start))
    luck = random.Random(draw(st.integers(0, 2**32)))
    said = draw(st.lists(text, min_size=1, max_size=5))
    _line(builder, luck, lambda: luck.choice(said), luck.randrange(25), 0)
    return builder.build(draw(RESULTS))


def _line(
    builder: tabiya.GameBuilder,
    luck: random.Random,
    words: Callable[[], str],
    plies: int,
    depth: int,
) -> None:
    for ply in range(plies):
        moves = builder.position.legal_moves
        if not moves:
            break
        before = depth > 0 and ply == 0
        if before and luck.random() < 0.3:
            builder.comment(words(), before=True)
        builder.move(luck.choice(moves))
        # A glyph once, and in order: a set is what python-chess has.
        for nag in sorted(luck.sample(range(1, 140), luck.choice([0, 0, 0, 1, 2]))):
            builder.nag(nag)
        if luck.random() < 0.2:
            builder.comment(words())
        while depth < 3 and luck.random() < 0.15:
            builder.start_variation()
            _line(builder, luck, words, luck.randrange(1, 6), depth + 1)
            builder.end_variation()


FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "result": RESULTS,
        "plies": st.tuples(st.integers(0, 60), st.integers(60, 200)),
        "since": st.integers(1840, 1990),
        "until": st.integers(1840, 1990),
        "player": st.sampled_from(["morphy", "Anderssen", "fischer", "Réti", "tal", "an", "Paul"]),
        "white": st.sampled_from(["Anderssen, Adolf", "morphy", "e"]),
        "eco": st.sampled_from(["C", "B", "A", "C5", "D"]),
    },
)

SQUARES = st.integers(0, 63).map(chess.square_name)
INKS = st.sampled_from("RGYB")


def _drawn(name: str, targets: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    marks = st.lists(st.tuples(INKS, targets).map("".join), min_size=1, max_size=3, unique=True)
    return marks.map(lambda texts: f"[%{name} {','.join(texts)}]")


#: A comment of at most one command of each kind, and words.
COMMANDS = st.tuples(
    st.just("") | _drawn("cal", st.tuples(SQUARES, SQUARES).filter(lambda it: it[0] != it[1]).map("".join)),
    st.just("") | _drawn("csl", SQUARES),
    st.sampled_from(["", "[%eval 0.25]", "[%eval -12.30,18]", "[%eval #3]", "[%eval #-1]"]),
    st.sampled_from(["", "[%clk 0:01:30]", "[%clk 1:00:00.5]"]),
    st.sampled_from(["", "fine", "so far"]),
).map(" ".join)
