//! Where games begin.

use tabiya_chess::{Color, Position, Rank, Role, Setup, Square, Variant, chess960};

use super::{Options, play, random::Random};

/// The position before the first move: that of the game, one of Chess960, or, among annotated
/// games, a set-up now and then.
pub(super) fn position(options: &Options, random: &mut Random) -> Position {
    let start = match options.chess960 {
        true => shuffled(options.variations && random.once_in(8), random),
        false => Position::initial(),
    };
    if !(options.variations && random.once_in(6)) {
        return start;
    }
    if !options.chess960 && !random.once_in(3) {
        return ending(random).unwrap_or(start);
    }
    let plies = random.within(&(1..=60)) as u16;
    play::wander(start, plies, random)
}

/// A start of Chess960; `double` shuffles each side on its own.
fn shuffled(double: bool, random: &mut Random) -> Position {
    let white = random.below(960) as u16;
    let black = match double {
        true => random.below(960) as u16,
        false => white,
    };
    chess960::setup(white, black)
        .and_then(|setup| Position::from_setup(&setup, Variant::Chess960).ok())
        .expect("numbers below 960 are starts")
}

/// Two kings and a few pieces, put anywhere.
fn ending(random: &mut Random) -> Option<Position> {
    // Most tries are sound; the bound is for peace of mind.
    (0..64).find_map(|_| try_ending(random))
}

fn try_ending(random: &mut Random) -> Option<Position> {
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    let mut setup = Setup {
        board: Default::default(),
        turn: random.pick(&Color::ALL),
        castling_rooks: Default::default(),
        ep_square: None,
        halfmove_clock: 0,
        fullmove_number: 30 + random.below(90),
    };
    if random.once_in(3) {
        // The fifty moves are nearly over.
        setup.halfmove_clock = 80 + random.below(19);
    }
    let mut pieces = vec![Role::King.of(Color::White), Role::King.of(Color::Black)];
    // A king alone is mated or stalemated soon.
    let alone = random.once_in(2);
    for _ in 0..random.within(&(1..=5)) {
        let role = random.pick(&[Pawn, Pawn, Pawn, Knight, Bishop, Rook, Queen]);
        let color = if alone {
            setup.turn
        } else {
            random.pick(&Color::ALL)
        };
        pieces.push(role.of(color));
    }
    for piece in pieces {
        let square = Square::from_index(random.below(64) as u8);
        let last_rank = matches!(square.rank(), Rank::First | Rank::Eighth);
        if setup.board.piece_at(square).is_some() || (piece.role == Pawn && last_rank) {
            return None;
        }
        setup.board.put(square, piece);
    }
    let position = Position::from_setup(&setup, Variant::Standard).ok()?;
    (setup.warnings().is_empty() && !position.status().is_end()).then_some(position)
}
