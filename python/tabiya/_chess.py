"""Games to and from python-chess, by its documented interface."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from ._errors import CannotHoldError, UnsupportedError, UsageError
from ._tabiya import Game, GameBuilder, Node, Position

if TYPE_CHECKING:
    import chess.pgn

#: The rules that both know: those of tabiya by the names of python-chess.
_VARIANTS = {"chess": "standard", "antichess": "antichess"}


def to_chess(game: Game) -> chess.pgn.Game:
    """The same as a `chess.pgn.Game`.

    python-chess has no place for some things, of which each kind is told by a UserWarning. Tags that are
    there twice are there once then, line breaks in tags are spaces, and the header Result says how the
    game ended. Comments on a move are one comment, and those before a move that starts no variation are
    part of the one after the move before it; their languages are lost. Glyphs are a set: their order is
    lost, and how often one is there. Of what could not be read, `errors` has the messages alone.

    Of order nothing is told: a comment on a move and a glyph change places, what is said of a move behind its
    variations stands before them, and so does what is said in a variation without moves, which is left out.

    Annotations are commands in comments, as in PGN. Where tags do not say how the game starts, FEN and
    SetUp do.
    """
    import chess
    import chess.pgn

    made = chess.pgn.Game()
    made.headers.clear()
    losses = _Losses()
    losses.look_at_tags(game)
    for name, value in game.tags.items():
        try:
            made.headers[name] = " ".join(value.splitlines())
        except ValueError as error:
            raise CannotHoldError(f"python-chess cannot hold the tag {name!r}: {error}") from error
    if game.start != Position() and not _says_start(made, game.start):
        variant = made.headers.get("Variant")
        made.setup(_board(game.start))
        # It would name the rules in words of its own.
        if variant is not None:
            made.headers["Variant"] = variant
    made.headers["Result"] = game.result
    _check_rules(made, game)
    made.nags.update(game.root.nags)
    made.comment = _after(game.root)
    losses.look_at(game.root)
    made.errors.extend(ValueError(error.message) for error in game.errors)
    # Lines wait here, so that deep games need no deep stack.
    waiting: list[tuple[Node, chess.pgn.GameNode]] = [(game.root, made)]
    while waiting:
        node, target = waiting.pop()
        for place, child in enumerate(node.children):
            if child.uci is None:
                raise CannotHoldError(
                    f"python-chess cannot hold a game in which ply {child.ply} is left out"
                )
            added = target.add_variation(
                chess.Move.from_uci(child.uci),
                comment=_after(child),
                # Only what starts a variation has one.
                starting_comment=" ".join(_before(child) if place else []),
                nags=child.nags,
            )
            losses.look_at(child)
            waiting.append((child, added))
    losses.warn()
    return made


class _Losses:
    """What python-chess has no place for: of each kind, how many there are, and the first of them."""

    #: The kinds by the names that losses have elsewhere, in their order.
    KINDS = ("tags", "comments", "comment places", "languages", "NAGs", "annotations", "errors")

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {kind: [] for kind in self.KINDS}

    def look_at_tags(self, game: Game) -> None:
        tags = self.found["tags"]
        seen: set[str] = set()
        for name, value in game.tags.pairs():
            if name in seen:
                tags.append(f"{name} {value!r} is there besides another")
            elif name == "Result" and value != game.result:
                tags.append(f"{name} {value!r} is {game.result}")
            elif len(value.splitlines()) > 1:
                tags.append(f"{name} {value!r} has several lines")
            seen.add(name)

    def look_at(self, node: Node) -> None:
        where = "at the start" if node.san is None else f"on {node.san}"
        comments = node.comments
        for before in (True, False):
            count = sum(comment.before == before for comment in comments)
            if count > 1:
                self.found["comments"].append(f"{count} {where} are one")
        # Those before the first move are comments on the game, which has no move.
        is_first = node.parent is not None and node.parent.next == node
        if is_first and node.ply > 1 and any(comment.before for comment in comments):
            self.found["comment places"].append(f"one before {node.san} stands after the move before it")
        languages = self.found["languages"]
        languages += [f"{comment.language} {where}" for comment in comments if comment.language]
        if node.nags != sorted(set(node.nags)):
            self.found["NAGs"].append(f"the order of {node.nags} {where}")
        annotations = self.found["annotations"]
        annotations += [f"{known.kind} {where}" for known in node._apart() if known.command is None]
        errors = [f"the text of {error.kind!r} {where}" for error in node.errors if error.raw]
        self.found["errors"] += errors

    def warn(self) -> None:
        """Tells whoever has called `to_chess`."""
        for kind, found in self.found.items():
            if found:
                words = f"{kind} ({len(found)}): {found[0]}"
                warnings.warn(f"python-chess cannot hold all of this game: {words}", stacklevel=3)


def _board(start: Position) -> chess.Board:
    """The board of a position, with its rules."""
    import chess
    import chess.variant

    if start.variant == "antichess":
        return chess.variant.AntichessBoard(start.fen)
    return chess.Board(start.fen, chess960=start.variant == "chess960")


def _says_start(made: chess.pgn.Game, start: Position) -> bool:
    """Whether the headers say already where the game starts."""
    try:
        said = made.board()
    except ValueError:
        return False
    meant = _board(start)
    return said == meant and said.chess960 == meant.chess960 and said.fen() == meant.fen()


def _check_rules(made: chess.pgn.Game, game: Game) -> None:
    """Refuses a game whose tags name rules that are not those by which tabiya has read it."""
    named = game.tags.get("Variant", "")
    words = f"tabiya does not know the rules that python-chess has for the variant {named!r}"
    try:
        board = made.board()
    except ValueError as error:
        fen = game.tags.get("FEN")
        if fen is not None and not named:
            raise UnsupportedError(f"python-chess cannot set up the FEN {fen!r}") from error
        raise UnsupportedError(words) from error
    if _VARIANTS.get(board.uci_variant or "", "") != game.start.variant.replace(
        "chess960", "standard"
    ):
        raise UnsupportedError(words)


def _before(node: Node) -> list[str]:
    return [comment.text for comment in node.comments if comment.before]


def _after(node: Node) -> str:
    texts = [comment.text for comment in node.comments if not comment.before]
    commands = (annotation.command for annotation in node._apart())
    texts += [command for command in commands if command is not None]
    if node.next is not None:
        texts += _before(node.next)
    return " ".join(texts)


def from_chess(game: chess.pgn.Game) -> Game:
    """The same of a `chess.pgn.Game`: of chess, Chess960 or antichess."""
    import chess.pgn

    # Not all who call have their types checked.
    if not isinstance(game, chess.pgn.Game):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"game: expected a chess.pgn.Game, not {type(game).__name__}")
    try:
        board = game.board()
    except ValueError as error:
        raise UsageError(f"python-chess cannot set up this game: {error}") from error
    if board.uci_variant not in _VARIANTS:
        raise UnsupportedError(f"tabiya does not know the rules of {board.uci_variant}")
    # Its headers say where it starts, and are kept as they are.
    builder = GameBuilder._as_tagged(list(game.headers.items()))
    for nag in sorted(game.nags):
        builder.nag(nag)
    if game.comment:
        # In PGN it stands before the first move.
        builder.comment(game.comment, before=bool(game.variations))
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
    # Nobody knows where they were.
    for failure in game.errors:
        builder._error(_kind(failure), str(failure))
    return builder.build()


def _kind(error: Exception) -> str:
    """What tabiya calls something that python-chess could not read."""
    import chess

    if isinstance(error, chess.IllegalMoveError):
        return "illegal move"
    if isinstance(error, chess.AmbiguousMoveError):
        return "ambiguous move"
    return "unreadable text"


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
