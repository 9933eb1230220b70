//! Legal moves on bitboards.
//!
//! The generator hands sets of target squares to a [`Sink`]: one that counts never makes a move
//! out of them, one that lists does. Pins and checks are found first, so that every set holds
//! legal moves only and nothing is tried and taken back. The side to move is a type, which lets
//! the compiler fold every direction and rank.

use crate::{
    Bitboard, Board, Color, Move, MoveList, Position, Rank, Role, Square, Variant, antichess,
    attacks,
};

/// What the generator tells about the moves it finds.
pub(crate) trait Sink {
    /// A piece other than a pawn goes to any of some squares.
    fn piece(&mut self, role: Role, from: Square, to: Bitboard);
    /// Pawns arrive on some squares, each from the square `step` before it.
    fn pawns(&mut self, to: Bitboard, step: i8);
    /// Pawns promote on some squares, each from the square `step` before it.
    fn promotions(&mut self, to: Bitboard, step: i8);
    /// A move that fits none of these: castling and en passant.
    fn single(&mut self, role: Role, play: Move);
}

/// The rules of a variant, as far as the generator asks.
pub(crate) trait Rules {
    /// What a pawn may become.
    const PROMOTIONS: &'static [Role];
    /// Tells a sink all legal moves.
    fn generate<S: Side, K: Sink>(position: &Position, sink: &mut K);
}

/// The rules of chess and Chess960.
pub(crate) struct Chess;

/// The side to move, as a type.
pub(crate) trait Side {
    type Them: Side;
    const US: Color;
    /// One step forward, and forward to the left and to the right as White sees it.
    const FORWARD: i8;
    const LEFT: i8;
    const RIGHT: i8;
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Them = Black;
    const US: Color = Color::White;
    const FORWARD: i8 = 8;
    const LEFT: i8 = 7;
    const RIGHT: i8 = 9;
}

impl Side for Black {
    type Them = White;
    const US: Color = Color::Black;
    const FORWARD: i8 = -8;
    const LEFT: i8 = -9;
    const RIGHT: i8 = -7;
}

const NOT_A: Bitboard = Bitboard(0xfefe_fefe_fefe_fefe);
const NOT_H: Bitboard = Bitboard(0x7f7f_7f7f_7f7f_7f7f);

#[inline(always)]
fn shift(set: Bitboard, step: i8) -> Bitboard {
    if step > 0 {
        set << step as u32
    } else {
        set >> -step as u32
    }
}

#[inline(always)]
fn forward<S: Side>(pawns: Bitboard) -> Bitboard {
    shift(pawns, S::FORWARD)
}

#[inline(always)]
fn left<S: Side>(pawns: Bitboard) -> Bitboard {
    shift(pawns & NOT_A, S::LEFT)
}

#[inline(always)]
fn right<S: Side>(pawns: Bitboard) -> Bitboard {
    shift(pawns & NOT_H, S::RIGHT)
}

/// Tells a sink the pawn moves that stay within `allowed`, promotions apart.
#[inline(always)]
pub(crate) fn pawn_moves<S: Side, K: Sink>(
    sink: &mut K,
    pawns: Bitboard,
    empty: Bitboard,
    enemies: Bitboard,
    allowed: Bitboard,
) {
    let last = Bitboard::rank(S::US.rank(Rank::Eighth));
    let third = Bitboard::rank(S::US.rank(Rank::Third));
    let pushes = forward::<S>(pawns) & empty;
    let doubles = forward::<S>(pushes & third) & empty & allowed;
    let pushes = pushes & allowed;
    let lefts = left::<S>(pawns) & enemies & allowed;
    let rights = right::<S>(pawns) & enemies & allowed;
    sink.pawns(pushes - last, S::FORWARD);
    sink.pawns(doubles, 2 * S::FORWARD);
    sink.pawns(lefts - last, S::LEFT);
    sink.pawns(rights - last, S::RIGHT);
    if ((pushes | lefts | rights) & last).any() {
        sink.promotions(pushes & last, S::FORWARD);
        sink.promotions(lefts & last, S::LEFT);
        sink.promotions(rights & last, S::RIGHT);
    }
}

/// The enemy of the side to move, as far as it can attack from afar.
#[derive(Clone, Copy)]
struct Sliders {
    /// Bishops and queens.
    diagonal: Bitboard,
    /// Rooks and queens.
    straight: Bitboard,
}

impl Sliders {
    #[inline(always)]
    fn new(board: &Board, them: Color) -> Sliders {
        let queens = board.pieces(Role::Queen);
        let side = board.side(them);
        Sliders {
            diagonal: (board.pieces(Role::Bishop) | queens) & side,
            straight: (board.pieces(Role::Rook) | queens) & side,
        }
    }

    #[inline(always)]
    fn attack(self, square: Square, occupied: Bitboard) -> bool {
        ((attacks::bishop(square, occupied) & self.diagonal)
            | (attacks::rook(square, occupied) & self.straight))
            .any()
    }

    /// Those that would attack a square on an empty board.
    #[inline(always)]
    fn aiming_at(self, square: Square) -> Bitboard {
        (attacks::bishop_rays(square) & self.diagonal)
            | (attacks::rook_rays(square) & self.straight)
    }
}

impl Rules for Chess {
    const PROMOTIONS: &'static [Role] = &Role::PROMOTIONS;

    #[inline]
    fn generate<S: Side, K: Sink>(position: &Position, sink: &mut K) {
        let board = position.board();
        let (us, them) = (S::US, S::Them::US);
        let (own, enemy) = (board.side(us), board.side(them));
        let occupied = own | enemy;
        let Some(king) = board.king(us) else { return };
        let sliders = Sliders::new(board, them);

        let mut checkers = steppers_at(board, them, king);
        let mut pinned = Bitboard::EMPTY;
        let aiming = sliders.aiming_at(king);
        for slider in aiming {
            let blockers = attacks::between(king, slider) & occupied;
            if blockers.is_empty() {
                checkers |= slider.into();
            } else if !blockers.more_than_one() {
                pinned |= blockers & own;
            }
        }

        let stepped = stepped_on::<S::Them>(board);
        let safe = king_moves::<S, K>(board, king, sliders, stepped, sink);

        let not_king = !(own | board.pieces(Role::King));
        let allowed = match checkers.first() {
            None => not_king,
            Some(checker) if !checkers.more_than_one() => {
                not_king & (attacks::between(king, checker) | checker.into())
            }
            Some(_) => return,
        };

        let free = own - pinned;
        for from in board.pieces(Role::Knight) & free {
            sink.piece(Role::Knight, from, attacks::knight(from) & allowed);
        }
        for from in board.pieces(Role::Bishop) & free {
            sink.piece(
                Role::Bishop,
                from,
                attacks::bishop(from, occupied) & allowed,
            );
        }
        for from in board.pieces(Role::Rook) & free {
            sink.piece(Role::Rook, from, attacks::rook(from, occupied) & allowed);
        }
        for from in board.pieces(Role::Queen) & free {
            sink.piece(Role::Queen, from, attacks::queen(from, occupied) & allowed);
        }
        pawn_moves::<S, K>(
            sink,
            board.pieces(Role::Pawn) & free,
            !occupied,
            enemy,
            allowed,
        );
        if checkers.is_empty() {
            if pinned.any() {
                pinned_moves::<S, K>(board, king, aiming, pinned, sink);
            }
            if (position.castling_rooks() & own).any() {
                castling_moves::<S, K>(position, king, sliders, stepped, safe, sink);
            }
        }
        if let Some(ep) = position.ep_square() {
            for from in position.ep_capturers(ep) {
                let play = Move::new(from, ep);
                if is_en_passant_safe(position, king, play) {
                    sink.single(Role::Pawn, play);
                }
            }
        }
    }
}

/// The pawns, knights and king of a side that attack a king. A king does so in odd set-ups only.
#[inline(always)]
fn steppers_at(board: &Board, side: Color, king: Square) -> Bitboard {
    ((attacks::pawn(!side, king) & board.pieces(Role::Pawn))
        | (attacks::knight(king) & board.pieces(Role::Knight))
        | (attacks::king(king) & board.pieces(Role::King)))
        & board.side(side)
}

/// The squares that a side's pawns, knights and king attack.
#[inline(always)]
fn stepped_on<S: Side>(board: &Board) -> Bitboard {
    let pawns = board.of(S::US, Role::Pawn);
    let mut attacked = left::<S>(pawns) | right::<S>(pawns);
    for knight in board.of(S::US, Role::Knight) {
        attacked |= attacks::knight(knight);
    }
    if let Some(king) = board.king(S::US) {
        attacked |= attacks::king(king);
    }
    attacked
}

/// The king's moves to squares that nothing attacks, the king itself not in the way. Returns
/// those squares.
#[inline(always)]
fn king_moves<S: Side, K: Sink>(
    board: &Board,
    king: Square,
    sliders: Sliders,
    stepped: Bitboard,
    sink: &mut K,
) -> Bitboard {
    let targets = attacks::king(king) - (board.side(S::US) | board.pieces(Role::King)) - stepped;
    let behind = board.occupied() ^ king.into();
    let mut safe = targets;
    for to in targets {
        if sliders.attack(to, behind) {
            safe ^= to.into();
        }
    }
    sink.piece(Role::King, king, safe);
    safe
}

/// Pinned pieces move between the king and the piece that pins them, or take it. When the king is
/// in check they cannot move at all.
#[inline(never)]
fn pinned_moves<S: Side, K: Sink>(
    board: &Board,
    king: Square,
    aiming: Bitboard,
    pinned: Bitboard,
    sink: &mut K,
) {
    let occupied = board.occupied();
    for pinner in aiming {
        let line = attacks::between(king, pinner);
        let Some(from) = (line & occupied).single().filter(|&s| pinned.contains(s)) else {
            continue;
        };
        let allowed = line | pinner.into();
        match board.role_at(from) {
            Some(Role::Pawn) => pawn_moves::<S, K>(
                sink,
                from.into(),
                !occupied,
                board.side(S::Them::US),
                allowed,
            ),
            Some(role) => sink.piece(role, from, attacks::piece(role, from, occupied) & allowed),
            None => {}
        }
    }
}

/// Castling of a king that is not in check, with every rook that may. `safe` are the squares to
/// which the king can step: beside it, only those can be on its way.
#[inline(never)]
fn castling_moves<S: Side, K: Sink>(
    position: &Position,
    king: Square,
    sliders: Sliders,
    stepped: Bitboard,
    safe: Bitboard,
    sink: &mut K,
) {
    let occupied = position.board().occupied();
    for rook in position.castling_rooks() & position.board().side(S::US) {
        let Some(king_path) = castling_path(occupied, king, rook) else {
            continue;
        };
        let beside = attacks::king(king) - occupied;
        if (king_path & stepped).is_empty()
            && (king_path & (beside - safe)).is_empty()
            && is_castling_unseen(occupied, sliders, king, rook, king_path - beside)
        {
            sink.single(Role::King, Move::new(king, rook));
        }
    }
}

/// Whether castling leads the king over safe squares to a safe one. That it is not in check now
/// is the caller's to know.
fn is_castling_safe(position: &Position, us: Color, king: Square, rook: Square) -> bool {
    let board = position.board();
    let Some(king_path) = castling_path(board.occupied(), king, rook) else {
        return false;
    };
    let stepped = match us {
        Color::White => stepped_on::<Black>(board),
        Color::Black => stepped_on::<White>(board),
    };
    let sliders = Sliders::new(board, !us);
    (king_path & stepped).is_empty()
        && is_castling_unseen(board.occupied(), sliders, king, rook, king_path)
}

/// The squares the king crosses and the one it reaches, if nothing is in the way of it or the rook.
#[inline(always)]
fn castling_path(occupied: Bitboard, king: Square, rook: Square) -> Option<Bitboard> {
    let (king_to, rook_to) = Position::castling_targets(king, rook);
    let king_path = attacks::between(king, king_to) | king_to.into();
    let rook_path = attacks::between(rook, rook_to) | rook_to.into();
    let movers = Bitboard::square(king) | rook.into();
    ((king_path | rook_path) & (occupied - movers))
        .is_empty()
        .then_some(king_path)
}

/// Whether no slider sees the king on some squares of its way, nor after castling.
#[inline(always)]
fn is_castling_unseen(
    occupied: Bitboard,
    sliders: Sliders,
    king: Square,
    rook: Square,
    path: Bitboard,
) -> bool {
    let without_king = occupied ^ king.into();
    if path
        .into_iter()
        .any(|square| sliders.attack(square, without_king))
    {
        return false;
    }
    // In Chess960 the rook may have shielded the king from a piece on its own rank.
    let straight = sliders.straight & Bitboard::rank(king.rank());
    if straight.is_empty() {
        return true;
    }
    let (king_to, rook_to) = Position::castling_targets(king, rook);
    let movers = Bitboard::square(king) | rook.into();
    let after = (occupied - movers) | king_to.into() | rook_to.into();
    (attacks::rook(king_to, after) & straight).is_empty()
}

/// Whether capturing en passant leaves the king safe: two pawns leave one line at once.
fn is_en_passant_safe(position: &Position, king: Square, play: Move) -> bool {
    let board = position.board();
    let them = !position.turn();
    let taken = Bitboard::square(Square::new(play.to().file(), play.from().rank()));
    let after = (board.occupied() ^ play.from().into() ^ taken) | play.to().into();
    (steppers_at(board, them, king) - taken).is_empty()
        && !Sliders::new(board, them).attack(king, after)
}

/// Collects moves into a list.
struct Lister<'a, R> {
    list: &'a mut MoveList,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> Sink for Lister<'_, R> {
    #[inline]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        for to in to {
            self.list.push(Move::new(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.list.push(Move::new(origin(to, step), to));
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for &role in R::PROMOTIONS {
                self.list.push(Move::promotion(origin(to, step), to, role));
            }
        }
    }

    #[inline]
    fn single(&mut self, _: Role, play: Move) {
        self.list.push(play);
    }
}

/// The square from which a pawn arrives by a step.
#[inline(always)]
pub(crate) fn origin(to: Square, step: i8) -> Square {
    Square::from_index((to.index() as u8).wrapping_sub(step as u8))
}

/// Counts moves without making them.
pub(crate) struct Counter<R> {
    pub(crate) count: u64,
    rules: std::marker::PhantomData<R>,
}

impl<R> Counter<R> {
    #[inline]
    pub(crate) fn new() -> Counter<R> {
        Counter {
            count: 0,
            rules: std::marker::PhantomData,
        }
    }
}

impl<R: Rules> Sink for Counter<R> {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, to: Bitboard) {
        self.count += to.count() as u64;
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.count += to.count() as u64;
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.count += (R::PROMOTIONS.len() * to.count()) as u64;
    }

    #[inline(always)]
    fn single(&mut self, _: Role, _: Move) {
        self.count += 1;
    }
}

/// Tells a sink the moves of whichever side is to move.
#[inline]
pub(crate) fn generate<R: Rules, K: Sink>(position: &Position, sink: &mut K) {
    match position.turn() {
        Color::White => R::generate::<White, K>(position, sink),
        Color::Black => R::generate::<Black, K>(position, sink),
    }
}

impl Position {
    /// All legal moves, in no particular order.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        match self.variant() {
            Variant::Antichess => list_moves::<antichess::Antichess>(self, &mut list),
            _ => list_moves::<Chess>(self, &mut list),
        }
        list
    }

    /// How many legal moves there are; quicker than listing them.
    #[must_use]
    pub fn count_legal_moves(&self) -> u64 {
        match self.variant() {
            Variant::Antichess => count_moves::<antichess::Antichess>(self),
            _ => count_moves::<Chess>(self),
        }
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn has_legal_moves(&self) -> bool {
        self.has_king_step() || self.count_legal_moves() > 0
    }

    /// Whether the king has a legal step, where kings count: mostly the first or second square
    /// tells.
    fn has_king_step(&self) -> bool {
        let (board, us) = (self.board(), self.turn());
        let (Some(king), false) = (board.king(us), self.variant() == Variant::Antichess) else {
            return false;
        };
        let without_king = board.occupied() ^ king.into();
        let targets = attacks::king(king) - (board.side(us) | board.pieces(Role::King));
        targets
            .into_iter()
            .any(|to| is_unattacked(board, !us, to, without_king))
    }

    /// Whether a move is legal; much quicker than looking for it among all.
    #[must_use]
    pub fn is_legal(&self, play: Move) -> bool {
        if self.variant() == Variant::Antichess {
            return self.legal_moves().contains(&play);
        }
        let us = self.turn();
        let (board, to) = (self.board(), play.to());
        let (Some(role), true) = (
            board.role_at(play.from()),
            board.side(us).contains(play.from()),
        ) else {
            return false;
        };
        if role == Role::King && board.side(us).contains(to) {
            return play.promoted().is_none()
                && self.castling_rooks().contains(to)
                && !self.is_check()
                && is_castling_safe(self, us, play.from(), to);
        }
        self.reaches(role, play.from()).contains(to)
            && is_promotion_right(us, role, play)
            && self.is_safe(role, play)
    }

    /// The squares to which a piece of the side to move could go if no king had to be minded;
    /// castling apart.
    pub(crate) fn reaches(&self, role: Role, from: Square) -> Bitboard {
        let (board, us) = (self.board(), self.turn());
        let occupied = board.occupied();
        if role != Role::Pawn {
            let blocked = board.side(us) | board.pieces(Role::King);
            return attacks::piece(role, from, occupied) - blocked;
        }
        let push = |from: Square| {
            let to = from.offset(0, us.forward());
            to.filter(|&to| !occupied.contains(to))
        };
        let mut reached = attacks::pawn(us, from)
            & ((board.side(!us) - board.pieces(Role::King))
                | self.ep_square().map_or(Bitboard::EMPTY, Bitboard::square));
        if let Some(one) = push(from) {
            reached |= one.into();
            if from.rank() == us.rank(Rank::Second)
                && let Some(two) = push(one)
            {
                reached |= two.into();
            }
        }
        reached
    }

    /// Whether the own king is safe after a move that its piece can make; castling apart.
    #[inline(always)]
    pub(crate) fn is_safe(&self, role: Role, play: Move) -> bool {
        self.is_safe_as(self.turn(), role, play)
    }

    /// The same, told which side is to move.
    #[inline(always)]
    pub(crate) fn is_safe_as(&self, us: Color, role: Role, play: Move) -> bool {
        let board = self.board();
        let occupied = board.occupied();
        let (from, to) = (Bitboard::square(play.from()), Bitboard::square(play.to()));
        if role == Role::King {
            return is_unattacked(board, !us, play.to(), occupied ^ from);
        }
        // There is exactly one under these rules.
        let Some(king) = board.of(us, Role::King).first() else {
            return true;
        };
        if role == Role::Pawn && self.is_en_passant(play) {
            return is_en_passant_safe(self, king, play);
        }
        let after = (occupied ^ from) | to;
        is_unseen(Sliders::new(board, !us).aiming_at(king) - to, king, after)
            && (steppers_at(board, !us, king) - to).is_empty()
    }
}

/// Whether a side attacks a square with nothing, its lines blocked by `occupied`.
#[inline(always)]
pub(crate) fn is_unattacked(
    board: &Board,
    side: Color,
    square: Square,
    occupied: Bitboard,
) -> bool {
    steppers_at(board, side, square).is_empty()
        && is_unseen(
            Sliders::new(board, side).aiming_at(square),
            square,
            occupied,
        )
}

/// Whether no slider sees a square, of some that aim at it. Few aim at a king, and fewer lines are
/// open: no need for whole attack sets.
#[inline(always)]
fn is_unseen(mut aiming: Bitboard, square: Square, occupied: Bitboard) -> bool {
    while let Some(slider) = aiming.first() {
        if (attacks::between(square, slider) & occupied).is_empty() {
            return false;
        }
        aiming ^= slider.into();
    }
    true
}

/// Whether exactly the pawn moves to the last rank promote, and to a piece that chess allows.
pub(crate) fn is_promotion_right(us: Color, role: Role, play: Move) -> bool {
    let promotes = role == Role::Pawn && play.to().rank() == us.rank(Rank::Eighth);
    match play.promoted() {
        Some(becomes) => promotes && Role::PROMOTIONS.contains(&becomes),
        None => !promotes,
    }
}

fn list_moves<R: Rules>(position: &Position, list: &mut MoveList) {
    let rules = std::marker::PhantomData::<R>;
    generate::<R, _>(position, &mut Lister { list, rules });
}

fn count_moves<R: Rules>(position: &Position) -> u64 {
    let mut counter = Counter::<R>::new();
    generate::<R, _>(position, &mut counter);
    counter.count
}
