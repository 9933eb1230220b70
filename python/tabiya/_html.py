"""Games as notebooks show them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._tabiya import Game, Node

#: How the glyphs that everybody knows are printed.
_SYMBOLS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}


def game(shown: Game) -> str:
    """A board with the end of the game, who played it, and its moves."""
    players = " – ".join(escape(name or "?") for name in (shown.white, shown.black))
    where = ", ".join(
        escape(part) for part in (shown.event, shown.site, shown.date) if part
    )
    last = shown[-1] if len(shown) else shown.root
    board = last._repr_svg_()
    return (
        '<div style="display:flex;gap:1.5em;flex-wrap:wrap;align-items:flex-start">'
        f'<div style="width:320px">{board}</div>'
        f'<div style="flex:1;min-width:16em;max-width:44em"><b>{players}</b> {escape(shown.result)}'
        f"<br><small>{where}</small>"
        f'<p style="line-height:1.5">{_moves(shown.root)} '
        f"{escape(shown.result)}</p>{_errors(shown)}</div></div>"
    )


def _errors(shown: Game) -> str:
    """What of the game could not be read."""
    if not shown.is_broken:
        return ""
    told = "<br>".join(escape(error.message) for error in shown.errors)
    return f'<p style="color:#b00">This game could not be read in full.<br>{told}</p>'


def _moves(root: Node) -> str:
    """What is said before the first move, and all moves, variations in brackets."""
    said = _said(root).strip()
    parts = [said] if said else []
    # What is still to be shown, the next thing last, so that deep games need no deep stack: moves of
    # which the first is shown, with what opens before it and whether its number is due; and what closes.
    waiting: list[tuple[str, list[Node], bool] | str] = [("", root.children, True)]
    while waiting:
        step = waiting.pop()
        if isinstance(step, str):
            parts[-1] += step
            continue
        opening, children, numbered = step
        if not children:
            continue
        node, *variations = children
        parts.append(opening + _move(node, numbered=numbered))
        waiting.append(("", node.children, bool(node.comment or variations)))
        for variation in reversed(variations):
            waiting += [")</span>", ('<span style="color:#666">(', [variation], True)]
    return " ".join(parts)


def _move(node: Node, *, numbered: bool) -> str:
    number = ""
    if node.turn == "white":
        number = f"{node.number}. "
    elif numbered:
        number = f"{node.number}... "
    return f"{number}<b>{escape(node.san or '…')}</b>{_said(node)}"


def _said(node: Node) -> str:
    """Glyphs and words."""
    glyphs = "".join(_SYMBOLS.get(nag, f" ${nag}") for nag in node.nags)
    words = f" <i>{escape(node.comment)}</i>" if node.comment else ""
    return f"{escape(glyphs)}{words}"
