"""Games to and from python-chess, by its documented interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._tabiya import Game, GameBuilder, Node, Position

if TYPE_CHECKING:
    import chess.pgn


def to_chess(game: Game) -> chess.pgn.Game:
    """The same as a `chess.pgn.Game`. Tags that are there twice are there once then, and what could not
    be read is left out: python-chess has no place for either."""
    import chess
    import chess.pgn

    made = chess.pgn.Game()
    made.headers.clear()
    for name, value in game.tags.items():
        made.headers[name] = value
    if game.start != Position():
        made.setup(chess.Board(game.start.fen, chess960=game.start.variant == "chess960"))
        if game.start.variant == "chess960":
            made.headers["Variant"] = "Chess960"
    made.headers.setdefault("Result", game.result)
    made.comment = _text(game.root, before=False)
    # Lines wait here, so that deep games need no deep stack.
    waiting: list[tuple[Node, chess.pgn.GameNode]] = [(game.root, made)]
    while waiting:
        node, target = waiting.pop()
        for child in node.children:
            if child.uci is None:
                continue
            added = target.add_variation(
                chess.Move.from_uci(child.uci),
                comment=_text(child, before=False),
                starting_comment=_text(child, before=True),
                nags=child.nags,
            )
            waiting.append((child, added))
    return made


def _text(node: Node, *, before: bool) -> str:
    texts = [comment.text for comment in node.comments if comment.before == before]
    if not before:
        texts += [
            annotation.command
            for annotation in node.annotations
            if annotation.command is not None
            and not any(annotation.command in text for text in texts)
            and not _is_in(annotation.command, node)
        ]
    return " ".join(texts)


def _is_in(command: str, node: Node) -> bool:
    """Whether an annotation comes from a comment, and is there already in some spelling."""
    name = command.split()[0]
    return any(name in comment.text for comment in node.comments)


def from_chess(game: chess.pgn.Game) -> Game:
    """The same of a `chess.pgn.Game`."""
    import chess

    board = game.board()
    start = None
    if board.fen() != chess.STARTING_FEN or board.chess960:
        start = Position(board.fen(), variant="chess960" if board.chess960 else "standard")
    builder = GameBuilder(tags=list(game.headers.items()), start=start)
    if game.comment:
        builder.comment(game.comment)
    # What is still to be told, the next thing last, so that deep games need no deep stack.
    steps: list[tuple[str, chess.pgn.GameNode]] = [("follow", game)]
    while steps:
        step, node = steps.pop()
        if step == "follow":
            steps.extend(reversed(_following(node)))
        elif step == "start":
            builder.start_variation()
        elif step == "end":
            builder.end_variation()
        else:
            _tell(builder, node)
    return builder.build(game.headers.get("Result", "*"))


def _following(node: chess.pgn.GameNode) -> list[tuple[str, chess.pgn.GameNode]]:
    """The main move of a position, then what replaces it, then what follows it."""
    if not node.variations:
        return []
    main, *others = node.variations
    steps: list[tuple[str, chess.pgn.GameNode]] = [("tell", main)]
    for other in others:
        steps += [("start", other), ("tell", other), ("follow", other), ("end", other)]
    return [*steps, ("follow", main)]


def _tell(builder: GameBuilder, node: chess.pgn.GameNode) -> None:
    if node.starting_comment:
        builder.comment(node.starting_comment, before=True)
    builder.move("0000" if node.move is None else node.move.uci())
    for nag in sorted(node.nags):
        builder.nag(nag)
    if node.comment:
        builder.comment(node.comment)
