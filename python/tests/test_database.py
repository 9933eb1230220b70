"""Databases of any format are opened, and their games read."""

from __future__ import annotations

import datetime
import errno
import gc
import gzip
import inspect
import io
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import tabiya
from tabiya import _types

from conftest import interrupted


def test_games_come_one_after_the_other(famous: Path) -> None:
    database = tabiya.open(famous)
    games = list(database)
    assert len(games) == len(database) == 34
    assert [game.number for game in games] == list(range(1, 35))
    assert games[1].white == "Anderssen, Adolf"
    assert database.format == "pgn"
    assert database.compression is None


def test_a_database_may_be_read_by_several_at_once(famous: Path) -> None:
    database = tabiya.open(famous)
    one, other = iter(database), iter(database)
    assert next(one) == next(other)
    assert len(list(one)) == len(list(other)) == 33


def test_numbers_begin_at_one(famous: Path) -> None:
    database = tabiya.open(famous)
    assert database[2].number == 2
    assert database[-1].number == 34
    assert [game.number for game in database[3:6]] == [3, 4, 5]
    assert [game.number for game in database[30:]] == [30, 31, 32, 33, 34]
    assert [game.number for game in database[1:10:4]] == [1, 5, 9]
    for number in (0, 35, -35):
        with pytest.raises(tabiya.NoSuchGameError) as raised:
            database[number]
        assert isinstance(raised.value, LookupError)
        assert re.search(rf"\bgame {number}\b", str(raised.value)), raised.value
        assert raised.value.file == str(famous)


def test_filters_are_keywords(famous: Path) -> None:
    def numbers(**filters: object) -> list[int | None]:
        return [game.number for game in tabiya.open(famous, **filters)]  # type: ignore[arg-type]

    assert numbers(player="morphy")
    assert numbers(white="anderssen")[0] == 2
    assert numbers(since=1900, until=datetime.date(1950, 12, 31)) == numbers(
        since="1900", until="1950"
    )
    assert set(numbers(result="1-0")) | set(numbers(result="0-1")) < set(range(1, 35))
    assert numbers(plies=(None, 40)) == numbers(plies="..40")
    assert numbers(eco="C") == numbers(eco=["C0..C9"])
    everything = list(range(1, 35))
    assert numbers(player=None) == everything
    assert numbers(elo=(1, None)) != everything
    for name in ("elo", "elo_diff", "elo_mean", "plies"):
        assert numbers(**{name: (None, None)}) == everything
    database = tabiya.open(famous, result="1-0")
    assert len(database.filter(player="morphy")) == len(numbers(result="1-0", player="morphy"))
    lost = tabiya.open(famous, result="0-1").filter(player="morphy")
    assert lost[lost[1:][0].number or 0].black == "Morphy, Paul"
    with pytest.raises(tabiya.NoSuchGameError):
        lost[1]


@pytest.mark.parametrize(
    "filters",
    [
        {"elo": (2700, 2500)},
        {"elo": "high"},
        {"result": "2-0"},
        {"since": "soon"},
        {"versus": "tal"},
        {"chess960": 960},
        {"eco": "Z"},
        {"title": ""},
    ],
)
def test_filters_that_make_no_sense_are_refused(famous: Path, filters: dict[str, object]) -> None:
    with pytest.raises(ValueError) as raised:
        tabiya.open(famous, **filters)  # type: ignore[arg-type]
    assert isinstance(raised.value, tabiya.UsageError)


def test_unknown_keywords_are_type_errors(famous: Path) -> None:
    with pytest.raises(TypeError, match="plyer"):
        tabiya.open(famous, plyer="tal")  # type: ignore[call-arg]


def test_all_keywords_are_known_to_readers_and_to_type_checkers(famous: Path) -> None:
    filters = set(_types.Filters.__annotations__)
    conditions = set(_types.Conditions.__annotations__)
    assert set(named(tabiya.open)) >= filters and not filters & conditions
    assert set(named(tabiya.Database.search)) == conditions | {"sort", "limit", "openings"}
    # None asks nothing, and a keyword that is not known is a TypeError.
    database = tabiya.open(famous, **dict.fromkeys(filters))
    assert len(database.search(**dict.fromkeys(filters | conditions))) == 34


def named(function: Callable[..., object]) -> list[str]:
    """The names that a docstring has between backquotes."""
    return re.findall(r"`(\w+)`", inspect.getdoc(function) or "")


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        tabiya.open(tmp_path / "none.pgn")
    assert isinstance(raised.value, tabiya.TabiyaError)
    assert raised.value.file == raised.value.filename == str(tmp_path / "none.pgn")
    assert raised.value.errno == errno.ENOENT
    assert str(raised.value).startswith(f"{tmp_path / 'none.pgn'}: cannot be opened")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_whose_name_is_no_unicode_is_named_as_python_names_it(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"b\xfccher.pgn")
    with pytest.raises(tabiya.NotFoundError) as raised:
        tabiya.open(path)
    assert raised.value.file == raised.value.filename == str(path)


def test_a_packed_file_that_is_cut_off_is_damaged(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "famous.pgn.gz"
    tabiya.convert(famous, path)
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(tabiya.DataError) as raised:
        list(tabiya.open(path))
    assert raised.value.kind == "damaged" and raised.value.file == str(path)


def test_a_stranger_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(tabiya.FormatError) as raised:
        tabiya.open(path)
    assert raised.value.kind in {"foreign", "unknown format"}


def test_all_formats_that_are_written_are_read(famous: Path, tmp_path: Path) -> None:
    expected = [game.uci for game in tabiya.open(famous)]
    tried = 0
    for form in tabiya.formats():
        # FEN and EPD are positions, without the moves to them.
        if not (form.reads and form.writes and form.extensions) or form.name in {"fen", "epd"}:
            continue
        target = tmp_path / f"{form.name.replace(':', '-')}.{form.extensions[0]}"
        report = tabiya.convert(famous, target, format=form.name)
        assert report.read == 34, form
        found = [game.uci for game in tabiya.open(target, format=form.name)]
        assert found == expected, form
        tried += 1
    assert tried >= 8


def test_an_archive_with_a_password(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "sealed.cbz"
    tabiya.convert(famous, path, new_password="sesame")
    with pytest.raises(tabiya.PasswordError):
        list(tabiya.open(path))
    for password in ("simsim", "", "\u0416"):
        with pytest.raises(tabiya.PasswordError) as raised:
            tabiya.open(path, password=password)
        assert raised.value.kind == "wrong password" and raised.value.file == str(path)
    assert len(tabiya.open(path, password="sesame")) == 34
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(tabiya.DataError):
        list(tabiya.open(path, password="sesame"))


@pytest.mark.parametrize("name", ["games.cbv", "games.2cbv", "games.si5", "games.cbh"])
def test_an_archive_is_unpacked_once(
    name: str, famous: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    tabiya.convert(famous, path)
    database = tabiya.open(path)
    # Nobody can unpack anything below a file.
    monkeypatch.setenv("TMPDIR", str(path / "folder"))
    assert database[2].uci == tabiya.open(famous)[2].uci
    assert [game.number for game in database] == list(range(1, 35))
    hits = database.filter(result="1-0").search(mate=True)
    assert [database[hit.number].end.is_checkmate for hit in hits] == [True]
    assert sum(len(part) for part in database.table()) == len(database[1:]) == len(database) == 34
    # `check` reads what is there now. The system is to blame, and not the file.
    if name.endswith("cbv"):
        with pytest.raises(tabiya.IoError):
            database.check()
    # What is there then is read.
    monkeypatch.delenv("TMPDIR")
    tabiya.convert(famous, path, games="1..3")
    assert len(database) == 3 and [game.number for game in database] == [1, 2, 3]


def test_packed_files_are_opened(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "famous.pgn.zst"
    tabiya.convert(famous, path)
    database = tabiya.open(path)
    assert database.compression == "zst"
    assert list(database) == list(tabiya.open(famous))


def test_info_counts(famous: Path, annotated: Path) -> None:
    info = tabiya.open(famous).info()
    assert info.games == 34
    assert sum(info.results.values()) == 34
    assert info.format == "pgn"
    assert info.bytes == famous.stat().st_size
    assert len(info.top_players(3)) == 3
    info = tabiya.open(annotated).info()
    assert info.variations > 0 and info.comments > 0 and info.nags > 0


def test_check_finds_what_is_broken(tmp_path: Path, famous: Path) -> None:
    assert tabiya.open(famous).check().ok
    path = tmp_path / "broken.pgn"
    path.write_text('[White "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n')
    check = tabiya.open(path).check()
    assert not check.ok and check.broken == 1
    worst = [finding for finding in check.findings if finding.severity == "error"]
    assert worst[0].game == 1 and worst[0].kind == "illegal move" and worst[0].line == 4
    game = tabiya.open(path)[1]
    assert game.is_broken and game.san == ["e4", "e5"]
    assert game.errors[0].raw.startswith("Ke3")


def test_several_threads_find_what_one_finds(tmp_path: Path) -> None:
    path = tmp_path / "broken.pgn"
    good, bad = '[White "A"]\n\n1. e4 e5 1-0\n\n', '[White "B"]\n\n1. e4 e5 2. Ke3 0-1\n\n'
    path.write_text((good * 4_999 + bad) * 8)
    one, several = (tabiya.open(path, jobs=jobs).check() for jobs in (1, 4))
    assert (several.games, several.broken) == (one.games, one.broken) == (40_000, 8)
    assert several.faulty == one.faulty
    broken = [finding.game for finding in several.findings if finding.kind == "illegal move"]
    assert broken == list(range(5_000, 40_001, 5_000))
    assert several == one and hash(several) == hash(one)
    assert len(set(several.findings)) == len(several.findings) == several.total
    some = tabiya.open(path, white="B", jobs=4).check()
    assert some.games == 8 and {finding.game for finding in some.findings} == set(broken)


def test_a_check_keeps_as_many_findings_as_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "broken.pgn"
    path.write_text('[White "B"]\n\n1. e4 e5 2. Ke3 0-1\n\n' * 30_000)
    database = tabiya.open(path, jobs=4)
    every = database.check()
    assert len(every.findings) == every.total > every.games == every.broken == 30_000
    for limit in (0, 1, 40_000):
        some = database.check(limit=limit)
        assert some.findings == every.findings[:limit] and some.total == every.total
        assert (some.games, some.broken, some.faulty) == (every.games, every.broken, every.faulty)
        assert not some.ok and some != every


def test_games_are_read_while_other_threads_run(famous: Path) -> None:
    database = tabiya.open(famous)
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: counts.append(sum(1 for _ in database))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [34] * 4


def test_an_iterator_shared_by_threads_loses_nothing(famous: Path) -> None:
    games = iter(tabiya.open(famous))
    seen: list[int | None] = []

    def take() -> None:
        seen.extend(game.number for game in games)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(number or 0 for number in seen) == list(range(1, 35))


def many(tmp_path: Path, games: int) -> Path:
    text = io.StringIO()
    for number in range(games):
        text.write(f'[White "Player {number}"]\n[Result "*"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *\n\n')
    path = tmp_path / "many.pgn"
    path.write_text(text.getvalue())
    return path


def test_ctrl_c_ends_long_work(tmp_path: Path) -> None:
    path, target = many(tmp_path, 60_000), tmp_path / "out.si5"
    with pytest.raises(KeyboardInterrupt):
        # Nothing is written before the first answer.
        tabiya.convert(path, target, progress=lambda _: signal.raise_signal(signal.SIGINT))
    # So many that there is no end of it.
    interrupted(lambda: tabiya.convert([path] * 1_000, target))
    # The file itself, and nothing that is done or half done.
    assert {path.name for path in tmp_path.iterdir()} == {"many.pgn"}


def test_an_iterator_may_be_left_early(tmp_path: Path) -> None:
    path = many(tmp_path, 20_000)
    for _ in range(20):
        assert next(iter(tabiya.open(path))).white == "Player 0"


def cpu_seconds(work: Callable[[], object]) -> float:
    """How long this process works: others, which may be busy just then, do not count."""
    began = time.process_time()
    work()
    return time.process_time() - began


def test_ctrl_c_ends_a_slice(tmp_path: Path) -> None:
    source, path = tmp_path / "long.pgn", tmp_path / "long.tabiya"
    line = " ".join(f"{ply + 1}. Nf3 Nf6 {ply + 2}. Ng1 Ng8" for ply in range(0, 160, 2))
    source.write_text(f'[Result "*"]\n\n{line} *\n\n' * 16_000)
    tabiya.convert(source, path, index=False)
    database = tabiya.open(path)

    def read() -> None:
        # So few of all that they are asked for one by one.
        assert len(database[1:3_900]) == 3_899

    whole = cpu_seconds(read)
    assert cpu_seconds(lambda: interrupted(read, whole / 8)) < whole * 0.7


def test_ctrl_c_ends_the_reading_of_a_text(tmp_path: Path) -> None:
    text = many(tmp_path, 60_000).read_text() * 5

    def read() -> None:
        tabiya.Game.all_from_pgn(text)

    whole = cpu_seconds(read)
    assert cpu_seconds(lambda: interrupted(read)) < whole * 0.7


def test_a_database_is_no_sequence(famous: Path, tmp_path: Path) -> None:
    store = tabiya.Store(tmp_path / "games.tabiya", create=True)
    store.import_(famous)
    for database in (tabiya.open(famous), store):
        with pytest.raises(TypeError, match="reversible"):
            reversed(database)  # type: ignore[call-overload]
        assert not isinstance(database, Sequence) and isinstance(database, tabiya.Database)
        assert len(database) == 34 and database[34].number == 34
        assert [game.number for game in database] == list(range(1, 35))
        with pytest.raises(tabiya.NoSuchGameError):
            database[0]


def test_slices_end_where_the_games_do(famous: Path) -> None:
    database = tabiya.open(famous)
    assert [game.number for game in database[-1000:3]] == [1, 2]
    assert [game.number for game in database[33:1000]] == [33, 34]
    assert [game.number for game in database[-2:]] == [33, 34]
    assert database[5:2] == database[:0] == database[:-1000] == []


def test_numbers_that_no_file_has_are_told_as_they_are(famous: Path) -> None:
    with pytest.raises(ValueError, match=f"number: {2**70} is out of range"):
        tabiya.open(famous)[2**70]


def test_what_comes_before_the_damage_is_handed_out(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.pgn.gz"
    broken = b'[White "B"]\n\n1. e4 e5 2. Ke3 0-1\n\n'
    packed = gzip.compress(broken + famous.read_bytes() * 40)
    path.write_bytes(packed[: -len(packed) // 4])
    read = []
    with pytest.raises(tabiya.DataError) as raised:
        for game in tabiya.open(path):
            read.append(game.number)
    assert raised.value.file == str(path)
    assert read == list(range(1, len(read) + 1)) and len(read) > 34


def cut(famous: Path, tmp_path: Path) -> tuple[Path, int]:
    """A packed file that is cut off, and how many of its games can be read."""
    path = tmp_path / "cut.pgn.gz"
    broken = b'[White "B"]\n\n1. e4 e5 2. Ke3 0-1\n\n'
    packed = gzip.compress(broken + famous.read_bytes() * 40)
    path.write_bytes(packed[: -len(packed) // 4])
    games = 0
    with pytest.raises(tabiya.DataError):
        for _ in tabiya.open(path):
            games += 1
    return path, games


def test_a_stream_that_was_read_is_not_empty(famous: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    database = tabiya.open(famous)
    lent = database.table()
    assert pa.table(lent).num_rows == 34
    for again in (lambda: list(lent), lambda: pa.table(lent)):
        with pytest.raises(tabiya.UsageError, match="only once"):
            again()
    iterated = database.table()
    assert sum(len(part) for part in iterated) == 34 and list(iterated) == []
    begun = database.positions(batch_size=100)
    assert len(next(begun)) == 100
    for stream in (iterated, begun):
        with pytest.raises(tabiya.UsageError, match="only once"):
            pa.table(stream)
    assert sum(len(part) for part in begun) + 100 == pa.table(database.positions()).num_rows


def test_an_error_that_names_any_bytes_gets_through_a_stream(famous: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a#.pgn", famous.read_bytes() * 10)
    # The module takes no such name, and makes no such checksum.
    packed = path.read_bytes().replace(b"a#.pgn", b"a\0.pgn")
    path.write_bytes(packed.replace(b"Morphy", b"Morphz", 1))
    # Whoever aborts takes the whole process along.
    program = (
        "import sys, pyarrow, tabiya\n"
        "try: pyarrow.table(tabiya.open(sys.argv[1]).table())\n"
        "except pyarrow.ArrowException as error: print(error)\n"
        "except Exception as error: print(type(error), error)\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert r"a\u{0}.pgn in the zip archive is damaged" in said.stdout


def test_large_ratings_are_the_same_everywhere(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "strong.pgn"
    path.write_text('[WhiteElo "40000"]\n\n1. e4 *\n')
    database = tabiya.open(path)
    assert database[1].white_elo == 40_000
    for rows in (database.table(columns=["white_elo"]), database.positions(columns=["white_elo"])):
        assert pa.table(rows).to_pylist() == [{"white_elo": 40_000}]
    assert next(database.position_arrays())["white_elo"].tolist() == [40_000]


def test_true_is_no_number(famous: Path, tmp_path: Path) -> None:
    database, target = tabiya.open(famous), tmp_path / "a.pgn"
    for wrong in (
        lambda: database.search(sacrifice=True),
        lambda: database.search(limit=True),
        lambda: database.filter(chess960=True),
        lambda: tabiya.convert(famous, target, games=True),  # type: ignore[arg-type]
        lambda: tabiya.convert(famous, target, games=[2, True]),
    ):
        with pytest.raises(TypeError, match="expected"):
            wrong()
    assert not target.exists()


def test_batches_have_a_size(famous: Path) -> None:
    for size in (0, 10**9):
        with pytest.raises(tabiya.UsageError, match="batch_size: a batch has from 1 to"):
            tabiya.open(famous).positions(batch_size=size)
        with pytest.raises(tabiya.UsageError, match="batch_size: a batch has from 1 to"):
            tabiya.open(famous).position_arrays(batch_size=size)


def test_days_are_days(famous: Path) -> None:
    day = datetime.date(1900, 1, 1)
    assert len(tabiya.open(famous, since=day)) == len(tabiya.open(famous, since="1900-01-01"))
    assert len(tabiya.open(famous, since=datetime.datetime(1900, 1, 1))) == len(
        tabiya.open(famous, since=day)
    )
    assert len(tabiya.open(famous, since=datetime.date(999, 1, 1))) == 34
    for no_day in (datetime.time(12), True, 1900.5):
        with pytest.raises(TypeError, match="since: expected a str, a year or a date"):
            tabiya.open(famous, since=no_day)  # type: ignore[arg-type]


def test_rows_before_the_damage_are_handed_out(famous: Path, tmp_path: Path) -> None:
    path, games = cut(famous, tmp_path)
    assert games > 34
    for stream, column in (
        (tabiya.open(path).table(columns=["number"]), "number"),
        (tabiya.open(path).positions(columns=["game"]), "game"),
    ):
        numbers: set[int] = set()
        pa = pytest.importorskip("pyarrow")
        with pytest.raises(tabiya.DataError):
            for part in stream:
                numbers.update(pa.table(part).column(column).to_pylist())
        assert numbers >= set(range(1, games))
    arrays = tabiya.open(path).position_arrays()
    assert int(next(arrays)["game"][-1]) >= games - 1
    with pytest.raises(tabiya.DataError):
        next(arrays)


def test_what_comes_before_the_damage_is_checked(famous: Path, tmp_path: Path) -> None:
    path, games = cut(famous, tmp_path)
    check = tabiya.open(path).check()
    assert check.games == games and check.broken == 1 and not check.ok
    assert any(finding.kind == "illegal move" for finding in check.findings)
    assert len(check.damage) == 1 and "cut off" in check.damage[0] and str(path) in check.damage[0]
    # What nobody can read twice is no other.
    program = "import tabiya; check = tabiya.open('-').check(); print(check.games, check.damage)"
    said = subprocess.run(
        [sys.executable, "-c", program],
        input=path.read_bytes(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    ).stdout.decode()
    assert said.startswith(f"{games} ") and "cut off" in said
    # Whoever ends it hears of nothing else.
    with pytest.raises(tabiya.Cancelled):
        tabiya.open(path).check(progress=lambda _: False)


def test_a_damaged_text_is_no_broken_game(famous: Path, tmp_path: Path) -> None:
    scid, path, moves = (tmp_path / name for name in ("games.si4", "games.cbh", "games.cbg"))
    tabiya.convert(famous, scid)
    # The description of a Scid base stands in its index, from byte 20 on. In ChessBase it is a text.
    index = bytearray(scid.read_bytes())
    index[20:28] = b"My games"
    scid.write_bytes(index)
    tabiya.convert(scid, path)
    database = tabiya.open(path)
    assert database.info().texts == 1 and database.check().ok
    # The first record, of 46 bytes as the head before it, says where the text is; its type is the byte
    # behind the frame.
    frame = int.from_bytes(path.read_bytes()[47:51], "big")
    record = bytearray(moves.read_bytes())
    record[frame + 4] = 9
    moves.write_bytes(record)
    check = database.check()
    assert (check.games, check.broken, check.damaged, check.total, check.ok) == (34, 0, 1, 1, False)
    assert check.findings[0].message == "a text that cannot be read"
    assert repr(check) == "Check(games=34, broken=0, faulty=0, damaged=1)"
    assert pickle.loads(pickle.dumps(check)) == check


def test_a_salvaged_file_ends_where_it_is_damaged(famous: Path, tmp_path: Path) -> None:
    path, games = cut(famous, tmp_path)
    database = tabiya.open(path, salvage=True)
    everything = list(range(1, games + 1))
    assert [game.number for game in database] == everything and len(database) == games
    assert [game.number for game in database[1:]] == everything
    assert sum(len(part) for part in database.table()) == games
    assert sum(len(part) for part in database.positions(columns=["ply"])) > games
    assert database.search().total == database.info().games == games
    assert 0 < database.tree().total.games <= games
    check = database.check()
    assert check.games == games and not check.ok and "cut off" in " ".join(check.damage)
    assert tabiya.convert(path, tmp_path / "rest.pgn", salvage=True).written == games
    with pytest.raises(tabiya.DataError):
        tabiya.open(path).tree()


def test_the_length_is_that_of_the_file_as_it_is(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(famous.read_bytes())
    database = tabiya.open(path)
    assert len(database) == 34
    path.write_bytes(famous.read_bytes() * 2)
    assert len(database) == len([game for game in database]) == 68


def test_the_length_is_that_of_all_files_as_they_are(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.si5"
    tabiya.convert(famous, path)
    # The file of games is not the one that changes.
    database = tabiya.open(path.with_suffix(".sg5"))
    assert len(database) == len(database) == 34
    index = path.read_bytes()
    path.write_bytes(index[: -len(index) // 34])
    assert len(database) == len(list(database)) == 33 == database.entries


def test_a_database_says_of_itself_what_its_files_are_now(famous: Path, tmp_path: Path) -> None:
    path, notes = tmp_path / "games.cbh", tmp_path / "games.cba"
    tabiya.convert(famous, path)
    whole = notes.read_bytes()
    notes.unlink()
    database = tabiya.open(path)
    assert ".cba" in repr(database.damage)
    notes.write_bytes(whole)
    assert database.info().games == 34 and database.damage == []
    path, moves = tmp_path / "games.si5", tmp_path / "games.sg5"
    tabiya.convert(famous, path)
    whole = moves.read_bytes()
    moves.write_bytes(whole[: len(whole) // 2])
    database = tabiya.open(path, salvage=True)
    assert "cut off" in repr(database.damage) and database.info().broken
    moves.write_bytes(whole)
    assert database.info().broken == 0 and database.damage == []
    path = tmp_path / "games.pgn"
    path.write_bytes(famous.read_bytes())
    database = tabiya.open(path)
    path.write_bytes(gzip.compress(famous.read_bytes()))
    assert len(database) == 34 and database.compression == "gz"
    tabiya.convert(famous, tmp_path / "games.cbv")
    path.write_bytes((tmp_path / "games.cbv").read_bytes())
    assert len(database) == 34 and database.compression is None
    assert database.format == "chessbase:archive" and database.format in repr(database)


@pytest.mark.parametrize("name", ["games.si5", "games.cbh", "games.2cbh"])
def test_a_database_in_a_zip_archive_is_unpacked_once(name: str, famous: Path, tmp_path: Path) -> None:
    files, passing, path = tmp_path / "files", tmp_path / "passing", tmp_path / "games.zip"
    for folder in (files, passing):
        folder.mkdir()
    tabiya.convert(famous, files / name)
    shutil.make_archive(str(path.with_suffix("")), "zip", files)
    program = (
        "import os, sys, tabiya\n"
        "path, passing = sys.argv[1:]\n"
        "database, there = tabiya.open(path), os.listdir(passing)\n"
        "assert len(database) == 34 and database[3].number == 3 and database.search().total == 34\n"
        "assert len(there) == 1 and os.listdir(passing) == there, there\n"
        "os.utime(path, (0, 0))\n"
        "assert database[3].number == 3\n"
        "now = os.listdir(passing)\n"
        "assert len(now) == 1 and now != there, now\n"
        "del database\n"
        "assert os.listdir(passing) == []\n"
    )
    command = [sys.executable, "-c", program, str(path), str(passing)]
    environment = {**os.environ, "TMPDIR": str(passing), "TMP": str(passing)}
    subprocess.run(command, env=environment, check=True)


def test_numbers_out_of_range_are_told_with_their_names(famous: Path, tmp_path: Path) -> None:
    database, start = tabiya.open(famous), tabiya.Position()
    store = tabiya.Store(tmp_path / "games.tabiya", create=True)
    for name, ask in {
        "jobs": lambda: tabiya.open(famous, jobs=-1),
        "limit": lambda: database.search(limit=-1),
        "batch_size": lambda: database.positions(batch_size=-1),
        "depth": lambda: start.perft(-1),
        "min_games": lambda: database.tree(min_games=-1),
        "columns": lambda: database[1].to_pgn(columns=-1),
        "split": lambda: tabiya.convert(famous, tmp_path / "x.pgn", split=-1),
        "number": lambda: tabiya.Position.chess960(-1),
        "numbers": lambda: store.delete([-1]),
        "n": lambda: database.info().top_players(-1),
        "start": lambda: database[10**30 :],
    }.items():
        with pytest.raises(tabiya.UsageError, match=f"^{name}: -?10* is out of range"):
            ask()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_what_is_under_way_belongs_to_the_process_that_has_begun_it(tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_text('[White "A"]\n\n1. e4 *\n\n' * 100_000)
    games, rows = iter(tabiya.open(path)), iter(tabiya.open(path).positions(batch_size=100))
    writer = tabiya.create(tmp_path / "made.si5")
    writer.add(next(games))
    next(rows)

    def child() -> None:
        nonlocal games, rows, writer
        for begun in (games, rows):
            with pytest.raises(tabiya.UsageError, match="another process"):
                list(begun)
        for use in (lambda: writer.add(tabiya.Game("1. e4")), writer.finish, writer.abandon):
            with pytest.raises(tabiya.UsageError, match="another process"):
                use()
        del begun, use, games, rows, writer
        gc.collect()
        assert len(tabiya.open(path)) == 100_000

    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            child()
            status = 0
        finally:
            # pytest goes on in the other one.
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
    assert sum(1 for _ in games) == 99_999
    assert sum(len(part) for part in rows) == 99_900
    writer.add(tabiya.Game("1. d4"))
    writer.finish()
    assert len(tabiya.open(tmp_path / "made.si5")) == 2


def test_a_text_is_no_list_of_texts(famous: Path) -> None:
    database, start = tabiya.open(famous), tabiya.Position()
    for name, ask in {
        "columns": lambda: database.table(columns="white"),
        "kinds": lambda: tabiya.names(famous, kinds="players"),  # type: ignore[arg-type]
        "prefer": lambda: tabiya.duplicates(famous, prefer="longest"),
        "arrows": lambda: start.svg(arrows="Ge2e4"),
        "squares": lambda: start.svg(squares="Rd5"),
    }.items():
        with pytest.raises(tabiya.UsageError, match=f"^{name}: expected a list"):
            ask()
    with pytest.raises(TypeError, match="columns: expected a list, not int"):
        database.table(columns=1)  # type: ignore[arg-type]


def test_what_is_no_database_is_told_with_its_name(famous: Path) -> None:
    for name, ask in {
        "databases": lambda: tabiya.duplicates([famous, 7]),  # type: ignore[list-item]
        "repertoire": lambda: tabiya.open(famous).search(repertoire=7),  # type: ignore[arg-type]
    }.items():
        with pytest.raises(TypeError, match=f"^{name}: expected a path or a Database, not int"):
            ask()


def test_an_empty_list_asks_for_nothing_and_is_refused(famous: Path, tmp_path: Path) -> None:
    database, target = tabiya.open(famous), tmp_path / "a.pgn"
    asked: dict[str, Callable[[], object]] = {
        "columns": lambda: database.table(columns=[]),
        "kinds": lambda: tabiya.names(famous, kinds=[]),
        "databases": lambda: tabiya.duplicates([]),
        "source": lambda: tabiya.convert([], target),
        "games": lambda: tabiya.convert(famous, target, games=[]),
        "left_by": lambda: database.search(repertoire=famous, colour="white", left_by=[]),
    }
    for name in ("eco", "title"):
        asked[name] = lambda name=name: database.filter(**{name: ()})  # type: ignore[misc]
    conditions = ("fen", "moves", "pattern", "material", "pawns", "manoeuvre", "sequence", "streak")
    for name in (*conditions, "where"):
        asked[name] = lambda name=name: database.search(**{name: []})  # type: ignore[misc]
    for name, ask in asked.items():
        with pytest.raises(tabiya.UsageError, match=f"^{name}: name at least one"):
            ask()
    assert not target.exists()


def test_filters_are_joined_and_never_replaced(famous: Path) -> None:
    won = tabiya.open(famous, result="1-0", eco=["C"])
    assert len(won.filter(result="1-0", player=None)) == len(won)
    for more in ({"result": "0-1"}, {"eco": "B"}):
        for ask in (won.filter, won.search, won.tree, won.table, won.positions):
            with pytest.raises(tabiya.UsageError, match="already"):
                ask(**more)  # type: ignore[operator]
    played = tabiya.open(famous, player="morphy").filter(versus="paulsen")
    assert {game.white for game in played} | {game.black for game in played} >= {"Paulsen, Louis"}


def test_a_database_is_closed(famous: Path) -> None:
    with tabiya.open(famous) as database:
        games = iter(database)
        next(games)
    assert len(list(games)) == 33
    for use in (len, list, tabiya.Database.info, tabiya.Database.check, tabiya.Database.filter):
        with pytest.raises(tabiya.UsageError, match="is closed") as raised:
            use(database)  # type: ignore[operator]
        assert raised.value.file == str(famous) and str(raised.value).count(str(famous)) == 1


def test_databases_are_pickled_with_their_filters(famous: Path) -> None:
    database = tabiya.open(famous, result="1-0", jobs=1).filter(since=1850, eco=["C", "B"])
    copy = pickle.loads(pickle.dumps(database))
    assert [game.number for game in copy] == [game.number for game in database]
    assert 0 < len(copy) < len(tabiya.open(famous, result="1-0"))
    with pytest.raises(tabiya.UsageError, match="already"):
        copy.filter(result="0-1")


def test_a_password_is_not_pickled(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "sealed.cbz"
    tabiya.convert(famous, path, new_password="sesame")
    with pytest.raises(tabiya.UsageError, match="password"):
        pickle.dumps(tabiya.open(path, password="sesame"))


def test_standard_input_is_listed(famous: Path) -> None:
    program = (
        "import tabiya; db = tabiya.open('-'); print(len(list(db)))\n"
        "try: len(db)\nexcept TypeError as error: print(error)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program],
        input=famous.read_bytes(),
        stdout=subprocess.PIPE,
        check=True,
    ).stdout.decode()
    assert said.splitlines()[0] == "34" and "read only once" in said


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names")
def test_ctrl_c_ends_a_loop_over_a_pipe_that_is_silent(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "pipe.pgn"
    os.mkfifo(path)
    program = (
        "import signal, sys, tabiya\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try:\n"
        "    for game in tabiya.open(sys.argv[1]): print(game.number, flush=True)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        with path.open("wb", buffering=0) as pipe:
            # Enough for a part of the file, so that the loop has begun.
            text = famous.read_bytes() * 200
            writer = threading.Thread(target=lambda: pipe.write(text))
            writer.start()
            assert process.stdout.readline() == b"1\n"
            writer.join()
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=60)
    assert said.endswith(b"interrupted\n") and process.returncode == 0


@pytest.mark.parametrize("jobs", [2**62, 2**63 - 1])
def test_more_threads_than_there_can_be_are_not_too_many_to_count(
    jobs: int, famous: Path, tmp_path: Path
) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(famous.read_bytes() * 200)
    assert len(tabiya.open(path, jobs=jobs)) == 34 * 200


def test_errors_of_the_system_keep_their_number_in_a_pickle(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        tabiya.open(tmp_path / "none.pgn")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert type(copy) is tabiya.NotFoundError and str(copy) == str(raised.value)
    assert copy.errno == raised.value.errno == errno.ENOENT
    assert copy.file == raised.value.file and copy.kind == "not found"
    assert copy.filename == raised.value.filename


def is_open(path: Path) -> bool:
    """Whether this process has a file open, or in its memory."""
    links = [os.readlink(link) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return str(path) in links or str(path) in Path("/proc/self/maps").read_text()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_an_iterator_that_is_left_has_closed_its_file(tmp_path: Path) -> None:
    path = many(tmp_path, 60_000)
    for start in (
        iter,
        tabiya.Database.table,
        tabiya.Database.positions,
        lambda database: database.position_arrays(batch_size=100),
    ):
        rows = start(tabiya.open(path))  # type: ignore[operator]
        next(rows)
        assert is_open(path)
        del rows
        assert not is_open(path)


def test_few_games_are_read_ahead(tmp_path: Path) -> None:
    """Whole games are large: a few parts of the file wait, however many threads there may be."""
    path = tmp_path / "long.pgn"
    line = " ".join(f"{ply + 1}. Nf3 Nf6 {ply + 2}. Ng1 Ng8" for ply in range(0, 40, 2))
    path.write_text(f'[Result "*"]\n\n{line} *\n\n' * 60_000)
    program = (
        "import sys, time, resource, tabiya\n"
        "def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10\n"
        "before = most(); games = iter(tabiya.open(sys.argv[1], jobs=16)); next(games)\n"
        "still = 0\n"
        "while still < 4:\n"
        "    now = most(); time.sleep(0.5); still = still + 1 if most() == now else 0\n"
        "print(most() - before)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program, path], stdout=subprocess.PIPE, check=True
    ).stdout
    # Megabytes; with four parts for each thread it would be twice as many.
    assert int(said) < 450


def test_small_batches_take_no_longer_than_large_ones(tmp_path: Path) -> None:
    path = many(tmp_path, 40_000)

    def read(batch_size: int) -> None:
        stream = tabiya.open(path).positions(columns=["ply"], batch_size=batch_size)
        assert sum(len(part) for part in stream) == 200_000

    # With the rest moved for each batch, the small ones take a hundred times as long.
    assert cpu_seconds(lambda: read(50)) < 10 * cpu_seconds(lambda: read(50_000)) + 1


def test_a_tree_is_not_too_deep(annotated: Path) -> None:
    database = tabiya.open(annotated)
    assert database.tree(depth=256).total.games == len(database)
    with pytest.raises(tabiya.LimitError, match="256"):
        database.tree(depth=5_000)
    with pytest.raises(tabiya.UsageError, match="depth: expected 1 to 256"):
        database.tree(depth=0)
