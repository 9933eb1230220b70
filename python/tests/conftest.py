"""What all tests share."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

# A shell that starts them in the background has Ctrl-C ignored, and Python keeps it so.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def samples() -> Path:
    return ROOT / "samples"


@pytest.fixture
def famous(samples: Path) -> Path:
    return samples / "famous.pgn"


@pytest.fixture
def annotated(samples: Path) -> Path:
    return samples / "annotated.pgn"


def interrupted(work: Callable[[], object], after: float = 0.05) -> None:
    """Does work that Ctrl-C ends. Nothing else hears of it, however early or late it comes."""
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(after, lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        try:
            work()
        finally:
            timer.join()


def data(name: str) -> Path:
    """A file among the data; tests that miss it are skipped, or fail where it is promised."""
    folder = Path(os.environ.get("TABIYA_DATA", ROOT.parent / "shared" / "data"))
    path = folder / name
    if path.exists():
        return path
    if folder.is_dir() and os.environ.get("CI") == "true":
        pytest.fail(f"the data lacks {name}: {path}")
    pytest.skip("skipped: no data")
