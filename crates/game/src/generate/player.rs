//! Somebody who plays chess by looking at the board once.
//!
//! A player knows what the pieces are worth and which squares each side attacks. That is enough to
//! take what hangs, to leave what is attacked, to castle, to give check, and now and then to mate;
//! it is cheap enough for hundreds of thousands of moves a second. Scores are whole numbers of
//! centipawns, so that games are the same on every machine.

use tabiya_chess::{
    Bitboard, Board, Color, Move, MoveList, Position, Role, Square, attacks, values::ValueSet,
};

use super::random::{Random, mix};

/// Better than anything else.
const MATE: i32 = 100_000;

/// What kings count when they are attackers: they come last.
const KING: i32 = 10_000;

/// The pieces in centipawns, from the pawn to the king.
const VALUES: [i32; 6] = {
    let mut values = [KING; 6];
    let mut role = 0;
    while role < 6 {
        if let Some(value) = ValueSet::Classic.value(Role::ALL[role]) {
            values[role] = value;
        }
        role += 1;
    }
    values
};

#[inline]
fn value(role: Role) -> i32 {
    VALUES[role as usize]
}

/// The steps from the rim to the middle, 0 to 6.
static CENTRE: [i8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as i8 % 8, square as i8 / 8);
        table[square] =
            (if file < 4 { file } else { 7 - file }) + if rank < 4 { rank } else { 7 - rank };
        square += 1;
    }
    table
};

#[inline]
fn centre(square: Square) -> i32 {
    i32::from(CENTRE[square.index()])
}

/// What a step towards the middle is worth, from the pawn to the king.
const STEP: [i32; 6] = [3, 10, 5, 2, 1, 0];

/// What one look at a position shows.
pub(super) struct Sight<'p> {
    position: &'p Position,
    us: Color,
    /// What the other side attacks: with pawns, minor pieces, rooks, queens, the king; each with
    /// those before it.
    theirs: [Bitboard; 5],
    /// What we attack, and what we attack at least twice.
    ours: Bitboard,
    ours_twice: Bitboard,
    /// The squares from which a piece would give check, by its role.
    checks: [Bitboard; 6],
    /// What stands where: asked for every move.
    roles: [Option<Role>; 64],
    /// Few pieces are left: kings and pawns go forward.
    ending: bool,
    their_king: Option<Square>,
    /// How far we are ahead.
    ahead: i32,
}

impl<'p> Sight<'p> {
    pub(super) fn new(position: &'p Position) -> Sight<'p> {
        let board = position.board();
        let us = position.turn();
        let occupied = board.occupied();
        let their_king = board.king(!us);
        let mut sight = Sight {
            position,
            us,
            theirs: [Bitboard::EMPTY; 5],
            ours: Bitboard::EMPTY,
            ours_twice: Bitboard::EMPTY,
            checks: [Bitboard::EMPTY; 6],
            roles: [None; 64],
            ending: false,
            their_king,
            ahead: 0,
        };
        let (mut own, mut other, mut pieces) = (0, 0, 0);
        for role in Role::ALL {
            for square in board.pieces(role) {
                let attacked = match role {
                    Role::Pawn if board.side(us).contains(square) => attacks::pawn(us, square),
                    Role::Pawn => attacks::pawn(!us, square),
                    _ => attacks::piece(role, square, occupied),
                };
                sight.roles[square.index()] = Some(role);
                let worth = if role == Role::King { 0 } else { value(role) };
                if role != Role::Pawn {
                    pieces += worth;
                }
                if board.side(us).contains(square) {
                    own += worth;
                    sight.ours_twice |= sight.ours & attacked;
                    sight.ours |= attacked;
                } else {
                    other += worth;
                    sight.theirs[rank_of_attacker(role)] |= attacked;
                }
            }
        }
        for index in 1..sight.theirs.len() {
            let lesser = sight.theirs[index - 1];
            sight.theirs[index] |= lesser;
        }
        sight.ending = pieces <= 2_600;
        sight.ahead = own - other;
        if let Some(king) = their_king {
            let (bishop, rook) = (
                attacks::bishop(king, occupied),
                attacks::rook(king, occupied),
            );
            sight.checks = Role::ALL.map(|role| match role {
                Role::Pawn => attacks::pawn(!us, king),
                Role::Knight => attacks::knight(king),
                Role::Bishop => bishop,
                Role::Rook => rook,
                Role::Queen => bishop | rook,
                Role::King => Bitboard::EMPTY,
            });
        }
        sight
    }

    /// How far the side to move is ahead, in centipawns.
    pub(super) fn ahead(&self) -> i32 {
        self.ahead
    }

    /// What is lost if a piece of a value stands on a square.
    #[inline]
    fn danger(&self, square: Square, worth: i32, defended: bool) -> i32 {
        const ATTACKERS: [i32; 5] = [100, 300, 500, 900, KING];
        match self.theirs.iter().position(|map| map.contains(square)) {
            None => 0,
            // The king takes only what nobody defends.
            Some(_) if !defended => worth,
            Some(attacker) => (worth - ATTACKERS[attacker]).max(0),
        }
    }

    /// Tells how good each legal move looks.
    #[inline(always)]
    pub(super) fn scores(&self, moves: &MoveList, mut tell: impl FnMut(Move, i32)) {
        // Moves of a piece come in a row: what it leaves is looked at once.
        let mut leaves = None;
        let mut kept = 0;
        for &play in moves {
            let from = play.from();
            let Some(role) = self.roles[from.index()] else {
                continue;
            };
            if leaves != Some(from) {
                leaves = Some(from);
                kept = self.staying(from, role);
            }
            let score = match role {
                Role::King => self.king_score(play),
                _ => self.arriving(play, role) - kept,
            };
            tell(play, score);
        }
    }

    /// What it is worth to leave a piece where it is.
    #[inline]
    fn staying(&self, from: Square, role: Role) -> i32 {
        let danger = self.danger(from, value(role), self.ours.contains(from));
        let undeveloped = role == Role::Bishop && from.rank() == self.us.back_rank();
        // A little less than all: who is attacked may also defend.
        value(role) + STEP[role as usize] * centre(from)
            - danger * 7 / 8
            - i32::from(undeveloped) * 14
    }

    /// What it is worth to have a piece where a move puts it.
    #[inline(always)]
    fn arriving(&self, play: Move, role: Role) -> i32 {
        let to = play.to();
        let arrives = play.promoted().unwrap_or(role);
        let mut score = value(arrives) + STEP[role as usize] * centre(to);
        if let Some(taken) = self.roles[to.index()] {
            score += value(taken);
        }
        if self.theirs[4].contains(to) {
            // A pawn that goes straight on does not attack where it goes; all else does.
            let push = role == Role::Pawn && play.from().file() == to.file();
            let others = if push { self.ours } else { self.ours_twice };
            score -= self.danger(to, value(arrives), others.contains(to));
        }
        if role == Role::Pawn {
            score += self.pawn_progress(to);
            if self.position.is_en_passant(play) {
                score += 160;
            }
        }
        if self.checks[arrives as usize].contains(to) {
            score += if self.mates(play) { MATE } else { 30 };
        }
        score
    }

    fn king_score(&self, play: Move) -> i32 {
        let (from, to) = (play.from(), play.to());
        if self.position.is_castling(play) {
            return 90;
        }
        let taken = self.roles[to.index()].map_or(0, value);
        let walk = match (self.ending, self.their_king) {
            (false, _) => -45,
            // Who is ahead goes to the other king and helps to mate it.
            (true, Some(king)) if self.ahead >= 300 => {
                12 * (distance(from, king) - distance(to, king))
            }
            (true, _) => 6 * (centre(to) - centre(from)),
        };
        taken + walk
    }

    fn pawn_progress(&self, to: Square) -> i32 {
        let steps = match self.us {
            Color::White => to.rank() as usize,
            Color::Black => 7 - to.rank() as usize,
        };
        let table = match self.ending {
            false => [0, 0, 4, 12, 14, 20, 40, 0],
            true => [0, 0, 5, 15, 30, 55, 90, 0],
        };
        table[steps]
    }

    /// Whether a move that gives check mates.
    fn mates(&self, play: Move) -> bool {
        let mut after = *self.position;
        after.play_unchecked(play);
        !after.has_legal_moves()
    }

    /// The move of a player who errs by up to so many centipawns. `undoes` is a move that would
    /// only take back the last one.
    pub(super) fn choose(
        &self,
        moves: &MoveList,
        blur: u32,
        undoes: Option<Move>,
        random: &mut Random,
    ) -> Option<Move> {
        // The error of a move hangs on the move, not on its place in the list: the order in which
        // moves are generated is nobody's promise.
        let mood = random.next();
        // Score and move in one number: the greatest is quickly found, and never a tie.
        let mut best = None;
        self.scores(moves, |play, score| {
            let error = mix(mood ^ u64::from(play.to_bits())) >> 32;
            let mut score = score + ((error * u64::from(blur)) >> 32) as i32;
            if undoes == Some(play) {
                score -= 40;
            }
            best = best.max(Some((i64::from(score) << 16) | i64::from(play.to_bits())));
        });
        let play = Move::from_bits((best? & 0xffff) as u16);
        Some(sometimes_underpromote(play, random))
    }
}

/// Where a role stands among the attackers, the least first.
const fn rank_of_attacker(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 3,
        Role::King => 4,
    }
}

/// The steps of a king.
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// A queen is nearly always best, and then every game would have the same promotion.
fn sometimes_underpromote(play: Move, random: &mut Random) -> Move {
    match play.promoted() {
        Some(_) if random.once_in(6) => {
            let role = random.pick(&[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]);
            Move::promotion(play.from(), play.to(), role)
        }
        _ => play,
    }
}

/// White's pieces less Black's, as players count them.
pub(super) fn balance(board: &Board) -> i32 {
    tabiya_chess::values::balance(board, ValueSet::Classic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn favourite(fen: &str) -> String {
        let setup = fen.parse().unwrap();
        let position = Position::from_setup(&setup, Default::default()).unwrap();
        let moves = position.legal_moves();
        let mut random = Random::new(3, 0);
        let play = Sight::new(&position).choose(&moves, 1, None, &mut random);
        position.san(play.unwrap()).to_string()
    }

    #[test]
    fn what_hangs_is_taken_and_what_is_attacked_is_saved() {
        assert_eq!(favourite("4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1"), "Qxd5");
        // The rook is defended: a queen is too much for it.
        assert_ne!(favourite("4k3/8/2p5/3r4/8/8/8/3QK3 w - - 0 1"), "Qxd5");
        // The pawn attacks the queen.
        assert!(favourite("4k3/8/8/2p5/3Q4/8/8/4K3 w - - 0 1").starts_with('Q'));
    }

    #[test]
    fn mates_are_found() {
        assert_eq!(favourite("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "Ra8#");
    }

    #[test]
    fn kings_castle() {
        let fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        assert_eq!(favourite(fen), "O-O");
    }
}
