"""Runs the examples: those in docstrings, and the blocks of documents that are named."""

from __future__ import annotations

import doctest
import inspect
import os
import re
import sys
import tempfile
from pathlib import Path

import tabiya
from tabiya import _planes, _tabiya


def docstrings() -> int:
    """Runs the examples of all that is public; how many failed."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    places = {"tabiya": inspect.getdoc(tabiya), "planes": inspect.getdoc(_planes.planes)}
    for name in dir(_tabiya):
        thing = getattr(_tabiya, name)
        if name.startswith("_"):
            continue
        places[name] = inspect.getdoc(thing)
        if inspect.isclass(thing):
            for member in vars(thing):
                if not member.startswith("__"):
                    places[f"{name}.{member}"] = inspect.getdoc(getattr(thing, member))
    parser = doctest.DocTestParser()
    for name, text in places.items():
        if text and ">>>" in text:
            runner.run(parser.get_doctest(text, {}, name, None, None))
    results = runner.summarize()
    assert results.attempted > 20, "examples were not found"
    return results.failed


def undocumented() -> list[str]:
    """What is public and says nothing about itself."""
    silent = []
    for name in tabiya.__all__:
        thing = getattr(tabiya, name)
        if name.startswith("__"):
            continue
        if not inspect.getdoc(thing):
            silent.append(name)
        if inspect.isclass(thing) and thing.__module__ == "tabiya":
            silent += [
                f"{name}.{member}"
                for member in vars(thing)
                if not member.startswith("_") and not inspect.getdoc(getattr(thing, member))
            ]
    return silent


def document(path: Path) -> None:
    """Runs the blocks of a document, one after the other, in a folder of their own."""
    samples = Path("samples").resolve()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "samples").symlink_to(samples)
        before = os.getcwd()
        os.chdir(folder)
        run(path)
        os.chdir(before)


def run(path: Path) -> None:
    namespace: dict[str, object] = {"__name__": path.stem}
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)
    assert blocks, f"{path} has no examples"
    for block in blocks:
        exec(compile(block, str(path), "exec"), namespace)


def main() -> int:
    paths = [Path(path).resolve() for path in sys.argv[1:]]
    root = Path.cwd()
    while not (root / "samples").is_dir():
        root = root.parent
    os.chdir(root)
    failed = docstrings()
    silent = undocumented()
    if silent:
        print("without a docstring:", ", ".join(silent))
    for path in paths:
        document(path)
    return 1 if failed or silent else 0


if __name__ == "__main__":
    sys.exit(main())
