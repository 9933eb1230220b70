"""Games: tags, moves, variations, and what is said about them."""

from __future__ import annotations

import html
import io
import pickle
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import ANY

import pytest

import tabiya

PGN = """[Event "Match"]
[White "Réti, Richard"]
[Black "Tartakower"]
[WhiteElo "2500"]
[Annotator "a"]
[Annotator "b"]
[Result "1-0"]

{Before all.} 1. e4 $1 {[%clk 0:01:30.5] Best [%eval 0.25,20]} e5 (1... c5 $5 {sharp} 2. Nf3 (2. c3) 2... d6)
({first} 1... e6) 2. Nf3 {[%cal Ge2e4,Rd1d8][%csl Yd5]} 2... Nc6 {[%eval #-3]} 1-0
"""


@pytest.fixture
def game() -> tabiya.Game:
    return tabiya.Game.from_pgn(PGN)


def test_tags_are_a_mapping_in_order(game: tabiya.Game) -> None:
    tags = game.tags
    assert isinstance(tags, Mapping)
    assert list(tags) == ["Event", "White", "Black", "WhiteElo", "Annotator", "Result"]
    assert tags["Annotator"] == "a" and tags.get_all("Annotator") == ["a", "b"]
    assert tags.pairs()[5] == ("Annotator", "b")
    assert tags.get("Site") is None and tags.get("Site", "?") == "?"
    assert "White" in tags and "Site" not in tags and len(tags) == 6
    assert dict(tags) == tags and tags == game.tags
    with pytest.raises(KeyError):
        tags["Site"]
    assert (game.white, game.black, game.white_elo, game.black_elo) == (
        "Réti, Richard",
        "Tartakower",
        2500,
        None,
    )


def test_the_main_line_is_a_sequence(game: tabiya.Game) -> None:
    assert len(game) == 4
    assert game.san == ["e4", "e5", "Nf3", "Nc6"]
    assert game.uci == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert [str(move) for move in game.moves] == game.uci
    assert [node.san for node in game] == game.san
    assert game[-1].san == "Nc6" and [node.san for node in game[1:3]] == ["e5", "Nf3"]
    assert game[0].position == tabiya.Position().play("e4")
    assert game.positions[-1] == game.end == game[-1].position
    assert game[3].number == 2 and game[3].turn == "black" and game[3].ply == 4
    with pytest.raises(IndexError):
        game[4]


def test_variations_replace_a_move(game: tabiya.Game) -> None:
    e5 = game[1]
    sicilian, french = e5.variations
    assert sicilian.san == "c5" and not sicilian.in_main_line and sicilian.nags == [5]
    assert sicilian.before == e5.before and sicilian.parent == game[0]
    assert [node.san for node in sicilian.line()] == ["c5", "Nf3", "d6"]
    alternative = sicilian.next
    assert alternative is not None and alternative.variations[0].san == "c3"
    assert [node.san for node in game[0].children] == ["e5", "c5", "e6"]
    assert french.comments[0].before and french.comment == "first"
    assert game.root.next == game[0] and game.root.move is None


def test_annotations_are_values(game: tabiya.Game) -> None:
    e4 = game[0]
    assert e4.clock == 90.5 and e4.nags == [1] and e4.comment == "Before all. Best"
    assert e4.evaluation is not None
    assert (e4.evaluation.centipawns, e4.evaluation.pawns, e4.evaluation.depth) == (25, 0.25, 20)
    assert game[2].arrows == ["Ge2e4", "Rd1d8"] and game[2].squares == ["Yd5"]
    mate = game[3].evaluation
    assert mate is not None and mate.mate == -3 and mate.centipawns is None
    assert {annotation.kind for annotation in e4.annotations} == {"clock", "evaluation"}


def test_seconds_are_the_numbers_that_are_written() -> None:
    game = tabiya.Game.from_pgn("1. e4 {[%clk 0:00:19.673]} e5 {[%emt 0:00:03.929]} *")
    assert (game[0].clock, game[1].time_spent) == (19.673, 3.929)


def test_pgn_is_written_as_it_is_read(game: tabiya.Game) -> None:
    # The roster is completed, and everything else is as it was.
    again = tabiya.Game.from_pgn(game.to_pgn())
    assert again.to_pgn() == game.to_pgn() and tabiya.Game.from_pgn(again.to_pgn()) == again
    assert [node.comments for node in again] == [node.comments for node in game]
    plain = game.to_pgn(comments=False, variations=False, nags=False)
    assert "{" not in plain and "(" not in plain and "$" not in plain
    assert len(tabiya.Game.all_from_pgn(PGN + "\n" + PGN)) == 2
    with pytest.raises(tabiya.UsageError):
        tabiya.Game.from_pgn("")


def test_games_are_made() -> None:
    game = tabiya.Game("1. e4 e5 {open} 2. Nf3", tags=[("White", "A"), ("Result", "0-1")])
    assert game.result == "0-1" and game.white == "A" and game[1].comment == "open"
    assert tabiya.Game(["e4", "e7e5"]) == tabiya.Game("1. e4 e5")
    ending = tabiya.Game("1. Kb2", start="8/8/8/8/8/k7/8/K7 w - - 0 1".replace("k7", "7k"))
    assert ending.start.piece_at("a1") == "K" and "FEN" in ending.to_pgn()
    assert tabiya.Game.from_pgn(ending.to_pgn()).end == ending.end
    for moves in ("1. e5", ["Ke2"]):
        with pytest.raises(tabiya.IllegalMoveError):
            tabiya.Game(moves)


def test_tags_are_changed_in_a_copy(game: tabiya.Game) -> None:
    other = game.with_tags({"White": "Tal", "Black": None, "Result": "1/2-1/2", "Round": "1"})
    assert list(other.tags) == ["Event", "White", "WhiteElo", "Annotator", "Result", "Round"]
    assert other.result == "1/2-1/2" and other.white == "Tal"
    assert game.white == "Réti, Richard"
    untold = game.with_tags({"Result": None})
    assert untold.result == "1-0" and "Result" not in untold.tags
    for tags in ({"FEN": "8/8/8/8/8/8/8/8"}, {"Result": "white"}):
        with pytest.raises(tabiya.UsageError, match=f"^{next(iter(tags))}: "):
            game.with_tags(tags)


def test_what_nobody_knows_is_none_and_its_tag_as_it_is_written() -> None:
    roster = {"Event": "?", "Site": "", "Date": "????.??.??", "Round": "-", "White": "?"}
    game = tabiya.Game("1. e4", tags={**roster, "Black": "?", "ECO": "?"})
    assert (game.event, game.site, game.date, game.round) == (None, None, None, None)
    assert (game.white, game.black, game.eco) == (None, None, None)
    assert game.tags["White"] == "?" and game.tags["Date"] == "????.??.??"
    known = tabiya.Game(tags={"Date": "1921.??.??", "Round": "9.10", "ECO": "C65"})
    assert (known.date, known.round, known.eco) == ("1921.??.??", "9.10", "C65")


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ({"Date": "????.??.??", "UTCDate": "2024.05.17"}, "2024.05.17"),
        ({"UTCDate": "2024.05.17"}, "2024.05.17"),
        ({"Date": "1921.??.??", "UTCDate": "2024.05.17"}, "1921.??.??"),
        ({"Date": "????.05.??", "UTCDate": "2024.05.17"}, "2024.05.17"),
        ({"Date": "last year", "UTCDate": "????.??.??"}, "last year"),
        ({"Date": "?", "UTCDate": "????.??.??"}, None),
    ],
)
def test_the_day_is_the_one_that_filters_and_years_go_by(
    dates: dict[str, str], expected: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "dated.pgn"
    with tabiya.create(path) as games:
        games.add(tabiya.Game("1. e4", tags=dates))
    database = tabiya.open(path)
    assert database[1].date == expected
    years = [int(expected[:4])] if expected and expected[0].isdigit() else []
    assert list(database.info().years) == years
    for year in years:
        assert len(tabiya.open(path, since=year, until=year)) == 1
    pyarrow = pytest.importorskip("pyarrow")
    for rows in (database.table(columns=["date"]), database.search()):
        assert pyarrow.table(rows).column("date").to_pylist() == [expected]


def test_strangers_decide_whether_they_are_equal(game: tabiya.Game, famous: Path) -> None:
    hit = tabiya.Hits._restore([(1, None, None, [], "*", None, None)], 1, False)[0]  # type: ignore[attr-defined]
    plan = tabiya.duplicates(famous).plan
    for thing in (game, game[0], game.tags, hit, plan, game.start, game.moves[0]):
        assert thing == ANY and ANY == thing and not thing != ANY
        assert thing != 7 and thing != "x" and thing == thing and not thing != thing


def test_tags_are_equal_as_mappings_are(game: tabiya.Game) -> None:
    twice = game.tags
    once = tabiya.Game(tags=dict(twice)).tags
    assert twice == dict(twice) == once == twice and twice.pairs() != once.pairs()
    assert once != tabiya.Game().tags and twice != [("White", "Réti, Richard")]
    assert game != tabiya.Game(game.uci, tags=dict(twice))


def test_a_builder_makes_any_game(game: tabiya.Game) -> None:
    builder = tabiya.GameBuilder(tags={"White": "A"})
    builder.comment("intro", before=True).move("e4").nag("!?").annotate("[%clk 0:01:00]")
    builder.start_variation().move("d4").comment("also").move("d5").end_variation()
    made = builder.move("e5").build("1-0")
    assert made[0].nags == [5] and made[0].clock == 60
    assert [node.san for node in made[0].variations[0].line()] == ["d4", "d5"]
    with pytest.raises(tabiya.UsageError):
        tabiya.GameBuilder().start_variation()
    with pytest.raises(tabiya.UsageError):
        tabiya.GameBuilder().end_variation()


def games(samples: Path) -> list[tabiya.Game]:
    return [game for path in sorted(samples.glob("*.pgn")) for game in tabiya.open(path)]


def test_pickles_lose_nothing(samples: Path, game: tabiya.Game) -> None:
    odd = tabiya.GameBuilder(tags=[("A", "1"), ("A", "2"), ("B", "x\r\ny")])
    odd.comment("one\r\ntwo\ttabs \x00 nul } brace", language="deu").move("e4").comment("a\nb\r")
    odd.comment("").move("--").nag(300)
    broken = tabiya.Game.from_pgn(BROKEN)
    assert broken.is_broken
    for each in [*games(samples), game, odd.build("+:-"), broken, tabiya.Game()]:
        copy = pickle.loads(pickle.dumps(each))
        assert copy == each and hash(copy) == hash(each)
        assert (copy.number, copy.offset, copy.is_broken) == (
            each.number,
            each.offset,
            each.is_broken,
        )
        assert str(copy) == str(each)
        if len(each):
            assert pickle.loads(pickle.dumps(each[-1])) == each[-1]


BROKEN = "1. e4 e5 (1... Zz9 c5) 2. Ke3 Nf6 1-0"


def test_a_broken_game_is_the_same_wherever_it_stands(tmp_path: Path) -> None:
    one, path = tabiya.Game.from_pgn(BROKEN), tmp_path / "broken.pgn"
    other = tabiya.Game.from_pgn(f"\n\n{BROKEN}")
    assert one == other and hash(one) == hash(other) and one.errors != other.errors
    assert one != tabiya.Game.from_pgn(BROKEN.replace("Ke3", "Ke4"))
    path.write_text(f'[Result "1-0"]\n\n{BROKEN}\n')
    store = tabiya.Store(tmp_path / "broken.tabiya", create=True)
    store.import_(path)
    stored, read = store[1], tabiya.open(path)[1]
    assert stored == read
    for told, error in zip(stored.errors, read.errors, strict=True):
        assert told.line is None and told.origin == error.origin
        assert error.origin == (error.offset, error.line, error.column) and error.line == 3


def test_pickles_keep_the_places_of_what_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "broken.pgn"
    path.write_text(f'[Result "1-0"]\n\n{BROKEN}\n')
    for target in ("broken.tabiya", "again.pgn"):
        tabiya.convert(path, tmp_path / target)
        game = tabiya.open(tmp_path / target)[1]
        copy = pickle.loads(pickle.dumps(game))
        assert game.errors and copy == game and copy.errors == game.errors
        assert any(error.origin[0] != error.offset for error in game.errors)
        assert pickle.loads(pickle.dumps(game.errors)) == game.errors


def test_what_is_said_before_the_first_move_is_shown() -> None:
    game = tabiya.GameBuilder().nag(13).comment("<to begin with>").move("e4").build()
    page = re.sub(r"<svg.*?</svg>", "", game._repr_html_(), flags=re.S)
    assert "$13 <i>&lt;to begin with&gt;</i> 1. <b>e4</b>" in page
    only = tabiya.Game.from_pgn("{only words} *")._repr_html_()
    assert "<i>only words</i>" in only and "in full" not in only
    broken = tabiya.Game.from_pgn("1. e4 <b> *")
    page = re.sub(r"<svg.*?</svg>", "", broken._repr_html_(), flags=re.S)
    assert broken.is_broken and "could not be read in full" in page
    assert html.escape(broken.errors[0].message) in page


def test_a_game_shows_itself(samples: Path) -> None:
    for each in games(samples):
        page = each._repr_html_()
        assert page.startswith("<div") and "<svg" in page
    hostile = tabiya.Game("1. e4 {<script>}", tags={"White": "<b>&"})
    page = hostile._repr_html_()
    assert "<script>" not in page and "&lt;b&gt;&amp;" in page
    assert repr(tabiya.Game("1. e4", tags={"White": "A"})) == "Game(\"A\", \"?\", '*', 1 plies)"


@pytest.mark.filterwarnings("ignore:python-chess cannot hold")
def test_python_chess_gets_the_same_and_gives_it_back(samples: Path, game: tabiya.Game) -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    for each in [*games(samples), game]:
        other = each.to_chess()
        assert isinstance(other, chess_pgn.Game)
        assert [node.san() for node in other.mainline()] == each.san
        back = tabiya.Game.from_chess(other)
        assert back.uci == each.uci and back.result == each.result
        assert back.end.fen == each.end.fen
        nodes, others = [each.root], [back.root]
        while nodes:
            node, twin = nodes.pop(), others.pop()
            assert node.uci == twin.uci and sorted(node.nags) == sorted(twin.nags)
            assert node.comment == twin.comment and node.clock == twin.clock
            assert len(node.children) == len(twin.children)
            nodes += node.children
            others += twin.children


def test_a_ply_left_out_of_a_variation_leaves_the_main_line_whole() -> None:
    game = tabiya.Game.from_pgn("1. e4 (1. d4 -- {[%tabiya missing]} 2. c4) 1... e5 2. Nf3 *")
    assert game[0].variations[0].next is not None and game[0].variations[0].next.is_missing
    assert game.san == ["e4", "e5", "Nf3"] == [node.san for node in game]
    assert game.uci == ["e2e4", "e7e5", "g1f3"] and len(game.positions) == 4
    assert game.end == game[-1].position


ENDING = "8/8/8/8/8/7k/8/K7 w - - 0 1"


def test_tags_say_where_a_game_starts() -> None:
    game = tabiya.Game("1. Kb2", tags={"FEN": ENDING, "SetUp": "1"})
    assert game.start == tabiya.Position(ENDING) and game.san == ["Kb2"]
    assert game == tabiya.Game("1. Kb2", tags=game.tags, start=ENDING)
    assert tabiya.GameBuilder(tags={"FEN": ENDING}).move("Kb2").build().uci == ["a1b2"]
    chess960 = tabiya.Game([], tags={"Variant": "Chess960"}, start=tabiya.Position.chess960(0))
    assert chess960.tags.get_all("Variant") == ["Chess960"] and "FEN" in chess960.tags
    for make in (tabiya.Game, tabiya.GameBuilder):
        for tags, start in (
            ({"FEN": ENDING}, tabiya.Position()),
            ({"FEN": "nonsense"}, None),
            ({"FEN": 'a"b'}, None),
            ({"Variant": "Chess960"}, tabiya.Position(ENDING)),
        ):
            with pytest.raises(tabiya.UsageError):
                make(tags=tags, start=start)


def test_a_text_never_changes_the_castling_rights_of_the_start() -> None:
    start = tabiya.Position(tabiya.Position.chess960(518).fen.replace("KQkq", "-"), variant="chess960")
    assert start.castling == "-"
    line = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]
    assert tabiya.Game(line, start=start).start == start
    with pytest.raises(tabiya.IllegalMoveError):
        tabiya.Game([*line, "O-O"], start=start)
    with pytest.raises(tabiya.UsageError, match="castling rights"):
        tabiya.Game("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O", start=start)
    full = tabiya.Position.chess960(518)
    assert tabiya.Game("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O", start=full).san[-1] == "O-O"


def test_tags_that_a_game_has_written_say_where_it_starts() -> None:
    # In PGN, such a FEN means all castling rights.
    start = tabiya.Position(tabiya.Position.chess960(518).fen.replace("KQkq", "-"), variant="chess960")
    for game in (tabiya.Game(["e4"], start=start), tabiya.Game.from_pgn(str(tabiya.Game([], start=start)))):
        again = tabiya.Game(game.moves, tags=game.tags, start=game.start)
        assert again == game and again.start.castling == game.start.castling
    assert tabiya.Game(["e4"], start=start).start.castling == "-" and game.start.castling == "KQkq"
    with pytest.raises(tabiya.UsageError, match="say something else"):
        tabiya.Game(tags=game.tags, start=tabiya.Position.chess960(0))
    pytest.importorskip("chess")
    for game in (tabiya.Game(["e4"], start=start), game):
        again = tabiya.Game.from_chess(game.to_chess())
        assert again.start == game.start and again.moves == game.moves


def test_a_text_of_moves_has_no_tags() -> None:
    for text in (f'[FEN "{ENDING}"]\n\n1. Kb2 *', '[White "A"]\n\n1. e4', "1. e4 *\n\n1. d4 *"):
        for start in (None, ENDING):
            with pytest.raises(tabiya.UsageError):
                tabiya.Game(text, start=start)


def test_what_is_said_is_pickled(game: tabiya.Game) -> None:
    for node in (game[0], game[2], game[3]):
        for thing in (*node.comments, *node.annotations, node.evaluation, game.tags):
            assert pickle.loads(pickle.dumps(thing)) == thing


def test_a_pickle_of_something_else_is_refused(game: tabiya.Game) -> None:
    with pytest.raises(tabiya.UsageError):
        tabiya.Node._restore(game, 99)  # type: ignore[attr-defined]
    with pytest.raises(tabiya.UsageError):
        tabiya.Annotation._restore(game)  # type: ignore[attr-defined]


def test_a_game_whose_tags_have_a_fen_is_set_up() -> None:
    for game in (
        tabiya.Game("1. Kb2", tags={"White": "A", "FEN": ENDING}),
        tabiya.GameBuilder(tags={"White": "A", "FEN": ENDING}).move("Kb2").build(),
    ):
        assert dict(game.tags) == {"White": "A", "FEN": ENDING, "SetUp": "1"}
    given = tabiya.Game("1. Kb2", tags={"SetUp": "1", "FEN": ENDING})
    assert given.tags.pairs() == [("SetUp", "1"), ("FEN", ENDING)]


def test_tags_of_another_game_are_taken_as_they_are() -> None:
    pairs = [("Annotator", "A"), ("White", "W"), ("Annotator", "B")]
    tags = tabiya.Game("1. e4", tags=pairs).tags
    assert tabiya.Game("1. d4", tags=tags).tags.pairs() == pairs
    assert tabiya.GameBuilder(tags=tags).move("d4").build().tags.pairs() == pairs


def test_tags_are_seen_by_views(game: tabiya.Game) -> None:
    tags = game.tags
    assert tags.keys() & {"White", "Site"} == {"White"}
    assert list(tags.values())[1] == "Réti, Richard" and ("White", "A") not in tags.items()
    assert dict(tags.items()) == tags


def test_an_annotation_besides_a_comment_that_has_another_gets_to_python_chess() -> None:
    pytest.importorskip("chess.pgn")
    builder = tabiya.GameBuilder().move("e4").comment("so [%cal Ge2e4] far")
    builder.annotate("[%cal Rd1d8]").annotate("[%cal Ge2e4]").annotate("[%clk 0:00:09]")
    other = builder.build().to_chess().next()
    assert other is not None and other.comment == "so [%cal Ge2e4] far [%cal Rd1d8] [%clk 0:00:09]"


def test_python_chess_gets_the_rules_of_a_game_or_nothing() -> None:
    pytest.importorskip("chess.pgn")
    variant = pytest.importorskip("chess.variant")
    start = tabiya.Position(variant="antichess")
    game = tabiya.Game(["e3", "b5", "Bxb5"], start=start)
    other = game.to_chess()
    assert other.board().uci_variant == "antichess" and other.end().board().ply() == 3
    assert tabiya.Game.from_chess(other).san == game.san
    atomic = pytest.importorskip("chess.pgn").Game()
    atomic.setup(variant.AtomicBoard())
    with pytest.raises(tabiya.UnsupportedError, match="atomic"):
        tabiya.Game.from_chess(atomic)
    gap = tabiya.Game.from_pgn("1. e4 -- {[%tabiya missing]} 2. d4 *")
    with pytest.raises(tabiya.CannotHoldError, match="ply 2"):
        gap.to_chess()


@pytest.mark.parametrize("variant", ["From Position", "Standard", "Fischerandom", "chess 960"])
def test_python_chess_gets_the_name_of_the_rules_as_it_is_written(variant: str) -> None:
    pytest.importorskip("chess.pgn")
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    pgn = f'[White "A"]\n[Variant "{variant}"]\n[FEN "{fen}"]\n[Black "B"]\n\n1. O-O *'
    game = tabiya.Game.from_pgn(pgn)
    assert not game.is_broken
    headers = game.to_chess().headers
    assert headers["Variant"] == variant and headers["FEN"] == fen and "SetUp" not in headers
    back = tabiya.Game.from_chess(game.to_chess())
    assert back.start == game.start and back.san == ["O-O"] and back.tags["Variant"] == variant


def test_python_chess_gets_no_game_of_rules_that_are_not_known_here() -> None:
    pytest.importorskip("chess.pgn")
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    for variant in ("Atomic", "nobody knows"):
        game = tabiya.Game("1. O-O", start=fen).with_tags({"White": "A"})
        read = tabiya.Game.from_pgn(game.to_pgn().replace("[SetUp", f'[Variant "{variant}"]\n[SetUp'))
        with pytest.raises(tabiya.UnsupportedError, match=variant):
            read.to_chess()


def test_python_chess_gets_the_start_of_a_game_whose_tags_do_not_say_it() -> None:
    pytest.importorskip("chess.pgn")
    game = tabiya.Game(["O-O"], start="4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert game.to_chess().headers["FEN"] == game.start.fen
    bare = pickle.loads(pickle.dumps(game))
    assert bare.to_chess().board().fen() == game.start.fen


def test_python_chess_is_told_which_fen_cannot_be_set_up() -> None:
    pytest.importorskip("chess.pgn")
    with pytest.raises(tabiya.UnsupportedError, match="the FEN 'garbage'"):
        tabiya.Game.from_pgn('[FEN "garbage"]\n\n1. e4 *').to_chess()


@pytest.mark.filterwarnings("ignore:python-chess cannot hold")
def test_tags_that_python_chess_cannot_hold_as_they_are() -> None:
    pytest.importorskip("chess.pgn")
    game = tabiya.Game("1. e4", tags=[("Note", "one\ntwo"), ("Result", "+:-")])
    other = game.to_chess()
    assert other.headers["Note"] == "one two"
    assert tabiya.Game.from_chess(other).result == "+:-"
    with pytest.raises(tabiya.CannotHoldError, match="a name"):
        tabiya.Game(tags={"a name": "x"}).to_chess()


def test_variations_of_variations_follow_the_same_move() -> None:
    game = tabiya.Game.from_pgn("1. e4 (1. d4 (1. c4) 1... d5) (1. f4) 1... e5 *")
    assert [node.san for node in game.root.children] == ["e4", "d4", "c4", "f4"]
    assert [node.san for node in game.root.children[1].children] == ["d5"]


def test_no_depth_exhausts_the_stack() -> None:
    with pytest.raises(tabiya.UsageError):
        tabiya.Position().perft(70_000)


def test_python_chess_gets_comments_of_games_without_moves() -> None:
    pytest.importorskip("chess.pgn")
    other = tabiya.Game.from_pgn("{only words} *").to_chess()
    assert other.comment == "only words"
    assert tabiya.Game.from_chess(other).root.comment == "only words"


def test_commands_before_a_move_are_of_the_position_before_it() -> None:
    game = tabiya.Game.from_pgn(
        "{[%csl Gd4][%cal Ge2e4]} 1. e4 e5 2. {[%csl Rd5] [%clk 0:00:05] now} Nf3 *"
    )
    assert game.root.squares == ["Gd4"] and game.root.arrows == ["Ge2e4"]
    assert game[0].squares == game[0].arrows == []
    assert game[1].squares == ["Rd5"] and game[1].clock == 5
    assert game[2].squares == [] and game[2].clock is None
    # The words stay where they are.
    assert game[2].comment == "now" and game[2].comments[0].before and game[1].comment == ""
    assert tabiya.Game.from_pgn("{[%csl Gd4]} *").root.squares == ["Gd4"]


def test_what_stands_at_the_start_of_a_variation_is_of_its_first_move() -> None:
    game = tabiya.Game.from_pgn(
        "1. e4 {[%clk 0:10:00]} e5 ({[%clk 0:05:00]} 1... c5) ($1 1... d5) "
        "({[%csl Gd4][%clk 0:04:00] or} 1... e6 {[%clk 0:03:00]}) ({[%clk 0:01:00]}) 2. Nf3 *"
    )
    e4 = game[0]
    assert e4.clock == 600 and e4.nags == [] and e4.squares == []
    sicilian, centre, french = game[1].variations
    assert sicilian.clock == 300 and centre.nags == [1]
    assert french.clock == 180 and french.squares == ["Gd4"] and french.comment == "or"
    assert [node.clock for node in game] == [600, None, None]


def test_a_comment_before_a_move_that_never_comes_stands_behind_the_last() -> None:
    pytest.importorskip("chess.pgn")
    game = tabiya.GameBuilder().move("e4").comment("the end", before=True).build()
    assert [(comment.text, comment.before) for comment in game[0].comments] == [("the end", False)]
    other = game.to_chess().next()
    assert other is not None and (other.starting_comment, other.comment) == ("", "the end")


def test_python_chess_writes_what_stands_before_the_first_move() -> None:
    pytest.importorskip("chess.pgn")
    game = tabiya.Game.from_pgn("$1 {To begin with} 1. e4 {a} ({b} 1. d4) 1... e5 *")
    other = game.to_chess()
    assert other.comment == "To begin with" and other.nags == {1}
    assert "{ To begin with }" in str(other) and "{ b }" in str(other)
    back = tabiya.Game.from_chess(other)
    assert back.root.nags == [1] and back[0].comments == game[0].comments
    assert back[0].variations[0].comments == game[0].variations[0].comments


def test_moves_are_told_backwards(game: tabiya.Game) -> None:
    assert list(reversed(game)) == list(game)[::-1] != list(game)


def test_a_game_ends_in_one_way() -> None:
    both = {"Result": "1-0"}
    for game, result in (
        (tabiya.Game("1. e4", tags=both, result="0-1"), "0-1"),
        (tabiya.Game("1. e4 1-0", tags={"Result": "*"}), "1-0"),
        (tabiya.Game("1. e4 *", tags=both), "1-0"),
        (tabiya.Game("1. e4 1-0", tags=both), "1-0"),
        (tabiya.GameBuilder(tags=both).move("e4").build("0-1"), "0-1"),
        (tabiya.GameBuilder(tags=both).move("e4").build(), "1-0"),
    ):
        assert (game.result, game.tags["Result"]) == (result, result)
        assert game.to_pgn().rstrip().endswith(f" {result}")
    assert tabiya.Game("1. e4 1-0", tags={"Result": "+:-"}).result == "+:-"
    mended = tabiya.Game("1. e4", tags={"Result": "white wins"}, result="0-1")
    assert (mended.result, mended.tags["Result"]) == ("0-1", "0-1")
    with pytest.raises(tabiya.UsageError, match="the moves end in 1-0, and the tag Result says 0-1"):
        tabiya.Game("1. e4 1-0", tags={"Result": "0-1"})


@pytest.mark.parametrize("result", ["+:-", "-:+", "-:-"])
def test_forfeits_are_kept_without_a_tag(result: str, tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "a.pgn") as games:
        assert games.add(tabiya.Game("1. e4", result=result)) == []
    assert tabiya.open(tmp_path / "a.pgn")[1].result == result


def test_python_chess_hears_how_the_game_ended() -> None:
    pytest.importorskip("chess.pgn")
    game = tabiya.Game("1. e4", tags={"Result": "*"}, result="1-0")
    assert game.to_chess().headers["Result"] == "1-0"
    assert tabiya.Game.from_chess(game.to_chess()).result == "1-0"


def test_what_python_chess_could_not_read_is_told() -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    other = chess_pgn.read_game(io.StringIO('[Result "1-0"]\n\n1. e4 e5 2. Ke3 Nf6 1-0'))
    assert other.errors
    game = tabiya.Game.from_chess(other)
    assert game.is_broken and game.san == ["e4", "e5"] and game.result == "1-0"
    assert [(error.kind, error.message) for error in game.errors] == [
        ("illegal move", str(other.errors[0]))
    ]
    assert tabiya.Game.from_pgn(game.to_pgn()).is_broken
    back = game.to_chess()
    assert [str(error) for error in back.errors] == [str(other.errors[0])]
    assert not tabiya.Game.from_chess(tabiya.Game("1. e4").to_chess()).is_broken


def test_one_command_is_annotated_at_a_time() -> None:
    builder = tabiya.GameBuilder().move("e4").annotate("  [%clk 0:01:00]\n")
    for command in (
        "[%clk 0:02:00] [%eval 0.3]",
        "fine [%clk 0:02:00]",
        "[%clk 0:02:00] fine",
        "[%nobody knows]",
        "words",
        "",
    ):
        with pytest.raises(tabiya.UsageError, match="command"):
            builder.annotate(command)
    (annotation,) = builder.build()[0].annotations
    assert annotation.value == 60


def test_what_pgn_cannot_hold_is_told() -> None:
    builder = tabiya.GameBuilder(tags={"two words": "x"})
    builder.comment("gut", language="deu").move("e4").comment("schlecht", language="deu")
    game = builder.build()
    with pytest.warns(UserWarning) as told:
        text = game.to_pgn()
    assert [str(warning.message).split(": ")[1] for warning in told] == ["tags (1)", "languages (2)"]
    assert all(warning.filename == __file__ for warning in told)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert str(game) == text
        assert tabiya.Game("1. e4 {best} e5").to_pgn(comments=False)


def test_what_python_chess_cannot_hold_is_told() -> None:
    pytest.importorskip("chess.pgn")
    builder = tabiya.GameBuilder(tags=[("Note", "one"), ("Note", "two"), ("Place", "a\nb")])
    builder.move("e4").nag(5).nag(1).comment("gut", language="deu").comment("good", language="eng")
    game = builder.comment("so", before=True).move("e5").annotate("[%mdl 4]").build()
    with pytest.warns(UserWarning) as told:
        other = game.to_chess()
    said = "python-chess cannot hold all of this game: "
    assert [str(warning.message).removeprefix(said) for warning in told] == [
        "tags (2): Note 'two' is there besides another",
        "comments (1): 2 on e4 are one",
        "comment places (1): one before e5 stands after the move before it",
        "languages (2): deu on e4",
        "NAGs (1): the order of [5, 1] on e4",
    ]
    assert all(warning.filename == __file__ for warning in told)
    # Annotations are not lost.
    assert "[%mdl 4]" in other.end().comment
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tabiya.Game.from_pgn("{a} 1. e4 $1 $5 {b} ({c} 1. d4) 1... e5 *").to_chess()


def test_colours_that_nobody_knows_are_drawn() -> None:
    game = tabiya.Game.from_pgn("1. e4 {[%cal Oe2e4,Cd1d8][%csl Xd5,Me4]} *")
    assert game[0].arrows == ["Oe2e4", "Cd1d8"] and game[0].squares == ["Xd5", "Me4"]
    assert "<svg" in game[0]._repr_svg_() and "<svg" in game._repr_html_()
    plain = tabiya.Position().svg(arrows=["e2e4"], squares=["d5"])
    assert tabiya.Position().svg(arrows=["Oe2e4"], squares=["Zd5"]) == plain


def test_variations_are_nested_as_deep_as_they_are_read() -> None:
    builder = tabiya.GameBuilder().move("e4").move("e5")
    for _ in range(1024):
        builder.start_variation().move("e5")
    with pytest.raises(tabiya.LimitError, match="1024"):
        builder.start_variation()
    game = builder.build()
    assert tabiya.Game.from_pgn(game.to_pgn()).to_pgn() == game.to_pgn()
    assert not tabiya.Game.from_pgn(game.to_pgn()).is_broken
    assert game._repr_html_().count(")</span>") == 1024
    assert pickle.loads(pickle.dumps(game)) == game


def test_variations_are_shown_in_brackets() -> None:
    game = tabiya.Game.from_pgn("1. e4 e5 (1... c5 2. Nf3 (2. c3) d6) (1... e6) 2. Nf3 {x} Nc6 *")
    page = re.sub(r"<svg.*?</svg>|<[^>]*>", "", game._repr_html_(), flags=re.S)
    assert page.endswith("1. e4 e5 (1... c5 2. Nf3 (2. c3) 2... d6) (1... e6) 2. Nf3 x 2... Nc6 *")


def test_a_game_with_a_ply_left_out_is_known_up_to_it() -> None:
    game = tabiya.Game.from_pgn("1. e4 -- {[%tabiya missing]} 2. d4 *")
    assert len(game) == len(list(game)) == 3 and game[1].is_missing
    assert game.san == ["e4"] and game.uci == ["e2e4"] and len(game.moves) == 1
    assert len(game.positions) == 2 and game.end == game.positions[-1] == game[0].position


def test_only_games_come_from_python_chess() -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    for other in (None, "1. e4", chess_pgn.Game().board(), chess_pgn.Game().add_variation(chess_pgn.chess.Move.null())):
        with pytest.raises(TypeError, match=r"game: expected a chess\.pgn\.Game, not"):
            tabiya.Game.from_chess(other)
