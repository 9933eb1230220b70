"""A database of tabiya's own: imports, searches, trees, plans, and columns."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tabiya

pa = pytest.importorskip("pyarrow")


@pytest.fixture
def store(tmp_path: Path, samples: Path) -> tabiya.Store:
    store = tabiya.Store(tmp_path / "games.tabiya", create=True)
    report = store.import_([samples / "famous.pgn", samples / "annotated.pgn"])
    assert report.written == 43 and report.is_whole
    return store


def test_a_store_is_a_database(store: tabiya.Store, famous: Path, tmp_path: Path) -> None:
    assert isinstance(store, tabiya.Database)
    assert len(store) == 43 and store.format == "tabiya" and store.entries == 43
    assert store[2] == tabiya.open(famous)[2]
    assert [game.number for game in store[41:]] == [41, 42, 43]
    with pytest.raises(FileNotFoundError):
        tabiya.Store(tmp_path / "none.tabiya")
    with pytest.raises(tabiya.TabiyaError):
        tabiya.Store(famous)


#: What no sample has: a promotion to a knight, a stalemate, and a check that is answered by mate.
RARE = """[FEN "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"]

1. e8=N+ *

[FEN "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1"]

1. Qc7 1/2-1/2

[FEN "6k1/5ppp/1q6/8/8/7P/6PK/1R6 b - - 0 1"]

1... Qb8+ 2. Rxb8# 1-0
"""

CONDITIONS: list[dict[str, object]] = [
    {"mate": True},
    {"check": True, "result": "1-0"},
    {"moves": "1. e4 e5 2. Nf3"},
    {"moves": ["1. e4 e5", "1. e4 e5 2. f4"]},
    {"fen": tabiya.Position().play("d4", "d5", "c4")},
    {"fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -", "loose": True},
    {"pattern": "Nd5", "mirror": True, "flip": True},
    {"material": "Q=0 q=0", "plies_held": 4},
    {"pawns": "isolated:white"},
    {"manoeuvre": "Nb1-c3-d5"},
    {"sequence": "check; mate"},
    {"streak": "check; mate"},
    {"castled": True},
    {"castled": "white-queenside"},
    {"stalemate": True},
    {"underpromotion": True},
    {"sacrifice": 6},
    {"where": "check and not mate"},
    {"query": '{"sub-fen": "8/8/8/3N4/8/8/8/8"}'},
    {"comment": "double check", "in_variations": True},
    {"similar": "8/5pk1/6p1/8/3R4/6P1/r4PK1/8", "limit": 5},
]


@pytest.mark.parametrize("conditions", CONDITIONS, ids=lambda conditions: next(iter(conditions)))
def test_a_store_and_a_file_answer_the_same(
    store: tabiya.Store, tmp_path: Path, conditions: dict[str, object]
) -> None:
    rare, path = tmp_path / "rare.pgn", tmp_path / "all.pgn"
    rare.write_text(RARE)
    store.import_(rare)
    tabiya.convert(store.path, path)
    found = store.search(**conditions)  # type: ignore[arg-type]
    assert found and (found.total < len(store) or "similar" in conditions)
    expected = tabiya.open(path).search(**conditions)  # type: ignore[arg-type]
    assert [(hit.number, hit.ply, hit.distance) for hit in found] == [
        (hit.number, hit.ply, hit.distance) for hit in expected
    ]
    assert found.total == expected.total


def test_rare_games_are_found(tmp_path: Path) -> None:
    rare = tmp_path / "rare.pgn"
    rare.write_text(RARE)
    database = tabiya.open(rare)
    for number, conditions in enumerate(
        ({"underpromotion": True}, {"stalemate": True}, {"streak": "check; mate"}), 1
    ):
        assert database.search(**conditions).numbers == [number]  # type: ignore[arg-type]


def test_hits_tell_their_openings_if_somebody_asks(store: tabiya.Store, famous: Path) -> None:
    for database in (store, tabiya.open(famous)):
        hits = database.search(mate=True, openings=True)
        assert hits[0].opening == ("C33", "King's Gambit Accepted: 2... exf4")
        assert pickle.loads(pickle.dumps(hits))[0].opening == hits[0].opening
        assert database.search(mate=True)[0].opening is None
    named = store.search(openings=True)
    assert len(named) == 43 and sum(hit.opening is not None for hit in named) > 35


def test_an_import_is_tried_without_adding_anything(store: tabiya.Store, famous: Path) -> None:
    before = store.bytes
    report = store.import_(famous, dry_run=True, player="morphy")
    assert 0 < report.written < report.read == 34
    assert len(tabiya.open(store.path)) == len(store) == 43 and store.bytes == before


def test_every_game_that_ends_in_mate_is_found(store: tabiya.Store) -> None:
    mated = [game.number for game in store if game.end.is_checkmate]
    assert mated and store.search(mate=True).numbers == mated


def test_the_position_of_a_hit_is_found_by_its_plies(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 (1... f5 2. Qh5+) 2. Nf3 *\n")
    database = tabiya.open(path)
    (mate,) = database.search(mate=True)
    assert mate.ply is not None and database[mate.number].positions[mate.ply].is_checkmate
    plies = pa.table(database.positions(columns=["game", "ply"])).to_pylist()
    assert {"game": 1, "ply": mate.ply} in plies and {"game": 1, "ply": mate.ply + 1} not in plies
    checks = database.search(check=True, in_variations=True)
    assert [(hit.number, hit.ply) for hit in checks] == [(1, 4), (2, 3)]
    variation = database[2][1].variations[0].next
    assert variation is not None and variation.ply == 3 and variation.position.is_check


def test_the_position_of_a_hit_behind_a_ply_that_is_left_out_is_that_of_a_node(
    tmp_path: Path,
) -> None:
    path = tmp_path / "gap.pgn"
    path.write_text(
        "1. e4 -- {[%tabiya missing]} 2. Bb5 a6 3. Bxd7+ *\n\n"
        '[FEN "4k3/8/8/8/8/8/8/K3R3 b - - 0 1"]\n\n1... Kd8 *\n'
    )
    store = tabiya.Store(tmp_path / "gap.tabiya", create=True)
    store.import_(path)
    for database in (tabiya.open(path), store):
        found = []
        for hit in database.search(check=True):
            game, ply = database[hit.number], hit.ply
            assert ply is not None
            found.append((ply, len(game.positions), game[ply - 1].position if ply else game.start))
        assert [(ply, count) for ply, count, _ in found] == [(5, 2), (0, 2)]
        assert all(position.is_check for _, _, position in found)


def test_what_is_no_store_is_told(famous: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert len(tabiya.Store(empty, create=True)) == 0
    for path in (famous, famous.parent):
        with pytest.raises(tabiya.FormatError, match="is no database of tabiya's own") as raised:
            tabiya.Store(path)
        assert raised.value.file == str(path) and str(raised.value).count(str(path)) == 1
    for name in ("scid:si5", "chessbase:cbh", "chessbase:2cbh"):
        with pytest.raises(tabiya.FormatError) as raised:
            tabiya.open(famous, format=name)
        assert str(raised.value).count(str(famous)) == 1
    json = tmp_path / "games.json"
    json.write_text('{"a": [1, 2, 3], "b": "x"}')
    with pytest.raises(tabiya.FormatError, match="a JSON file"):
        tabiya.open(json)
    for _ in range(2):
        assert tabiya.convert(famous, tmp_path / "p.out", format="uci:position").written > 30


def test_hits_are_sorted_and_limited(store: tabiya.Store) -> None:
    newest = store.search(sort="date", limit=3)
    assert len(newest) == 3 and newest.total == 43
    dates = [hit.tags["Date"][:4] for hit in newest]
    assert dates == sorted(dates, reverse=True)
    assert store.search(sort="id", reverse=True, limit=1)[0].number == 43
    assert newest[-1].number == newest[2].number and len(newest[1:]) == 2
    with pytest.raises(IndexError):
        newest[3]


@pytest.mark.parametrize(
    "conditions",
    [
        {"mirror": True},
        {"loose": True},
        {"plies_held": 3},
        {"material": "XY"},
        {"sacrifice": 0},
        {"castled": "grey"},
        {"where": "chekc"},
        {"sort": "luck"},
        {"moves": "1. e5"},
    ],
)
def test_conditions_that_make_no_sense_are_refused(
    store: tabiya.Store, conditions: dict[str, object]
) -> None:
    with pytest.raises(tabiya.UsageError):
        store.search(**conditions)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        store.search(chekc=True)  # type: ignore[call-arg]


def test_a_tree_counts(store: tabiya.Store) -> None:
    tree = store.tree(depth=2)
    assert tree.total.games == 43
    first: dict[str, int] = {}
    for game in store:
        first[game.san[0]] = first.get(game.san[0], 0) + 1
    assert {branch.san: branch.played.games for branch in tree.moves} == first
    after = tree.moves[0].next
    assert after is not None and after.position == tree.position.play(tree.moves[0].move)
    assert store.tree(moves="1. e4").position == tabiya.Position().play("e4")
    assert store.tree(tabiya.Position().play("e4"), result="1-0").total.black == 0
    assert pa.table(tree).column("games").to_pylist() == sorted(first.values(), reverse=True)


def test_games_are_deleted_replaced_and_compacted(store: tabiya.Store) -> None:
    store.delete([1, 3])
    assert len(store) == 41 and store.deleted == 2
    assert [game.number for game in store[1:5]] == [2, 4]
    store.undelete([3])
    assert len(store) == 42
    store.replace(2, tabiya.Game("1. d4", tags={"White": "Somebody"}))
    assert store[2].white == "Somebody"
    batch = pa.table(next(store.batches()))
    assert batch.column("deleted").to_pylist()[:3] == [True, False, False]
    assert batch.column("replaced").to_pylist()[:3] == [False, True, False]
    store.compact()
    assert len(store) == store.entries == 42
    store.index(rebuild=True)
    assert store.check().ok


def test_duplicates_are_found_deleted_and_brought_back(
    store: tabiya.Store, famous: Path
) -> None:
    assert store.duplicates().copies == 0
    store.import_(famous, games="1..3")
    found = store.duplicates()
    assert found.copies == 3 and len(found.groups) == 3
    plan = found.plan
    assert {step.action for step in plan.steps} == {"keep", "delete"}
    assert pickle.loads(pickle.dumps(plan)) == plan == tabiya.Plan.parse(plan.to_text())
    assert plan.apply().marked == 3
    store.refresh()
    assert len(store) == 43
    assert plan.undo().marked == 3
    store.refresh()
    assert len(store) == 46
    assert pa.table(plan).num_rows == len(plan)


def test_copies_are_kept_as_somebody_prefers_it_or_not_at_all(
    store: tabiya.Store, famous: Path
) -> None:
    both = [store, famous]
    for preferred in (store.path, famous, famous.parent / ".." / "samples" / famous.name):
        steps = tabiya.duplicates(both, prefer=[preferred]).plan.steps
        kept = {step.database.resolve() for step in steps if step.action == "keep"}
        assert kept == {preferred.resolve()}
    for preferred in ("longets", famous.with_name("annotated.pgn")):
        with pytest.raises(tabiya.UsageError, match=f"prefer: .*{Path(preferred).name}"):
            tabiya.duplicates(both, prefer=["longest", preferred])


def test_a_database_that_is_given_twice_is_refused(
    store: tabiya.Store, famous: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link.tabiya"
    link.symlink_to(store.path)
    for other in (store, store.path, tmp_path / ".." / tmp_path.name / store.path.name, link):
        for ask in (tabiya.duplicates, tabiya.names):
            with pytest.raises(tabiya.UsageError, match=" is .*games.tabiya once more"):
                ask([store, famous, other])  # type: ignore[operator]
    assert tabiya.duplicates([store, famous]).copies == 34


def test_names_are_made_one(tmp_path: Path) -> None:
    store = tabiya.Store(tmp_path / "names.tabiya", create=True)
    with tabiya.create(store.path, append=True) as games:
        for number, white in enumerate(["Kasparov, Garry"] * 3 + ["Garry Kasparov"]):
            tags = {"White": white, "Black": "Karpov, Anatoly", "Date": f"198{number}.??.??"}
            games.add(tabiya.Game("1. e4", tags={**tags, "WhiteElo": "2700"}))
    store.refresh()
    names = store.names(kinds=["players"])
    assert names.groups[0].name == "Kasparov, Garry"
    assert names.groups[0].spellings[0].name == "Garry Kasparov"
    plan = names.plan()
    assert plan.apply().edited == 1
    store.refresh()
    assert {game.white for game in store} == {"Kasparov, Garry"}
    last = tabiya.Plan.last_of(store.path)
    assert last is not None and last.undo().edited == 1


def test_arrow_is_taken_by_all(store: tabiya.Store) -> None:
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    hits = store.search(result="1-0")
    table = pa.table(hits)
    assert table.column("number").to_pylist() == hits.numbers
    taken = pl.DataFrame(hits)
    assert taken.shape == (len(hits), len(table.column_names)) and len(hits) > 1
    assert taken["number"].to_list() == hits.numbers
    assert pl.DataFrame(store.search(player="nobody")).columns == table.column_names
    # Before version 3, pandas takes Arrow by way of pyarrow only.
    from_arrow = getattr(pd.DataFrame, "from_arrow", None)
    frame = from_arrow(hits) if from_arrow else table.to_pandas()
    assert frame["number"].tolist() == hits.numbers
    count = duckdb.sql("select count(*) from hits").fetchall()
    assert count == [(len(hits),)]
    rows = pa.table(store.table(columns=["number", "white", "Annotator"]))
    assert rows.num_rows == 43 and rows.column_names == ["number", "white", "Annotator"]
    assert rows.column("white").to_pylist() == [game.white for game in store]
    assert [len(part) for part in store.table()] == [43]
    stream = store.table()
    pa.table(stream)
    with pytest.raises(tabiya.UsageError):
        pa.table(stream)


def test_columns_are_those_of_the_files(store: tabiya.Store) -> None:
    tables = [pa.table(part) for part in store.batches(moves=True)]
    assert sum(table.num_rows for table in tables) == 43
    assert tables[0].column("result").to_pylist()[1] == store[2].result
    assert "moves" in tables[0].column_names


def test_positions_are_those_of_the_games(store: tabiya.Store) -> None:
    rows = pa.table(store.positions(columns=["game", "ply", "fen", "uci", "san", "key"]))
    expected = [
        (game.number, ply, before.fen, uci, san)
        for game in store
        for ply, (before, uci, san) in enumerate(zip(game.positions, game.uci, game.san), 1)
    ]
    columns = ("game", "ply", "fen", "uci", "san")
    assert list(zip(*(rows.column(name).to_pylist() for name in columns))) == expected
    keys = [before.key for game in store for before in game.positions[:-1]]
    assert rows.column("key").to_pylist() == keys and max(keys) >= 2**63
    sizes = [len(part) for part in store.positions(batch_size=100)]
    assert set(sizes[:-1]) == {100} and sum(sizes) == len(expected)
    with pytest.raises(tabiya.UsageError):
        store.positions(columns=["colour"])
    with pytest.raises(tabiya.UsageError):
        store.positions(batch_size=0)


def test_positions_as_arrays(store: tabiya.Store) -> None:
    np = pytest.importorskip("numpy")
    batches = list(store.position_arrays(batch_size=500, result="1-0"))
    first = batches[0]
    assert first["bitboards"].shape == (500, 12) and first["bitboards"].dtype == np.uint64
    assert set(first["result"]) == {1.0}
    planes = tabiya.planes(first["bitboards"])
    assert planes.shape == (500, 12, 8, 8)
    # Of 64 bits, such numbers keep 53.
    with pytest.raises(TypeError, match="bitboards: expected an array of whole numbers, not float64"):
        tabiya.planes(first["bitboards"].astype(float))  # type: ignore[arg-type]
    game = store[int(first["game"][40])]
    before = game.positions[int(first["ply"][40]) - 1]
    for square, piece in before.board.items():
        plane = "PNBRQKpnbrqk".index(piece)
        assert planes[40, plane, int(square[1]) - 1, "abcdefgh".index(square[0])] == 1
    assert planes[40].sum() == len(before.board)
    move = int(first["move"][40])
    squares = [f"{'abcdefgh'[s % 8]}{s // 8 + 1}" for s in (move & 63, move >> 6 & 63)]
    assert game.moves[int(first["ply"][40]) - 1].from_square == squares[0]


def test_batches_are_of_the_type_that_checkers_see(store: tabiya.Store) -> None:
    pytest.importorskip("numpy")
    batch = next(store.position_arrays(batch_size=10))
    types = {name: f"npt.NDArray[np.{array.dtype}]" for name, array in batch.items()}  # type: ignore[attr-defined]
    assert types == {
        name: getattr(kind, "__forward_arg__", kind)
        for name, kind in tabiya.PositionBatch.__annotations__.items()
    }


def test_clocks_and_evaluations_are_columns(tmp_path: Path) -> None:
    path = tmp_path / "clocks.pgn"
    path.write_text(
        '[WhiteElo "2500"]\n[Result "1/2-1/2"]\n\n1. e4 {[%clk 0:01:30] [%eval 0.3]} e5 '
        "(1... c5 {[%clk 0:00:01]}) {[%eval #-2]} 1/2-1/2\n"
    )
    rows = pa.table(tabiya.open(path).positions())
    assert rows.column("clock").to_pylist() == [90_000, None]
    assert rows.column("evaluation").to_pylist() == [30, None]
    assert rows.column("mate").to_pylist() == [None, -2]
    assert rows.column("white_elo").to_pylist() == [2500, 2500]
    assert rows.column("result").to_pylist() == [0, 0]


def test_numbers_of_an_old_state_change_nothing(store: tabiya.Store, famous: Path) -> None:
    other = tabiya.Store(store.path)
    other.delete([1])
    other.compact()
    second = store[2].white
    for change in (
        lambda: store.delete([2]),
        lambda: store.undelete([2]),
        lambda: store.replace(2, tabiya.Game("1. a3")),
        lambda: store.import_(famous),
        store.compact,
        store.index,
    ):
        with pytest.raises(tabiya.ChangedError) as raised:
            change()
        assert raised.value.file == str(store.path)
    # It is seen as it was.
    assert store[2].white == second and store.deleted == 0 and store.entries == 43
    assert sum(len(part) for part in store.batches()) == 43 and store.bytes > other.bytes
    store.refresh()
    assert len(store) == len(other) == 42 and store.search(moves="1. a3").numbers == []
    assert store[1].white == second
    store.delete([1])
    assert len(store) == 41


def test_somebody_who_comes_right_after_a_change_is_noticed(
    store: tabiya.Store, famous: Path, tmp_path: Path
) -> None:
    source = tmp_path / "large.pgn"
    source.write_bytes(famous.read_bytes() * 100)
    other = tabiya.Store(store.path)
    calls: list[tabiya.Progress] = []

    def come_between(progress: tabiya.Progress) -> None:
        calls.append(progress)
        # The import waits for the first answer only. The second is given when the games are there, and
        # before anybody has looked at them: nobody can change anything while they are added.
        while len(calls) == 2 and not other.deleted:
            try:
                other.refresh()
                other.delete([1])
            except (tabiya.IoError, tabiya.ChangedError):
                time.sleep(0.01)

    assert store.import_(source, progress=come_between).written == 3400
    other.compact()
    assert len(other) == 3442
    for change in (lambda: store.delete([2]), store.compact, lambda: store.import_(famous)):
        with pytest.raises(tabiya.ChangedError):
            change()
    assert len(tabiya.open(store.path)) == 3442
    store.refresh()
    store.delete([2])
    assert len(store) == 3441


def test_one_change_follows_another(store: tabiya.Store, annotated: Path) -> None:
    # So many that small parts are put together meanwhile.
    for number in range(1, 21):
        store.replace(number, tabiya.Game("1. a3"))
        store.import_(annotated, games="1")
    assert len(store) == 63 and len(store.search(moves="1. a3")) == 20
    store.delete(store.search(moves="1. a3").numbers)
    store.compact()
    store.index(rebuild=True)
    assert len(store) == 43 and store.search(moves="1. a3").total == 0


def at_once(*works: Callable[[], object]) -> None:
    """Does all of it in threads, each of its own, and raises what one of them has raised."""
    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(work) for work in works]:
            done.result()


def test_threads_that_share_a_store_change_it_one_after_the_other(
    store: tabiya.Store, samples: Path
) -> None:
    at_once(
        *(lambda: store.import_(samples / "famous.pgn") for _ in range(3)),
        *(lambda: store.import_(samples / "annotated.pgn") for _ in range(3)),
    )
    assert len(store) == 43 * 4
    at_once(*(partial(store.delete, [number]) for number in range(1, 9)), store.refresh)
    assert store.deleted == 8 and [game.number for game in store[1:10]] == [9]
    assert len(tabiya.Store(store.path)) == len(store) == 43 * 4 - 8


def test_progress_of_an_import_cannot_change_the_same_store(
    store: tabiya.Store, famous: Path
) -> None:
    def change(_: tabiya.Progress) -> None:
        store.refresh()
        store.delete([1])

    with pytest.raises(tabiya.UsageError, match="progress cannot change the store"):
        store.import_(famous, progress=change)
    # Nothing was written, and nobody has to wait for the one that failed.
    store.delete([2])
    assert len(store) == 42 and store.deleted == 1


def test_the_length_is_that_of_the_state_that_is_seen(store: tabiya.Store) -> None:
    other = tabiya.Store(store.path)
    assert len(store) == 43
    other.delete([1])
    assert len(store) == 43
    store.refresh()
    assert len(store) == 42
    is_done = threading.Event()

    def count() -> None:
        while not is_done.is_set():
            len(store)

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(2, 12):
        store.delete([number])
    is_done.set()
    for thread in threads:
        thread.join()
    assert len(store) == 32


def test_a_tag_called_like_a_column_is_a_column_besides(tmp_path: Path) -> None:
    store = tabiya.Store(tmp_path / "games.tabiya", create=True)
    with tabiya.create(store.path, append=True) as games:
        tags = {"number": "a", "tag_number": "b", "deleted": "c", "replaced": "d"}
        games.add(tabiya.Game("1. e4", tags=tags))
    store.refresh()
    rows = pa.table(next(store.batches(moves=True)))
    assert len(set(rows.column_names)) == len(rows.column_names)
    assert rows.column("number").to_pylist() == [1] and rows.column("deleted").to_pylist() == [False]
    told = {rows.column(name).to_pylist()[0] for name in rows.column_names if "tag_" in name}
    assert told >= {"a", "b", "c", "d"}


def test_the_last_of_several_scores_counts(tmp_path: Path) -> None:
    path = tmp_path / "scores.pgn"
    path.write_text(
        "{[%eval 9.9] [%clk 1:00:00]} 1. e4 {[%eval 0.3]} {[%eval #2]} "
        "e5 {[%eval #2] [%eval -0.5]} ({[%eval 7.0]} 1... c5) 2. {[%clk 0:00:07] [%eval 1.0]} Nf3 "
        "{[%clk 0:00:05]} *\n"
    )
    (game,) = tabiya.open(path)
    rows = pa.table(tabiya.open(path).positions())
    scores = [node.evaluation for node in game]
    assert rows.column("evaluation").to_pylist() == [None, 100, None]
    assert rows.column("mate").to_pylist() == [2, None, None]
    assert rows.column("clock").to_pylist() == [None, 7_000, 5_000]
    assert [score and score.centipawns for score in scores] == [None, 100, None]
    assert [score and score.mate for score in scores] == [2, None, None]
    assert [node.clock for node in game] == [None, 7, 5]


def test_a_game_that_breaks_within_a_variation_has_its_result_in_all_rows(tmp_path: Path) -> None:
    path = tmp_path / "broken.pgn"
    broken = '[Result "1-0"]\n\n1. e4 e5 (1... c5 (1... d5 2. Ke3 1-0\n'
    path.write_text(broken + '\n[Result "0-1"]\n\n1. d4 0-1\n')
    store = tabiya.Store(tmp_path / "broken.tabiya", create=True)
    store.import_(path)
    for database in (tabiya.open(path), store):
        assert [game.is_broken for game in database] == [True, False]
        rows = pa.table(database.positions(columns=["game", "result"]))
        assert rows.column("game").to_pylist() == [1, 1, 2]
        assert rows.column("result").to_pylist() == [1, 1, -1]


def test_a_null_move_is_no_squares(tmp_path: Path) -> None:
    path = tmp_path / "null.pgn"
    path.write_text("1. e4 -- 2. d4 *\n")
    rows = pa.table(tabiya.open(path).positions(columns=["move", "uci", "san"]))
    assert rows.column("move").to_pylist()[1] == 0 and 0 not in rows.column("move").to_pylist()[::2]
    assert rows.column("uci").to_pylist()[1] == "0000" and rows.column("san").to_pylist()[1] == "--"


def test_deleted_games_are_wanted_in_slices_too(store: tabiya.Store) -> None:
    store.delete([2])
    assert [game.number for game in store[1:4]] == [1, 3]
    every = tabiya.Store(store.path, deleted=True)
    assert [game.number for game in every[1:4]] == [1, 2, 3]
    assert [game.number for game in every[1:40]] == list(range(1, 40))
    assert list(every)[1] == every[2] == every[1:4][1] == every[1:40][1]
    assert every[2].tags["ScidFlags"] == "D"
    # Its mark is that of its own entry, and of no other.
    every.replace(5, list(every)[1])
    assert every.deleted == 1 and "ScidFlags" not in every[5].tags
    every.undelete([2])
    assert every.deleted == 0 and len(every) == 43


def test_a_filtered_database_has_no_duplicates_or_names(store: tabiya.Store) -> None:
    some = store.filter(result="1-0")
    for ask in (tabiya.duplicates, tabiya.names):
        with pytest.raises(tabiya.UsageError, match="filters"):
            ask(some)  # type: ignore[operator]
    assert tabiya.duplicates(store, result="1-0").games == len(some)


def test_deleted_games_have_no_duplicates_or_names(store: tabiya.Store) -> None:
    every = tabiya.Store(store.path, deleted=True)
    for ask in (tabiya.duplicates, tabiya.names):
        with pytest.raises(tabiya.UsageError, match="open it without deleted"):
            ask(every)  # type: ignore[operator]


def test_memory_that_is_none_is_refused(store: tabiya.Store, famous: Path) -> None:
    for work in (
        lambda: store.import_(famous, memory="much"),
        lambda: store.index(memory="much"),
        lambda: tabiya.convert(famous, store.path, append=True, memory="1K"),
        lambda: tabiya.create(store.path, append=True, memory="much"),
    ):
        with pytest.raises(tabiya.UsageError, match="memory"):
            work()  # type: ignore[no-untyped-call]
    assert len(tabiya.open(store.path)) == 43


def test_columns_that_are_not_there_are_refused(store: tabiya.Store) -> None:
    for columns in ([], ["plies"], ["ply"], ["number", "wite"]):
        with pytest.raises(tabiya.UsageError, match="columns"):
            store.table(columns=columns)


def test_what_is_said_of_a_ply_left_out_is_said_of_no_other(tmp_path: Path) -> None:
    path = tmp_path / "gap.pgn"
    path.write_text(
        '[WhiteElo "x"]\n[WhiteElo "2500"]\n\n1. e4 {[%clk 0:00:01]} *\n\n'
        "1. -- {[%tabiya missing]} {[%clk 0:00:02] [%eval 1.0]} 1... e5 {[%clk 0:00:03]} "
        "2. -- {[%tabiya missing]} {[%clk 0:00:04]} *\n"
    )
    rows = pa.table(tabiya.open(path).positions())
    assert rows.column("ply").to_pylist() == [1, 2]
    assert rows.column("clock").to_pylist() == [1_000, 3_000]
    assert rows.column("evaluation").to_pylist() == [None, None]
    # Of a tag that is there twice, the first counts, as everywhere.
    assert rows.column("white_elo").to_pylist() == [game.white_elo for game in tabiya.open(path)]


def test_a_position_is_near_as_the_command_has_it(store: tabiya.Store) -> None:
    board = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R"
    short = store.search(similar=board, limit=3)
    assert [hit.number for hit in short] == store.search(similar=f"{board} w", limit=3).numbers
    assert pa.table(short).num_rows == 3


def test_many_hits_are_several_batches(tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_text('[White "A"]\n\n1. e4 *\n\n' * 70_000)
    hits = tabiya.open(path).search(moves="1. e4")
    table = pa.table(hits)
    assert [len(batch) for batch in table.to_batches()] == [65_536, 70_000 - 65_536]
    assert table.column("number").to_pylist() == hits.numbers == list(range(1, 70_001))
    mine = tmp_path / "mine.pgn"
    mine.write_text("1. e4 e5 *\n")
    left = pa.table(tabiya.open(path).search(repertoire=mine, colour="white"))
    assert [len(batch) for batch in left.to_batches()] == [65_536, 70_000 - 65_536]
    assert set(left.column("left_by").to_pylist()) == {"game"}


def test_hits_are_a_sequence(store: tabiya.Store) -> None:
    hits = store.search(result="1-0")
    assert list(reversed(hits)) == list(hits)[::-1]
    # Polars would take one apart instead of asking for its columns.
    assert not isinstance(hits, Sequence)
    assert hits.index(hits[3]) == 3 and hits[3] in hits and hits.count(hits[3]) == 1
    assert len({*hits, *hits}) == len(hits)
    lost = store.search(result="0-1")[0]
    assert lost not in hits and hits.count("x") == 0
    for arguments in ((lost,), (hits[0], 1), (hits[5], 0, 5)):
        with pytest.raises(ValueError):
            hits.index(*arguments)  # type: ignore[arg-type]


def test_stores_hits_and_tags_are_pickled(store: tabiya.Store) -> None:
    def copy(thing: Any) -> Any:
        return pickle.loads(pickle.dumps(thing))

    store.delete([1])
    again = copy(tabiya.Store(store.path, deleted=True, jobs=1))
    assert type(again) is tabiya.Store and len(again) == 43 and len(copy(store)) == 42
    hit = store.search(mate=True)[0]
    assert copy(hit) == hit and copy(hit).ply == hit.ply and hash(copy(hit)) == hash(hit)
    assert copy(hit.tags) == hit.tags == dict(hit.tags)
    for game in store:
        assert copy(game.tags).pairs() == game.tags.pairs()


def test_sequences_of_all_kinds_are_taken(
    store: tabiya.Store, famous: Path, annotated: Path
) -> None:
    class Few(Sequence[Any]):
        def __init__(self, *items: Any) -> None:
            self.items = items

        def __len__(self) -> int:
            return len(self.items)

        def __getitem__(self, place: Any) -> Any:
            return self.items[place]

    expected = store.search(moves=["1. e4", "1. e4 e5"]).numbers
    assert store.search(moves=Few("1. e4", "1. e4 e5")).numbers == expected
    assert tabiya.duplicates(Few(famous, annotated)).games == 43
    assert store.table(columns=Few("white")).column_names == ["white"]


def test_damage_is_told_once(store: tabiya.Store) -> None:
    for path in store.path.glob("*.arrow"):
        whole = bytearray(path.read_bytes())
        for place in range(1_000, len(whole) - 1_000, 1_000):
            whole[place] ^= 0xFF
        path.write_bytes(whole)
    check = tabiya.open(store.path, salvage=True).check()
    assert not check.ok and check.damage
    assert store.check().damage
    assert len(set(check.damage)) == len(check.damage)


def test_what_is_deleted_is_neither_read_nor_replaced(annotated: Path, tmp_path: Path) -> None:
    store = tabiya.Store(tmp_path / "games.tabiya", create=True)
    store.import_(annotated)
    game = store[1]
    store.delete([1])
    with pytest.raises(tabiya.NoSuchGameError):
        store[1]
    with pytest.raises(tabiya.NoSuchGameError):
        store.replace(1, game)
    every = tabiya.Store(store.path, deleted=True)
    assert every[1].uci == game.uci
    # Whoever sees it is told what it is.
    with pytest.raises(tabiya.UsageError, match="game 1: it is deleted: undelete it first") as raised:
        every.replace(1, game)
    assert raised.value.game == 1
    every.undelete([1])
    every.replace(1, game)
    assert every[1] == game


def test_no_game_is_replaced_by_a_broken_one(store: tabiya.Store) -> None:
    before = store[2]
    broken = tabiya.Game.from_pgn("1. e4 e5 2. Ke3 *")
    with pytest.raises(tabiya.UsageError, match="game: it is broken"):
        store.replace(2, broken)
    assert store[2] == before
