"""Games are written in any format, and what is lost is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tabiya


def test_a_conversion_counts_and_tells_losses(annotated: Path, tmp_path: Path) -> None:
    report = tabiya.convert(annotated, tmp_path / "games.uci")
    assert report.read == report.written == 9
    assert {loss.kind for loss in report.losses} >= {"comments", "variations", "NAGs"}
    first = report.losses[0]
    assert first.count > 0 and first.what and first.file and first.file.endswith("annotated.pgn")
    assert not report.is_whole
    whole = tabiya.convert(annotated, tmp_path / "games.tabiya")
    assert whole.is_whole and whole.losses == []


def test_progress_is_told(famous: Path, tmp_path: Path) -> None:
    seen: list[tabiya.Progress] = []
    tabiya.convert(famous, tmp_path / "games.pgn", progress=seen.append)
    assert seen[-1].games == 34
    assert seen[-1].fraction == 1.0


def fail(_: tabiya.Progress) -> None:
    raise ZeroDivisionError


def test_nothing_is_written_if_progress_raises_or_says_no(famous: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.pgn"
    with pytest.raises(ZeroDivisionError):
        tabiya.convert(famous, target, progress=fail)
    with pytest.raises(tabiya.Cancelled):
        tabiya.convert(famous, target, progress=lambda _: False)
    store = tabiya.Store(tmp_path / "games.tabiya", create=True)
    with pytest.raises(ZeroDivisionError):
        store.import_(famous, progress=fail)
    assert len(store) == len(tabiya.open(store.path)) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["games.tabiya"]


def test_who_says_no_when_all_is_done_changes_nothing(famous: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.pgn"
    told: list[tabiya.Progress] = []

    def late(progress: tabiya.Progress) -> bool:
        told.append(progress)
        return len(told) < 2

    report = tabiya.convert(famous, target, progress=late)
    assert report.written == len(tabiya.open(target)) == 34

    def fail_late(progress: tabiya.Progress) -> None:
        if not late(progress):
            raise ZeroDivisionError

    store = tabiya.Store(tmp_path / "games.tabiya", create=True)
    told.clear()
    try:
        store.import_(famous, progress=fail_late)
    except ZeroDivisionError:
        pass
    # The store shows what it holds, whatever was raised.
    assert len(store) == len(tabiya.open(store.path))


def test_several_files_and_filters(samples: Path, tmp_path: Path) -> None:
    target = tmp_path / "some.pgn"
    files = [samples / "famous.pgn", samples / "annotated.pgn"]
    report = tabiya.convert(files, target, player="Morphy")
    assert report.read == 43
    assert report.read == report.written + report.filtered
    assert all("Morphy" in f"{game.white} {game.black}" for game in tabiya.open(target))


def test_games_are_picked_by_number(famous: Path, tmp_path: Path) -> None:
    target = tmp_path / "some.pgn"
    report = tabiya.convert(famous, target, games="2,4..5")
    assert report.written == 3
    assert [game.white for game in tabiya.open(target)][0] == "Anderssen, Adolf"


def test_strict_refuses_losses(annotated: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.uci"
    with pytest.raises(tabiya.CannotHoldError) as raised:
        tabiya.convert(annotated, target, strict=True)
    assert raised.value.game == 1
    assert not target.exists()


def test_keywords_that_contradict_each_other_are_refused(famous: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.pgn"
    for keywords in (
        {"strict": True, "salvage": True},
        {"strict": True, "split": 2},
        {"append": True, "split": 2},
    ):
        one, other = keywords
        with pytest.raises(tabiya.UsageError, match=f"^{one}: not together with {other}"):
            tabiya.convert(famous, target, **keywords)  # type: ignore[arg-type]
    store = tabiya.Store(tmp_path / "games.tabiya", create=True)
    with pytest.raises(tabiya.UsageError, match="strict"):
        store.import_(famous, strict=True, salvage=True)
    assert [path.name for path in tmp_path.iterdir()] == ["games.tabiya"]


def test_games_are_created(tmp_path: Path) -> None:
    path = tmp_path / "games.si5"
    game = tabiya.Game("1. e4 e5 2. Nf3", tags={"White": "Réti", "Result": "1-0"})
    with tabiya.create(path) as games:
        assert games.add(game) == []
        assert games.added == 1
        assert not path.exists()
    assert tabiya.open(path)[1].white == "Réti"
    with pytest.raises(tabiya.UsageError):
        games.add(game)


def test_a_writer_knows_where_the_database_will_be(tmp_path: Path) -> None:
    games = tabiya.create(tmp_path / "games", format="scid:si5")
    games.add(tabiya.Game("1. e4"))
    games.finish()
    assert games.path == tmp_path / "games.si5" and len(tabiya.open(games.path)) == 1


def test_what_a_format_cannot_hold_is_told_when_a_game_is_added(tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "games.uci") as games:
        losses = games.add(tabiya.Game("1. e4 {best} e5"))
    assert [(loss.kind, loss.count) for loss in losses][0][0] == "comments"


def test_an_exception_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    with tabiya.create(path) as games:
        games.add(tabiya.Game("1. e4"))
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), tabiya.create(path) as games:
        games.add(tabiya.Game("1. d4"))
        raise ZeroDivisionError
    assert path.read_bytes() == before


def test_games_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    for move in ("e4", "d4"):
        with tabiya.create(path, append=True) as games:
            games.add(tabiya.Game([move]))
    assert [game.san for game in tabiya.open(path)] == [["e4"], ["d4"]]


def test_a_writer_that_is_forgotten_is_told(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    games = tabiya.create(path)
    games.add(tabiya.Game("1. e4"))
    with pytest.warns(ResourceWarning, match="games.pgn was never finished"):
        del games
    assert list(tmp_path.iterdir()) == []
    with tabiya.create(path) as games:
        assert games.warnings == []
    assert games.warnings == []


@pytest.mark.parametrize(
    "program",
    [
        """
try:
    tabiya.create(path).add(tabiya.Game("1. e5"))
except tabiya.IllegalMoveError as error:
    print(error)
""",
        """
def write():
    games = tabiya.create(path)
    games.add(tabiya.Game("1. e4"))
    raise ZeroDivisionError("words")

try:
    write()
except ZeroDivisionError as error:
    # The writer is in its traceback, and goes with it.
    print(error)
""",
        """
def write():
    tabiya.create(path).add(tabiya.Game("1. e5"))

try:
    write()
except tabiya.IllegalMoveError as error:
    print(error)
""",
    ],
)
def test_a_writer_may_be_forgotten_while_an_exception_is_under_way(
    program: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.pgn"
    for filters in ("default", "error"):
        said = subprocess.run(
            [sys.executable, "-W", filters, "-c", f"import tabiya\npath = {str(path)!r}\n{program}"],
            capture_output=True,
            text=True,
        )
        assert said.returncode == 0, said.stderr
        assert said.stdout and "never finished" in said.stderr
        assert "SystemError" not in said.stderr
    assert not path.exists()


def test_progress_is_told_by_all_that_take_it(famous: Path) -> None:
    for work in (
        tabiya.open(famous).info,
        tabiya.open(famous).check,
        tabiya.open(famous).search,
        lambda progress: tabiya.duplicates(famous, progress=progress),
        lambda progress: tabiya.names([famous], progress=progress),
    ):
        seen: list[tabiya.Progress] = []
        work(progress=seen.append)  # type: ignore[operator]
        assert seen and seen[-1].total == famous.stat().st_size
        with pytest.raises(ZeroDivisionError):
            work(progress=fail)  # type: ignore[operator]


def test_progress_of_several_files_is_that_of_one_piece_of_work(
    famous: Path, annotated: Path
) -> None:
    sizes = [path.stat().st_size for path in (famous, annotated)]
    for work, total in (
        (lambda progress: tabiya.duplicates([famous, annotated], progress=progress), sum(sizes)),
        (lambda progress: tabiya.names([famous, annotated], progress=progress), sum(sizes)),
        (
            lambda progress: tabiya.open(famous).search(
                repertoire=annotated, colour="white", progress=progress
            ),
            sizes[0],
        ),
    ):
        seen: list[tabiya.Progress] = []
        work(seen.append)
        assert {progress.total for progress in seen} == {total}
        reached = [progress.bytes for progress in seen]
        assert reached == sorted(reached) and reached[-1] == total


def test_games_are_named_by_numbers_or_by_a_text_of_them(famous: Path, tmp_path: Path) -> None:
    hits = tabiya.open(famous).search(mate=True)
    path = tmp_path / "mates.pgn"
    assert tabiya.convert(famous, path, games=hits.numbers).written == len(hits) > 1
    assert list(tabiya.open(path)) == [tabiya.open(famous)[number] for number in hits.numbers]
    store = tabiya.Store(tmp_path / "mates.tabiya", create=True)
    assert store.import_(famous, games=[3, 1]).written == 2
    with pytest.raises(tabiya.UsageError, match="^games: name at least one"):
        tabiya.convert(famous, path, games=[])
    with pytest.raises(tabiya.UsageError, match="games: there is no number 0"):
        tabiya.convert(famous, path, games=[1, 0])
    # So many that each must be found quickly.
    many = tmp_path / "many.pgn"
    many.write_text('[White "A"]\n\n1. e4 *\n\n' * 100_000)
    odd = range(99_999, 0, -2)
    assert tabiya.convert(many, path, games=odd).written == len(odd)
    with pytest.raises(tabiya.UsageError, match="games: -1 is out of range"):
        tabiya.convert(famous, path, games=[-1])
    for wrong in ([1.5], {"a": 1}):
        with pytest.raises(TypeError, match="games: expected a str or numbers"):
            tabiya.convert(famous, path, games=wrong)  # type: ignore[arg-type]


def test_some_games_of_a_file_do_not_take_the_place_of_all(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(famous.read_bytes())
    for keywords in ({"player": "Morphy"}, {"games": "1..3"}):
        with pytest.raises(tabiya.UsageError, match="is an input too") as raised:
            tabiya.convert(path, path, **keywords)  # type: ignore[arg-type]
        assert raised.value.file == str(path)
    assert path.read_bytes() == famous.read_bytes()
    assert tabiya.convert(path, path, games="1", append=True).written == 1
    assert tabiya.convert(path, path).written == len(tabiya.open(path)) == 35


def test_files_that_are_complete_stay(famous: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_bytes(famous.read_bytes() * 500)
    answers, target = iter([True, True]), tmp_path / "part.pgn"
    with pytest.raises(tabiya.Cancelled):
        tabiya.convert(path, target, split=34, progress=lambda _: next(answers, False), jobs=1)
    parts = sorted(tmp_path.glob("part-*.pgn"))
    assert parts and all(len(tabiya.open(part)) == 34 for part in parts)


def test_what_a_format_never_holds_is_told(annotated: Path, tmp_path: Path) -> None:
    assert "moves" in tabiya.convert(annotated, tmp_path / "a.csv").leaves_out
    assert tabiya.convert(annotated, tmp_path / "a.si5").leaves_out == ""


def test_tags_that_pgn_cannot_name_are_lost_and_told(tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "a.pgn") as games:
        losses = games.add(tabiya.Game("1. e4 e5", tags={"White Space": "x"}, result="1-0"))
    assert [loss.kind for loss in losses] == ["tags"]
    (game,) = tabiya.open(tmp_path / "a.pgn")
    assert game.san == ["e4", "e5"]
